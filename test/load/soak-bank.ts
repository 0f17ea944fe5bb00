import { randomUUID } from 'node:crypto';

/* The questions and items of all sessions, and what the kinds of work share. */

/** A piece of work whose request was acknowledged. */
export interface StartedWork {
  /** Resolves when the job that it started has ended. */
  job?: Promise<void>;
}

type Work = (due: number) => Promise<StartedWork>;
/** Kinds of work with their relative frequencies. */
export type Mix = readonly (readonly [weight: number, work: Work])[];

/** A result of the check at the end. */
export interface PromiseCheck {
  promise: string;
  /** The number of checked records or jobs. */
  checked: number;
  /** The broken promises. */
  broken: string[];
}

/** The state and the events that a session must have. */
export interface ExpectedSession {
  status: 'Incomplete' | 'Completed' | 'Discarded';
  /** The number of events with its status, and of events with its scores. */
  states: number;
  completions: number;
}

export const QUESTIONS = 8;
const QUESTIONS_PER_ITEM = 2;
const AUTHOR = { id: 'soak', firstname: 'Soak' };

export const questionReference = (index: number) => `soak-question-${index}`;
export const ITEMS = Array.from({ length: QUESTIONS / QUESTIONS_PER_ITEM }, (_, index) => `soak-item-${index}`);
export const itemOf = (question: number) => ITEMS[Math.floor(question / QUESTIONS_PER_ITEM)]!;
const keyOf = (question: number) => String(question % 4);

/** The score of these values, one for each question. */
export const scoreOf = (values: readonly string[]): number =>
  values.filter((value, question) => value === keyOf(question)).length;

/** A question with the values 0 to 3. */
export const choice = (stimulus: string, key: string) => ({
  stimulus,
  options: ['0', '1', '2', '3'].map((value) => ({ label: value, value })),
  validation: { scoring_type: 'exactMatch', valid_response: { score: 1, value: [key] } },
});

export const sharedQuestions = () =>
  Array.from({ length: QUESTIONS }, (_, index) => ({
    reference: questionReference(index),
    type: 'mcq',
    data: choice(`Which one is right? (${index})`, keyOf(index)),
  }));

export const sharedItems = () =>
  ITEMS.map((reference) => ({
    reference,
    status: 'published',
    definition: {
      widgets: Array.from({ length: QUESTIONS }, (_, index) => index)
        .filter((index) => itemOf(index) === reference)
        .map((index) => ({ reference: questionReference(index) })),
    },
  }));

/** Adds an idempotency key, so that a repeated request has no second effect. */
export const withIdempotencyKey = (request: object): object => ({
  ...request,
  meta: { user: AUTHOR, idempotency_key: randomUUID() },
});

/** Removes and returns the first entry that suits, among the oldest 50. */
export function takeFirst<T>(free: Set<T>, suits: (each: T) => boolean = () => true): T | undefined {
  const found = oldest(free).find(suits);
  if (found !== undefined) free.delete(found);
  return found;
}

/** Returns the 50 oldest entries. */
export function oldest<T>(free: ReadonlySet<T>): T[] {
  const first: T[] = [];
  for (const each of free) {
    if (first.length === 50) break;
    first.push(each);
  }
  return first;
}
