import type { JsonObject } from '#kernel';
import type { AcceptedAnswer } from './accepted-answer';
import { countElements, countParts } from './parts';
import { CEILING, rounded } from './points';
import type { ScoringType } from './question-types';
import { readValidation } from './validation';

/**
 * The maximum score of a question (decision 26): that of the best accepted answer, and at least
 * `min_score_if_attempted`. 0 for a question that is not scored.
 *
 * @param definition the `data` of a question, with its `type`; may be anything that JSON can hold.
 * @returns points: a finite number, 0 or more. Never throws.
 */
export function maxScore(definition: JsonObject): number {
  const { marking, scoringType, answers, declaredMaxScore, minScoreIfAttempted } = readValidation(definition);
  if (marking === 'none') return 0;
  const type = definition['type'];
  let highest = marking === 'manual' ? declaredMaxScore : 0;
  for (const answer of answers)
    highest = Math.max(highest, highestScore(answer, scoringType, typeof type === 'string' ? type : ''));
  return Math.min(Math.max(highest, minScoreIfAttempted), CEILING);
}

/** The maximum of an accepted answer by scoring type (docs/scoring.md, "Scoring types"). */
export function highestScore(answer: AcceptedAnswer, scoringType: ScoringType, questionType: string): number {
  const { score, value, parts } = answer;
  switch (scoringType) {
    case 'exactMatch':
    case 'partialMatchV2':
    case 'partialMatchElementV2':
      return score;
    case 'partialMatch':
      if (parts) return rounded(parts.reduce((total, part) => total + best(part), 0));
      return rounded(score * countParts(questionType, value));
    case 'partialMatchPairwise':
      return rounded(score * Math.max(0, countParts(questionType, value) - 1));
    case 'partialMatchElement':
      return rounded(score * countElements(value));
  }
}

/** The points of the best answer to a part. */
export function best(part: readonly { score: number }[]): number {
  return part.reduce((highest, { score }) => Math.max(highest, score), 0);
}
