import { Type, type Static } from '@sinclair/typebox';

import { Imports } from '#interchange';
import { type Scope } from '#kernel';
import { text } from '../../../../declaration/fields';
import { bank, meta } from '../../../../declaration/inputs';
import { type Operation, operation } from '../../../../declaration/operation';
import { StartedJob, startedJob } from '../../../jobs/started-job';

const RevertImportInput = Type.Object({
  ...bank,
  ...meta,
  reference: text({ description: 'Reference of the import.' }),
});

@operation({
  path: 'itembank/imports/revert',
  action: 'set',
  summary:
    'Starts the job that reverts an import: replaced records get their former content, and new items and activities are archived. If a record that it wrote has changed since, the call fails.',
  example: { reference: '01KE0XQ4G8N1S5DPA2R7VHM3FY' },
  input: RevertImportInput,
  output: StartedJob,
})
export class RevertImport implements Operation<typeof RevertImportInput> {
  constructor(private readonly imports: Imports) {}

  async execute({ reference }: Static<typeof RevertImportInput>, scope: Scope) {
    return startedJob(await this.imports.revert(reference, scope));
  }
}
