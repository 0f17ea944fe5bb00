import { type JsonText } from '#kernel';
import { type SessionResponse, type SessionStatus } from '../../domain/session';
import { type SessionFacts } from '../../domain/wire';

/** Milliseconds since 1970, both ends included. */
export interface Period {
  from?: number;
  to?: number;
}

/** Which sessions: all conditions must hold. Absent: any; an empty list: none. Texts compare byte for byte. */
export interface SessionFilter {
  sessionIds?: readonly string[];
  userIds?: readonly string[];
  activityIds?: readonly string[];
  /** They show one of these items of the organisation's bank, each by the reference that it had when they were taken. */
  itemReferences?: readonly string[];
  statuses?: readonly SessionStatus[];
  updated?: Period;
  started?: Period;
  /** A session that is not completed is in no such period. */
  completed?: Period;
  /** Only those that have an adaptive report. */
  isAdaptive?: true;
}

/** A part of a session that is passed on as the text that reads show. */
export const SESSION_TEXTS = [
  'responses',
  'items',
  'subscores',
  'metadata',
  'tags',
  'adaptive',
  'customState',
] as const;
export type SessionText = (typeof SESSION_TEXTS)[number];

/** The parts of each session to read; all other parts are left alone. */
export interface Wanted {
  texts?: readonly SessionText[];
  /** The responses with how each got its score, parsed. */
  responses?: true;
}

/** A session in its state when it was read. */
export interface SessionRecord extends SessionFacts {
  /** Those that were asked for. Null where the session has none. */
  texts: { [text in SessionText]?: JsonText | null };
  /** Where they were asked for. */
  responses?: SessionResponse[];
}

/** A state of a session: its id, and the time of its last change. */
export interface SessionState {
  id: string;
  updatedAt: number;
}

/** Reads sessions. */
export abstract class SessionReader {
  /**
   * Sessions in the order of their creation, at most `limit`.
   * @param sort.after the id of the one before the first.
   * @param sort.until only those that last changed at this moment or before.
   */
  abstract inOrder(
    organisation: number,
    filter: SessionFilter,
    sort: { direction: 'asc' | 'desc'; after?: string; until?: number },
    limit: number,
    wanted: Wanted,
  ): Promise<SessionRecord[]>;

  /** The states after this one, in the order of their change and then of id, at most `limit`. */
  abstract changedAfter(
    organisation: number,
    filter: SessionFilter,
    after: SessionState,
    limit: number,
  ): Promise<SessionState[]>;

  /** Those of the sessions, by our ids, that the filter lets through. In no order. */
  abstract byIds(
    organisation: number,
    filter: SessionFilter,
    ids: readonly string[],
    wanted: Wanted,
  ): Promise<SessionRecord[]>;
}
