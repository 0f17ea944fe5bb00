import { Type, type Static } from '@sinclair/typebox';

import { Exports } from '#interchange';
import { type Job } from '#jobs';
import { type JsonObject, type JsonText, type Scope } from '#kernel';
import { references } from '../../../declaration/fields';
import { bank } from '../../../declaration/inputs';
import { type Operation, operation } from '../../../declaration/operation';
import { page } from '../../../declaration/results';
import { dateTime } from '../../record-view';

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
  output: Type.Array(Type.Ref('Export')),
})
export class GetExports implements Operation<typeof GetExportsInput> {
  constructor(private readonly exports: Exports) {}

  async execute({ references }: Static<typeof GetExportsInput>, { shelf }: Scope) {
    return page((await this.exports.find(shelf.organisation, references)).map(exportView));
  }
}

function exportView({ id, status, createdAt, completedAt, results, error }: Job): JsonText {
  const { address, expires_at, content_type, bytes, sha256, ...facts } = JSON.parse(results ?? '{}') as JsonObject;
  return JSON.stringify({
    reference: id,
    status,
    dt_created: dateTime(createdAt),
    dt_completed: completedAt === null ? null : dateTime(completedAt),
    file: address === undefined ? null : { address, expires_at, content_type, bytes, sha256 },
    ...facts,
    error: error && { code: error.kind ?? 'internal', message: error.message },
  });
}
