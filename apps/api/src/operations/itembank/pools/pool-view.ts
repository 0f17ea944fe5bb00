import { type Static } from '@sinclair/typebox';
import { POOL_STATUSES, type Pool as StoredPool, SHOWN_STATUSES } from '#pools';
import { isoTime } from '#sessions';
import { nullable, optional, text, words } from '../../../declaration/fields';
import { resource, revision } from '../../../declaration/outputs';

export const Pool = resource('Pool', 'An item pool: content of the item bank as it was when the pool was filled.', {
  reference: text('Name of the pool; case-sensitive.'),
  name: text('Name for people.'),
  description: nullable(text('Description.')),
  status: words(SHOWN_STATUSES, {
    description: '`pending` while the job that fills it waits or runs, `halted` when the job has failed.',
  }),
  content_hash: nullable(
    text(
      'SHA-256 of the content, in hexadecimal; equal for equal content in any installation. Null before the pool is filled.',
    ),
  ),
  dt_created: text('Time of creation, UTC.'),
  dt_updated: text('Time of the last change, UTC.'),
  revision,
  status_after_fill: optional(
    words(POOL_STATUSES, { description: 'The status that the pool has as soon as its last fill is done.' }),
  ),
  job_reference: optional(
    text('Reference of the job of the last fill. Its results say what the fill changed; they expire with the job.'),
  ),
});

export function poolView(
  pool: StoredPool,
  { withRevision, withStatus, withJob }: { withRevision: boolean; withStatus: boolean; withJob: boolean },
): Static<typeof Pool> {
  return {
    reference: pool.reference,
    name: pool.name,
    description: pool.description,
    status: pool.status,
    content_hash: pool.contentHash,
    dt_created: isoTime(pool.createdAt),
    dt_updated: isoTime(pool.updatedAt),
    revision: withRevision ? pool.updatedAt : undefined,
    status_after_fill: withStatus ? pool.statusAfterFill : undefined,
    job_reference: withJob ? pool.job : undefined,
  };
}
