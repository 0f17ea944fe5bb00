import type { Json, JsonObject } from '#kernel';
import type { AcceptedAnswer } from './accepted-answer';
import type { Verdict } from './reasons';
import type { Validation } from './validation';

/** A part of a response compared with the same part of an accepted answer. */
export interface Part {
  at: number | null;
  verdict: Verdict;
  given: Json;
  accepted: Json;
  /** The part's own score; only in the form before 2015. */
  score?: number;
  /** Points lost although the part is right. */
  lost?: number;
  note?: string;
}

/** A response compared with one accepted answer. */
export interface Comparison {
  /**
   * Number of parts of the accepted answer. Further parts of the response are in `parts` as wrong, but not counted
   * here.
   */
  total: number;
  parts: Part[];
}

/** How a question reads the value of a response. */
export type Reading =
  | { kind: 'empty' | 'unreadable' | 'too-large' }
  /** One comparison per accepted answer, in order. */
  | { kind: 'read'; comparisons: Comparison[] };

export type Reader = (value: Json) => Reading;

/** The rules of a family of question types: how to split a response into parts, and when a part is right. */
export type Family = (question: JsonObject, validation: Validation) => Reader;

export interface Rules<Given> {
  /** `undefined` when the value does not have the form of this type. */
  read(value: Json): Given | undefined;
  isEmpty(given: Given): boolean;
  /** Approximate number of steps to compare the response with one accepted answer, beyond the answer's own parts. */
  size(given: Given): number;
  /** Called once per accepted answer. */
  prepare(answer: AcceptedAnswer): (given: Given) => Comparison;
}

/** The limit of comparison steps per response: some tenths of a second. Real questions take a few dozen. */
const MAX_STEPS = 1_000_000;

/** The reader for a question with these accepted answers. */
export function reader<Given>(answers: readonly AcceptedAnswer[], rules: Rules<Given>): Reader {
  const compare = answers.map((answer) => rules.prepare(answer));
  const sizeOfAnswers = answers.reduce((sum, { value }) => sum + sizeOf(value), 0);
  return (value) => {
    const given = rules.read(value);
    if (given === undefined) return { kind: 'unreadable' };
    if (rules.isEmpty(given)) return { kind: 'empty' };
    if (sizeOfAnswers + compare.length * rules.size(given) > MAX_STEPS) return { kind: 'too-large' };
    return { kind: 'read', comparisons: compare.map((compareWith) => compareWith(given)) };
  };
}

function sizeOf(value: Json): number {
  return Array.isArray(value) ? value.length : 1;
}

/** The longest text and list that reasons repeat. */
const MAX_LENGTH = 1000;

/** A value for a reason: a text, number or boolean, or a list of these; truncated when it is very long. */
export function shown(value: Json | undefined): Json {
  if (Array.isArray(value))
    return value.length === 1 ? shownOne(value[0]!) : value.slice(0, MAX_LENGTH).map((each) => shownOne(each));
  return value === undefined ? null : shownOne(value);
}

function shownOne(value: Json): Json {
  if (typeof value === 'string' && value.length > MAX_LENGTH) return `${value.slice(0, MAX_LENGTH)}…`;
  // Turns -0 into 0, because JSON has no -0.
  if (typeof value === 'number') return value + 0;
  return typeof value === 'object' ? null : value;
}
