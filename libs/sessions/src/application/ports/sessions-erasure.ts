/** The internal and the external id of a learner's session. */
export interface SessionName {
  id: string;
  sessionId: string;
}

/** Numbers of rows that were removed with sessions. */
export interface RemovedRows {
  scoreChanges: number;
  tags: number;
}

/** Sessions with an item, of an activity by its reference or activity_id, or with a tag as `type:name`. */
export type SessionsWith = { item: string } | { activity: string } | { tag: string };

/** The stored sessions of a learner, and the rows that belong to them, for erasure and export. */
export abstract class SessionsErasure {
  /** At most `limit` sessions of the learner in the order of their ids. */
  abstract sessions(organisation: number, user: string, limit: number, after?: string): Promise<SessionName[]>;

  /** The ids that belong to sessions of the learner. */
  abstract own(organisation: number, user: string, sessionIds: readonly string[]): Promise<Set<string>>;

  /** The sessions of the learner whose ids occur in a text. */
  abstract namedIn(organisation: number, user: string, text: string): Promise<Set<string>>;

  /** Whether another learner has sessions with this activity_id. */
  abstract isShared(organisation: number, activityId: string, user: string): Promise<boolean>;

  /** Whether the learner has sessions of this selection. */
  abstract has(organisation: number, user: string, which: SessionsWith): Promise<boolean>;

  /** The start and the last change of each session of the learner. */
  abstract times(organisation: number, user: string): Promise<{ startedAt: number; updatedAt: number }[]>;

  /** Removes sessions with their tags and score changes. Call it in a unit of work that locks them. */
  abstract remove(organisation: number, sessions: readonly SessionName[]): Promise<RemovedRows>;
}
