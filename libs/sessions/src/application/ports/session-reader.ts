import { type JsonText } from '#kernel';
import { type SessionResponse, type FilteredStatus } from '../../domain/session';
import { type SessionFacts } from '../../domain/wire';

/** Milliseconds since 1970, both ends included. */
export interface Period {
  from?: number;
  to?: number;
}

/** A filter of sessions; all conditions must hold. Absent: any; an empty list: none. Texts compare byte for byte. */
export interface SessionFilter {
  sessionIds?: readonly string[];
  userIds?: readonly string[];
  activityIds?: readonly string[];
  /**
   * Only sessions that show one of these items of the organisation's bank, by the references at the time of the
   * session.
   */
  itemReferences?: readonly string[];
  statuses?: readonly FilteredStatus[];
  updated?: Period;
  started?: Period;
  /** Excludes sessions that are not completed. */
  completed?: Period;
  /** Only sessions with an adaptive report. */
  isAdaptive?: true;
}

/** A part of a session that is stored as the JSON text of reads. */
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

/** The parts of each session to read. */
export interface Wanted {
  texts?: readonly SessionText[];
  /** The parsed responses with their marks. */
  responses?: true;
}

/** A session in its state at the time of the read. */
export interface SessionRecord extends SessionFacts {
  /** The requested parts; null for parts that the session does not have. */
  texts: { [text in SessionText]?: JsonText | null };
  /** Present when requested. */
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
   * At most `limit` sessions in the order of their creation.
   * @param sort.after the id before the first session.
   * @param sort.until only sessions whose last change is not later.
   */
  abstract inOrder(
    organisation: number,
    filter: SessionFilter,
    sort: { direction: 'asc' | 'desc'; after?: string; until?: number },
    limit: number,
    wanted: Wanted,
  ): Promise<SessionRecord[]>;

  /** At most `limit` states after this one, ordered by the time of the change and by id. */
  abstract changedAfter(
    organisation: number,
    filter: SessionFilter,
    after: SessionState,
    limit: number,
  ): Promise<SessionState[]>;

  /** The sessions with these internal ids that match the filter, in any order. */
  abstract byIds(
    organisation: number,
    filter: SessionFilter,
    ids: readonly string[],
    wanted: Wanted,
  ): Promise<SessionRecord[]>;

  /** The number of completed sessions of each form, for the forms of the latest sessions. At most `limit` forms. */
  abstract completedByForm(organisation: number, limit: number): Promise<Map<string, number>>;
}
