import { type Event } from './event';

/**
 * `refused`: the receiver answered, but did not accept the event. `unreachable`: it did not answer, or asked to be called
 * later.
 */
export type Outcome = 'delivered' | 'refused' | 'unreachable';

/** The result of one attempt to deliver an event. */
export interface Answer {
  outcome: Outcome;
  /** The HTTP status of a webhook's answer, if there was one. */
  httpStatus: number | null;
  /** A short reason without any content of the event; null when delivered. */
  error: string | null;
}

/**
 * `waiting`: the delivery waits for its next attempt, or for another event of its key. `dead`: no more attempts follow.
 */
export type DeliveryStatus = 'waiting' | 'dead';

/** A delivery whose first attempt failed. */
export interface OpenDelivery {
  number: number;
  event: string;
  key: string;
  status: DeliveryStatus;
  /** The number of failed attempts. */
  attempts: number;
  failedSince: number | null;
  /** Null when it is dead, or waits for another event of its key. */
  dueAt: number | null;
}

/** One attempt in the log. */
export interface Attempt {
  number: number;
  event: string;
  /** From 1. */
  attempt: number;
  answer: Answer;
  durationMs: number;
  attemptedAt: number;
}

/** A delivery that is due again. `content` is undefined when the event was removed. */
export interface DueDelivery extends OpenDelivery {
  content: Event | undefined;
}

/** Errors in the log are cut to this many characters. */
export const ERROR_LENGTH = 255;
