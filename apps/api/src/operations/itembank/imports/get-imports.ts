import { Type, type Static } from '@sinclair/typebox';

import { Imports, type ShownImport } from '#interchange';
import { type JsonObject, type JsonText, type Position, type Scope, timeOf } from '#kernel';
import { optional, references } from '../../../declaration/fields';
import { bank, paging } from '../../../declaration/inputs';
import { type Operation, operation } from '../../../declaration/operation';
import { page } from '../../../declaration/results';
import { dateTime } from '../../record-view';

const GetImportsInput = Type.Object({
  ...bank,
  ...paging,
  references: optional(references('References of imports.')),
});

@operation({
  path: 'itembank/imports',
  action: 'get',
  summary: 'Reads imports and how they stand, newest first.',
  example: { limit: 5 },
  input: GetImportsInput,
  output: Type.Array(Type.Ref('Import')),
})
export class GetImports implements Operation<typeof GetImportsInput> {
  constructor(private readonly imports: Imports) {}

  async execute({ references, limit = 50 }: Static<typeof GetImportsInput>, { shelf }: Scope, after?: Position) {
    const { entries, after: next } = await this.imports.find(shelf.organisation, { references, limit, after });
    return page(entries.map(importView), next);
  }
}

function importView(shown: ShownImport): JsonText {
  const { files: [file] = [] } = JSON.parse(shown.planned ?? '{}') as { files?: JsonObject[] };
  return JSON.stringify({
    reference: shown.id,
    status: shown.status,
    key: shown.file,
    name: shown.name,
    format: shown.format,
    on_collision: shown.onCollision,
    plan: shown.plan,
    totals: shown.totals,
    plan_file: file ?? null,
    error: shown.error ?? shown.failure,
    job_reference: shown.job,
    dt_created: dateTime(timeOf(shown.id)),
    dt_updated: dateTime(shown.changedAt),
  });
}
