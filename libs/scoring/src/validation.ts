import type { Json, JsonObject } from '#kernel';
import type { AcceptedAnswer } from './accepted-answer';
import { flagOf, isObject, listOf, numberOf, objectOf, pointsOf } from './members';
import { readOldAnswers } from './old-validation';
import { isManual, scoringTypesOf, type ScoringType } from './question-types';

/** The `validation` of a question. Authors may write it in several forms, which this unifies (decision 26). */
export interface Validation {
  /** `automatic`: the engine scores; `manual`: a person; `none`: nobody (unscored, or no validation). */
  marking: 'automatic' | 'manual' | 'none';
  scoringType: ScoringType;
  /** The valid response first, then its alternates. Empty unless `marking` is automatic. */
  answers: readonly AcceptedAnswer[];
  /** The same answers, also when a person or nobody scores the question. */
  key: readonly AcceptedAnswer[];
  /** The points that a wrong part costs, 0 or more. */
  penalty: number;
  minScoreIfAttempted: number;
  allowNegativeScores: boolean;
  rounding: 'floor' | 'none';
  matchAllPossibleResponses: boolean;
  /** The maximum score of a question that a person scores; unused otherwise. */
  declaredMaxScore: number;
}

/** Question types whose blanks may share one pool of accepted texts. */
const POOLED: ReadonlySet<string> = new Set([
  'association',
  'clozetext',
  'clozeinlinetext',
  'clozedropdown',
  'clozeassociation',
  'imageclozetext',
  'imageclozedropdown',
  'imageclozeassociation',
]);

/** @param definition the `data` of a question; may be anything that JSON can hold. */
export function readValidation(definition: JsonObject): Validation {
  const question = objectOf(definition);
  const type = typeof question['type'] === 'string' ? question['type'] : '';
  const validation = objectOf(question['validation']);
  const current = readAnswers(validation);
  const old = current.length === 0 ? readOldAnswers(type, question, validation) : undefined;

  let marking: Validation['marking'] = 'automatic';
  if (flagOf(validation['unscored']) === true) marking = 'none';
  else if (isManual(type) || flagOf(validation['automarkable']) === false) marking = 'manual';
  else if (!old && Object.keys(validation).length === 0) marking = 'none';

  const key = old?.answers ?? current;
  return {
    marking,
    scoringType: readScoringType(type, validation['scoring_type'] ?? old?.scoringType),
    answers: marking === 'automatic' ? key : [],
    key,
    // Old data contains negative penalties.
    penalty: Math.abs(numberOf(validation['penalty'] ?? validation['penalty_score'] ?? question['penalty_score']) ?? 0),
    minScoreIfAttempted: pointsOf(validation['min_score_if_attempted'], 0),
    allowNegativeScores: flagOf(validation['allow_negative_scores']) === true,
    rounding: validation['rounding'] === 'none' ? 'none' : 'floor',
    matchAllPossibleResponses: POOLED.has(type) && flagOf(validation['match_all_possible_responses']) === true,
    declaredMaxScore: pointsOf(validation['max_score'], 0),
  };
}

function readAnswers(validation: JsonObject): AcceptedAnswer[] {
  return [validation['valid_response'], ...listOf(validation['alt_responses'])].filter(isObject).map((answer) => ({
    score: pointsOf(answer['score'], 1),
    value: answer['value'] ?? null,
    ...(answer['matching_rule'] === 'contains' && { matchingRule: 'contains' as const }),
  }));
}

/** An absent or unknown type, or one that the question type does not have, becomes `exactMatch` (decision 26). */
function readScoringType(questionType: string, value: Json | undefined): ScoringType {
  return scoringTypesOf(questionType).find((scoringType) => scoringType === value) ?? 'exactMatch';
}
