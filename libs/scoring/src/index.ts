export { maxScore } from './max-score';
export { SCORING_TYPES, scoringTypesOf, type ScoringType } from './question-types';
