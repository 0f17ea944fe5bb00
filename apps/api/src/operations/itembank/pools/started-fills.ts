import { type Filling } from '#pools';
import { type Result } from '../../../declaration/operation';

/** The pools with their fill jobs, in the order of the request. */
export function startedFills(filled: readonly Filling[]): Result {
  const data = filled.map(({ reference, job }) => ({ pool_reference: reference, job_reference: job }));
  return { data: JSON.stringify(data), records: data.length };
}
