import { type Static } from '@sinclair/typebox';
import { type Filling } from '#pools';
import { text } from '../../../declaration/fields';
import { type Result } from '../../../declaration/operation';
import { resource } from '../../../declaration/outputs';
import { pageOf } from '../../../declaration/results';

export const StartedFill = resource(
  'StartedFill',
  'A pool, and the accepted job that fills it; `jobs` returns its status and results.',
  { pool_reference: text('Reference of the pool.'), job_reference: text('Reference of the job.') },
);

/** The pools with their fill jobs, in the order of the request. */
export function startedFills(filled: readonly Filling[]): Result {
  return pageOf(
    filled.map(({ reference, job }): Static<typeof StartedFill> => ({ pool_reference: reference, job_reference: job })),
  );
}
