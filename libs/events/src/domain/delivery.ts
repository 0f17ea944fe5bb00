import { type Event } from './event';

/**
 * `refused`: the receiver answered, and did not take the event. `unreachable`: it did not answer, or asked to be left
 * alone for a while.
 */
export const OUTCOMES = ['delivered', 'refused', 'unreachable'] as const;
export type Outcome = (typeof OUTCOMES)[number];

/** What came of one attempt to deliver an event. */
export interface Answer {
  outcome: Outcome;
  /** Of a webhook, if it answered at all. */
  httpStatus: number | null;
  /** Why not, in a few words without anything of the event; null when delivered. */
  error: string | null;
}

/** `waiting`: for its next attempt, or for another of its key. `dead`: given up. */
export type DeliveryStatus = 'waiting' | 'dead';

/** A delivery that did not succeed at once. */
export interface OpenDelivery {
  number: number;
  event: string;
  key: string;
  status: DeliveryStatus;
  /** Attempts that failed. */
  attempts: number;
  failedSince: number | null;
  /** Null: behind another one of its key, or dead. */
  dueAt: number | null;
}

/** One attempt, as the log shows it. */
export interface Attempt {
  number: number;
  event: string;
  /** From 1. */
  attempt: number;
  answer: Answer;
  durationMs: number;
  attemptedAt: number;
}

/** A delivery whose time for another attempt has come; without its event when that has been removed. */
export interface DueDelivery extends OpenDelivery {
  content: Event | undefined;
}

/** Errors of the log are cut to so many characters. */
export const ERROR_LENGTH = 255;
