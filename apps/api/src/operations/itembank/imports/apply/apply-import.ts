import { Type, type Static } from '@sinclair/typebox';

import { Imports } from '#interchange';
import { type Scope } from '#kernel';
import { text } from '../../../../declaration/fields';
import { bank, meta } from '../../../../declaration/inputs';
import { type Operation, operation } from '../../../../declaration/operation';
import { StartedJob, startedJob } from '../../../jobs/started-job';

const ApplyImportInput = Type.Object({
  ...bank,
  ...meta,
  reference: text({ description: 'Reference of the import.' }),
  plan: text({ description: 'Hash of its plan, from itembank/imports: exactly that plan is stored.' }),
});

@operation({
  path: 'itembank/imports/apply',
  action: 'set',
  summary:
    'Starts the job that applies the plan of an import. If the bank has changed and the plan would differ, the call fails. A repeated call continues the same job.',
  example: {
    reference: '01KE0XQ4G8N1S5DPA2R7VHM3FY',
    plan: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
  },
  input: ApplyImportInput,
  output: StartedJob,
})
export class ApplyImport implements Operation<typeof ApplyImportInput> {
  constructor(private readonly imports: Imports) {}

  async execute({ reference, plan }: Static<typeof ApplyImportInput>, scope: Scope) {
    return startedJob(await this.imports.apply({ reference, plan }, scope));
  }
}
