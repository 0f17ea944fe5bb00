/** Stores the ids of sessions that an erasure has removed, until it has removed them everywhere else. */
export abstract class LearnerStore {
  /** Records the learner's sessions that are being erased. Call it in the unit of work that removes them. */
  abstract note(organisation: number, user: string, sessionIds: readonly string[], now: number): Promise<void>;

  /** The number of recorded sessions of the learner, and the time of the first record; null for none. */
  abstract noted(organisation: number, user: string): Promise<{ sessions: number; since: number } | null>;

  /** The ids that are recorded for the learner. */
  abstract own(organisation: number, user: string, sessionIds: readonly string[]): Promise<Set<string>>;

  /** The recorded sessions of the learner whose ids occur in a text. */
  abstract namedIn(organisation: number, user: string, text: string): Promise<Set<string>>;

  /** Deletes the learner's records. */
  abstract settle(organisation: number, user: string): Promise<void>;

  /** The hashes whose learners are being erased. */
  abstract amongErased(organisation: number, learners: readonly string[]): Promise<Set<string>>;
}
