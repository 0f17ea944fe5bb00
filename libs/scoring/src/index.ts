export { DEFAULT_EAP, type EapParameters, estimateAbility, readEap } from './ability';
export { type Choice, type Choices, choicesOf, MAX_CHOICES, type OfferedChoice } from './choices';
export { isFormulaType, SCORED_TYPES } from './families';
export {
  ITEM_SCORING_TYPES,
  isRight,
  type ItemScore,
  itemScoringType,
  type ItemScoringType,
  type QuestionScore,
  scoreItem,
} from './items';
export type { Finding, FindingCode } from './lint/finding';
export { lint } from './lint/lint';
export { type Offers, offersOf, optionValue } from './lint/offers';
export { maxScore } from './max-score';
export { rounded } from './points';
export { isManual, MANUAL, SCORING_TYPES, scoringTypesOf } from './question-types';
export {
  ENGINE_VERSION,
  type Outcome,
  OUTCOMES,
  type PartReason,
  type Reasons,
  SCORE_STEPS,
  type Verdict,
  VERDICTS,
} from './reasons';
export { answersIn, entryName, isAcceptedForPoints, isEmptyEntry, reviewParts } from './review';
export { rightAnswer } from './right-answer';
export { compile, type ResponseScore, score, type ScoreOptions, type Scorer, scoreStopped } from './scorer';
export { scoreSession, type SessionItem, type Subscore, type SubscoreDefinition, type Totals } from './sessions';
export { countValidParts } from './valid-response';
export { readValidation, type Validation } from './validation';
