import { type JsonObject, type Json } from '#kernel';
import { itemScoringType, maxScore, readValidation } from '#scoring';
import { type ItemRecord } from './entry';

/** A response that earns points: a valid response, or an alternative to it. */
export interface Accepted {
  value: Json;
  score: number;
}

/** More alternatives than this make a question slow to score and impossible to read. */
export const MAX_ALTERNATIVES = 1000;

/**
 * The `validation` of a question. The first accepted response is the one that a learner is shown as correct.
 * @param members of the validation beside the responses: `penalty`, `rounding` …
 */
export function validationOf(
  scoringType: string,
  [best, ...alternatives]: readonly [Accepted, ...Accepted[]],
  members: JsonObject = {},
): JsonObject {
  const response = ({ value, score }: Accepted): JsonObject => ({ score, value });
  return {
    scoring_type: scoringType,
    valid_response: response(best),
    ...(alternatives.length > 0 && { alt_responses: alternatives.map(response) }),
    ...members,
  };
}

/** Whether an item of one question has other points than this question: it gives all of the points or none. */
export function isScoredAsWhole({ widgets, features = [], metadata }: ItemRecord): boolean {
  if (itemScoringType(metadata?.scoring_type) !== 'dichotomous') return false;
  return widgets.some(({ reference, type, data }) => {
    const question = { ...data, type };
    const { marking, scoringType, answers, penalty, minScoreIfAttempted, allowNegativeScores } =
      readValidation(question);
    if (features.includes(reference) || marking !== 'automatic') return false;
    const isPartly = scoringType !== 'exactMatch' || answers.some(({ score }) => score !== maxScore(question));
    return isPartly || minScoreIfAttempted > 0 || (penalty > 0 && allowNegativeScores);
  });
}
