import { type JsonText } from '#kernel';
import { type Outcome, type ResponseScore } from '#scoring';

/** Outcomes that are errors of the question, the response or the engine. */
const ERRORS: ReadonlySet<Outcome> = new Set<Outcome>([
  'unreadable',
  'undecided',
  'too-large',
  'too-slow',
  'no-validation',
  'type-not-scored',
]);

/** A score as clients read it. */
export function scoreView(
  response_id: string,
  { type, isValid, score, maxScore, attempted, reasons }: ResponseScore,
  includeReasons: boolean,
): JsonText {
  const { engine, outcome, message, scoringType, answer, parts, steps } = reasons;
  return JSON.stringify({
    response_id,
    type,
    is_valid: isValid,
    score,
    max_score: maxScore,
    attempted,
    error: ERRORS.has(outcome) ? message : null,
    ...(includeReasons
      ? { reasons: { engine, outcome, message, scoring_type: scoringType, answer, parts, steps } }
      : {}),
  });
}
