import type { Json, JsonObject } from '#kernel';
import type { Comparison, Family, Reader, Reading } from './comparison';
import { familyOf } from './families';
import { maxScore } from './max-score';
import { isObject, objectOf } from './members';
import { isEmpty } from './parts';
import { bestOf, partReasons, type PointRules, stepsOf } from './points';
import { isManual } from './question-types';
import { ENGINE_VERSION, type Reasons } from './reasons';
import { readValidation, type Validation } from './validation';

export interface ScoreOptions {
  /** The activity's setting, which overrides the question's. */
  allowNegativeScores?: boolean;
}

/** The score of one response. */
export interface ResponseScore {
  /** The question's type. */
  type: string;
  /** Points; null when there are none, for the reason in `reasons.outcome`. Never above `maxScore`. */
  score: number | null;
  /** The maximum score of the question. 0 when it is not scored. */
  maxScore: number;
  /** Whether the response contains anything. */
  attempted: boolean;
  /** Whether the engine scores the question; otherwise a person does. */
  automarkable: boolean;
  /** Whether the response fully equals an accepted answer; null when that was not checked. */
  isValid: boolean | null;
  reasons: Reasons;
}

/** Real questions have some dozens of accepted answers at most. */
const MAX_ANSWERS = 1000;

/** A question prepared for scoring many responses. Stateless. */
export interface Scorer {
  readonly type: string;
  readonly maxScore: number;
  readonly automarkable: boolean;
  /**
   * @param response as stored: an object with the learner's answer in `value`; null or undefined when there is none.
   *   May be anything that JSON can hold. Never throws.
   */
  score(response: Json | undefined, options?: ScoreOptions): ResponseScore;
}

/** Scores one response (decisions 26 and 27). @param definition the `data` of a question, with its `type`. Never throws. */
export function score(definition: JsonObject, response: Json | undefined, options?: ScoreOptions): ResponseScore {
  return compile(definition).score(response, options);
}

/** @param definition the `data` of a question, with its `type`; may be anything that JSON can hold. Never throws. */
export function compile(definition: JsonObject): Scorer {
  const question = objectOf(definition);
  const validation = readValidation(question);
  const base = baseOf(question, validation);
  return Object.assign({ score: scoringOf(base, question, validation, familyOf(base.type)) }, base);
}

function baseOf(question: JsonObject, validation: Validation): Base {
  const type = typeof question['type'] === 'string' ? question['type'] : '';
  const automarkable = familyOf(type) !== undefined && validation.marking !== 'manual' && !isManual(type);
  return { type, maxScore: maxScore(question), automarkable };
}

function scoringOf(
  base: Base,
  question: JsonObject,
  validation: Validation,
  family: Family | undefined,
): Scorer['score'] {
  if (family && validation.answers.length > MAX_ANSWERS) return (response) => scoreNot(base, TOO_LARGE, response);
  if (family && validation.marking === 'automatic') {
    const read = family(question, validation);
    return (response, options) => scoreByRules(base, read, validation, response, options);
  }
  const because = notScored(question, validation, family !== undefined || isManual(base.type));
  return (response) => scoreNot(base, because, response);
}

type Base = Pick<Scorer, 'type' | 'maxScore' | 'automarkable'>;
type NotScored = Pick<Reasons, 'outcome' | 'message'>;

const NOT_ATTEMPTED: NotScored = { outcome: 'not-attempted', message: 'not attempted' };
const TOO_LARGE: NotScored = {
  outcome: 'too-large',
  message: 'the response and the accepted answers are too large to be compared',
};

const TOO_SLOW: NotScored = { outcome: 'too-slow', message: 'took too long' };

/** The result when scoring was stopped, because it needed too much time or memory. Quick to compute. Never throws. */
export function scoreStopped(
  definition: JsonObject,
  response: Json | undefined,
  because: 'too-slow' | 'too-large',
): ResponseScore {
  const question = objectOf(definition);
  const base = baseOf(question, readValidation(question));
  return withoutScore(base, isAttempted(response), because === 'too-slow' ? TOO_SLOW : TOO_LARGE);
}

