import { Type, type Static } from '@sinclair/typebox';

import { Imports } from '#interchange';
import { type Position, type Scope } from '#kernel';
import { optional, references } from '../../../declaration/fields';
import { bank, paging } from '../../../declaration/inputs';
import { type Operation, operation } from '../../../declaration/operation';
import { pageOf } from '../../../declaration/results';
import { Import, importView } from './import-view';

const GetImportsInput = Type.Object({
  ...bank,
  ...paging,
  references: optional(references('References of imports.')),
});

@operation({
  path: 'itembank/imports',
  action: 'get',
  summary: 'Reads imports and their status, newest first.',
  example: { limit: 5 },
  input: GetImportsInput,
  output: Type.Array(Import),
})
export class GetImports implements Operation<typeof GetImportsInput> {
  constructor(private readonly imports: Imports) {}

  async execute({ references, limit = 50 }: Static<typeof GetImportsInput>, { shelf }: Scope, after?: Position) {
    const { entries, after: next } = await this.imports.find(shelf.organisation, { references, limit, after });
    return pageOf(entries.map(importView), next);
  }
}
