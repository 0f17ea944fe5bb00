import { type Static, Type } from '@sinclair/typebox';
import { type Job, JOB_STATUSES } from '#jobs';
import { integer, jsonObject, nullable, optional, text, words } from '../../../declaration/fields';
import { resource } from '../../../declaration/outputs';
import { dateTime } from '../../record-view';
import { error, fileMembers } from '../package-members';

/** The results of the job once the package is complete. */
const facts = {
  format: optional(text('Format of the package; absent until it is complete.')),
  as_of: optional(text('The moment at which the item bank had this content; absent for a pool.')),
  num_files: optional(integer('Number of its files.')),
  num_notes: optional(integer('Number of notes.')),
  notes: optional(
    Type.Array(jsonObject(), {
      description:
        'What the package lacks, or the format cannot hold unchanged: the first 50, each with its reference.',
    }),
  ),
};

export const Export = resource('Export', 'A package of content of the item bank or of a pool.', {
  reference: text('Reference of the job that writes it.'),
  status: words(JOB_STATUSES, { description: '`completed` and `halted` end it.' }),
  dt_created: text('Time at which the job was started, UTC.'),
  dt_completed: nullable(text('Time at which it ended, UTC; null until then.')),
  file: nullable(Type.Object(fileMembers, { description: 'The package, a ZIP file; null until it is complete.' })),
  ...facts,
  error: error('Why the job was halted.'),
});

type Export = Static<typeof Export>;
type Results = Pick<Export, keyof typeof facts> & Partial<NonNullable<Export['file']>>;

export function exportView({ id, status, createdAt, completedAt, results, error }: Job): Export {
  const { address, expires_at, content_type, bytes, sha256, ...further } = JSON.parse(results ?? '{}') as Results;
  return {
    reference: id,
    status,
    dt_created: dateTime(createdAt),
    dt_completed: completedAt === null ? null : dateTime(completedAt),
    file:
      address === undefined
        ? null
        : ({ address, expires_at, content_type, bytes, sha256 } as NonNullable<Export['file']>),
    ...further,
    error: error && { code: error.kind ?? 'internal', message: error.message },
  };
}
