import { type JsonText } from '#kernel';

export const EVENT_KINDS = ['session-status', 'session-scores', 'session-lifecycle', 'learner-erased'] as const;
export type EventKind = (typeof EVENT_KINDS)[number];

/** The maximum length of a key: that of a session id. */
export const MAX_KEY_LENGTH = 255;

/** An event to record. */
export interface NewEvent {
  kind: EventKind;
  /** Events of one key are delivered in the order in which they were recorded. Usually the session id. */
  key: string;
  payload: JsonText;
}

/** A numbered event in the stream of its organisation. */
export interface Event extends NewEvent {
  /** A ULID: the same in every delivery. */
  id: string;
  /** From 1, without gaps in an organisation, rising within a key. */
  number: number;
  /** Milliseconds since 1970. */
  recordedAt: number;
}
