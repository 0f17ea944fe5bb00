import { Type, type Static } from '@sinclair/typebox';

import { Exports } from '#interchange';
import { type Scope } from '#kernel';
import { references } from '../../../declaration/fields';
import { bank } from '../../../declaration/inputs';
import { type Operation, operation } from '../../../declaration/operation';
import { pageOf } from '../../../declaration/results';
import { Export, exportView } from './export-view';

const GetExportsInput = Type.Object({
  ...bank,
  references: references('References of the jobs that write them.', 50),
});

@operation({
  path: 'itembank/exports',
  action: 'get',
  summary: 'Reads exports and the addresses of their packages, newest first.',
  example: { references: ['01KE0XQ4G8N1S5DPA2R7VHM3FY'] },
  input: GetExportsInput,
  output: Type.Array(Export),
})
export class GetExports implements Operation<typeof GetExportsInput> {
  constructor(private readonly exports: Exports) {}

  async execute({ references }: Static<typeof GetExportsInput>, { shelf }: Scope) {
    return pageOf((await this.exports.find(shelf.organisation, references)).map(exportView));
  }
}
