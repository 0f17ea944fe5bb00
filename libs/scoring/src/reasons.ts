import type { Json } from '#kernel';
import type { ScoringType } from './question-types';

/** Raised whenever the same question and response may score differently than before. */
export const ENGINE_VERSION = '1.3.2';

/** The result of a part. An empty part is not wrong. */
export const VERDICTS = ['right', 'wrong', 'empty', 'undecided'] as const;
export type Verdict = (typeof VERDICTS)[number];

/** How one part of the response compares with the accepted answer. */
export interface PartReason {
  /** Index of the blank, stem, row, cell or position; null where the answer is a set. */
  at: number | null;
  verdict: Verdict;
  /** The learner's value; null when there is none. */
  given: Json;
  /** The accepted value in this place; null when nothing belongs there. */
  accepted: Json;
  /**
   * Points that the part added, or took off as penalty; null under `exactMatch`, which judges the answer as a whole.
   */
  points: number | null;
  /** An explanation where the verdict needs one. */
  note?: string;
}

export const SCORE_STEPS = [
  'right-parts',
  'penalty',
  'rounding',
  'zero-floor',
  'min-score-if-attempted',
  'limit',
] as const;

/** One step of the calculation, in order. The last `to` is the score. */
export interface ScoreStep {
  step: (typeof SCORE_STEPS)[number];
  from: number;
  to: number;
}

/**
 * Why there is a score, or none:
 * - `scored`: by the rules, step by step;
 * - `not-attempted`: no response, or nothing in it;
 * - `unreadable`: the response does not have the form of its question type, so nothing in it is right;
 * - `undecided`: a formula could not be decided, and the score would depend on it;
 * - `too-large`: more accepted answers and parts than one response is compared with;
 * - `too-slow`: the caller stopped the evaluation at its time limit;
 * - `manual`: a person scores;
 * - `unscored`: the question says that it has no score;
 * - `no-validation`: the question does not say what is right;
 * - `type-not-scored`: questions of this type are not scored here.
 */
export const OUTCOMES = [
  'scored',
  'not-attempted',
  'unreadable',
  'undecided',
  'too-large',
  'too-slow',
  'manual',
  'unscored',
  'no-validation',
  'type-not-scored',
] as const;
export type Outcome = (typeof OUTCOMES)[number];

/** Everything that is needed to explain a disputed score. Plain JSON. */
export interface Reasons {
  engine: string;
  outcome: Outcome;
  /** An explanation; null when `steps` are enough. */
  message: string | null;
  scoringType: ScoringType | null;
  /** Index of the accepted answer that counted: 0 is the valid response, n its nth alternate; null when none did. */
  answer: number | null;
  parts: PartReason[];
  steps: ScoreStep[];
}
