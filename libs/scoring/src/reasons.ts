import type { Json } from '#kernel';
import type { ScoringType } from './question-types';

/** Raised whenever the same question and response may score otherwise than before. */
export const ENGINE_VERSION = '1.3.1';

/** What became of a part. A part that was left empty is not wrong. */
export const VERDICTS = ['right', 'wrong', 'empty', 'undecided'] as const;
export type Verdict = (typeof VERDICTS)[number];

/** How one part of the response met the accepted answer. */
export interface PartReason {
  /** The blank, stem, row, cell or place in the order, from 0; null where the answer is a set. */
  at: number | null;
  verdict: Verdict;
  /** What the learner gave; null when nothing. */
  given: Json;
  /** What the accepted answer has in this place; null when nothing belongs there. */
  accepted: Json;
  /** What the part added, or took off as penalty; null under `exactMatch`, which looks at the answer as a whole. */
  points: number | null;
  /** In words, where the verdict does not speak for itself. */
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

/** One step of the sum, in the order in which they are taken. The last `to` is the score. */
export interface ScoreStep {
  step: (typeof SCORE_STEPS)[number];
  from: number;
  to: number;
}

/**
 * Why there is a score, or none:
 * - `scored`: by the rules, step by step;
 * - `not-attempted`: no response, or nothing in it;
 * - `unreadable`: the response has not the form that the type of question has, so nothing in it is right;
 * - `undecided`: a formula could not be decided, and the score would depend on it;
 * - `too-large`: more accepted answers and parts than one response is compared with;
 * - `too-slow`: whoever had it scored stopped it, as it took longer than it was given;
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

/** Everything that a person who disputes a mark can be answered from. Plain JSON. */
export interface Reasons {
  engine: string;
  outcome: Outcome;
  /** In words; null when `steps` say it all. */
  message: string | null;
  scoringType: ScoringType | null;
  /** The accepted answer that counted: 0 is the valid response, n its nth alternate; null when none did. */
  answer: number | null;
  parts: PartReason[];
  steps: ScoreStep[];
}
