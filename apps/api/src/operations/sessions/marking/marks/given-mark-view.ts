import { type RoundMarking } from '#sessions';
import { type Result } from '../../../../declaration/operation';

/** What a mark led to, as clients read it. */
export function givenMarkView(
  answer: string,
  { stage, score, job }: Awaited<ReturnType<RoundMarking['mark']>>,
): Result {
  return { data: JSON.stringify({ answer, stage, score, job_reference: job }) };
}