function notScored(question: JsonObject, { marking }: Validation, isKnown: boolean): NotScored {
  if (marking === 'manual') return { outcome: 'manual', message: 'a person scores this question' };
  if (!isKnown) return { outcome: 'type-not-scored', message: 'type not scored' };
  if (Object.keys(objectOf(question['validation'])).length > 0)
    return { outcome: 'unscored', message: 'the question is unscored' };
  return { outcome: 'no-validation', message: 'the question has no validation, so nothing says what is right' };
}

function scoreNot(base: Base, because: NotScored, response: Json | undefined): ResponseScore {
  return withoutScore(base, isAttempted(response), because);
}

function isAttempted(response: Json | undefined): boolean {
  return isObject(response) ? hasContent(response['value']) : hasContent(response);
}

/** Whether a value contains anything. Looks only at its first level. */
function hasContent(value: Json | undefined): boolean {
  if (value === undefined || value === null) return false;
  if (typeof value === 'string') return value.trim() !== '';
  if (Array.isArray(value)) return !value.every(isEmpty);
  return typeof value !== 'object' || Object.keys(value).length > 0;
}

function scoreByRules(
  base: Base,
  read: Reader,
  validation: Validation,
  response: Json | undefined,
  options: ScoreOptions | undefined,
): ResponseScore {
  if (response === null || response === undefined) return withoutScore(base, false, NOT_ATTEMPTED);
  const allowNegativeScores = options?.allowNegativeScores ?? validation.allowNegativeScores;
  const rules: PointRules = { validation, allowNegativeScores, maxScore: base.maxScore };
  const reading = isObject(response) ? read(response['value'] ?? null) : UNREADABLE;
  switch (reading.kind) {
    case 'empty':
      return withoutScore(base, false, NOT_ATTEMPTED);
    case 'too-large':
      return withoutScore(base, true, TOO_LARGE);
    case 'unreadable':
      return scoreNothing(base, rules, {
        outcome: 'unreadable',
        message: 'the response does not have the form of this type of question, so nothing in it is right',
      });
  }
  const { comparisons } = reading;
  if (comparisons.length === 0)
    return scoreNothing(base, rules, {
      outcome: 'scored',
      message: 'the question has no accepted answer, so nothing can be right',
    });
  const best = bestOf(comparisons, rules);
  if (!best) return withoutScore(base, true, { outcome: 'undecided', message: whyUndecided(comparisons) });
  const parts = partReasons(best.comparison, validation.answers[best.index]!, validation);
  return result(base, best.score, true, best.isValid, {
    engine: ENGINE_VERSION,
    outcome: 'scored',
    message: null,
    scoringType: validation.scoringType,
    answer: best.index,
    parts,
    steps: best.steps,
  });
}

const UNREADABLE: Reading = { kind: 'unreadable' };

function whyUndecided(comparisons: readonly Comparison[]): string {
  for (const { parts } of comparisons)
    for (const { verdict, note } of parts) if (verdict === 'undecided' && note !== undefined) return note;
  return 'a formula could not be decided';
}

function withoutScore(base: Base, attempted: boolean, { outcome, message }: NotScored): ResponseScore {
  return result(base, null, attempted, null, {
    engine: ENGINE_VERSION,
    outcome,
    message,
    scoringType: null,
    answer: null,
    parts: [],
    steps: [],
  });
}

/** The score of an attempt in which no part is right and no part counts as wrong. */
function scoreNothing(base: Base, rules: PointRules, { outcome, message }: NotScored): ResponseScore {
  const steps = stepsOf(0, 0, Infinity, rules);
  const { scoringType } = rules.validation;
  return result(base, steps.at(-1)!.to, true, false, {
    engine: ENGINE_VERSION,
    outcome,
    message,
    scoringType,
    answer: null,
    parts: [],
    steps,
  });
}

/** Lists the members one by one, because spreading `base` takes longer than scoring. */
function result(
  { type, maxScore, automarkable }: Base,
  score: number | null,
  attempted: boolean,
  isValid: boolean | null,
  reasons: Reasons,
): ResponseScore {
  return { type, score, maxScore, attempted, automarkable, isValid, reasons };
}
