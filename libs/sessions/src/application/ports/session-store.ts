import { type Session } from '../../domain/session';

/** A recorded change of scores. */
export interface ScoreChange {
  /** Id of the session, ours. */
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
  /** Those of the sessions that exist, by session_id. Compares byte for byte. */
  abstract read(organisation: number, sessionIds: readonly string[]): Promise<Map<string, Session>>;

  /** Inside a unit of work: when each of those that exist last changed, by session_id; locked until it ends. */
  abstract lock(organisation: number, sessionIds: readonly string[]): Promise<Map<string, number>>;

  /** Stores the sessions, new or changed, with their tags and what changed their scores. A handful of statements. */
  abstract save(
    organisation: number,
    sessions: readonly { session: Session; isNew: boolean; tagsChanged: boolean }[],
    changes: readonly ScoreChange[],
  ): Promise<void>;

  /** The changes of the scores of sessions, ours by id, oldest first. */
  abstract changesOf(organisation: number, ids: readonly string[]): Promise<Map<string, ScoreChange[]>>;
}
