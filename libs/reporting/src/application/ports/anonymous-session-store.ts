import { type AnsweredSession, type Selection, type SessionOutcome } from '#sessions';
import { type AnonymousSession } from '../../domain/anonymous-session';

/** Selects sessions of erased learners. They have no tags. */
export type AnonymousSelection = Exclude<Selection, { tag: unknown }> & { anonymous: true };

/** Stores completed sessions of erased learners, and scans them in slices like `SessionScan`. */
export abstract class AnonymousSessionStore {
  /** Stores anonymous sessions. */
  abstract keep(organisation: number, sessions: readonly AnonymousSession[]): Promise<void>;

  /** Whether an anonymous session has this activity_id. */
  abstract hasActivity(organisation: number, activityId: string): Promise<boolean>;

  /** The answered sessions, at most `limit`, after the session with the id `after`. */
  abstract answered(
    organisation: number,
    of: AnonymousSelection,
    limit: number,
    after?: string,
  ): Promise<AnsweredSession[]>;

  abstract outcomes(
    organisation: number,
    of: AnonymousSelection,
    limit: number,
    after?: string,
  ): Promise<SessionOutcome[]>;

  /** Whether the selection has sessions. */
  abstract any(organisation: number, of: AnonymousSelection): Promise<boolean>;
}
