import { type Session } from '../../domain/session';

/** A recorded change of scores. */
export interface ScoreChange {
  /** The internal id of the session. */
  session: string;
  changedAt: number;
  cause: 'submission' | 'manual' | 'rescoring' | 'completion' | 'revert';
  author: string | null;
  job: string | null;
  formBefore: string | null;
  formAfter: string | null;
  /** `at`: place of the response in the session. */
  changes: { at: number; before: number | null; after: number | null }[];
}

/** Loads and stores whole sessions. */
export abstract class SessionStore {
  /** The existing sessions by session_id, compared byte for byte. */
  abstract read(organisation: number, sessionIds: readonly string[]): Promise<Map<string, Session>>;

  /** Locks the existing sessions until the unit of work ends; returns the time of their last change, by session_id. */
  abstract lock(organisation: number, sessionIds: readonly string[]): Promise<Map<string, number>>;

  /** Stores new and changed sessions with their tags and score changes, in a constant number of statements. */
  abstract save(
    organisation: number,
    sessions: readonly { session: Session; isNew: boolean; tagsChanged: boolean }[],
    changes: readonly ScoreChange[],
  ): Promise<void>;

  /** Stores a session if nobody has changed it since it was read; returns whether it did. */
  abstract replace(
    organisation: number,
    session: Session,
    seen: { updatedAt: number; tagsChanged: boolean },
  ): Promise<boolean>;

  /** The score changes of sessions by internal id, oldest first. */
  abstract changesOf(organisation: number, ids: readonly string[]): Promise<Map<string, ScoreChange[]>>;
}
