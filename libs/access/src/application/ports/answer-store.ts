/** The name of an answer. A key belongs to one consumer in one organisation. Compared byte for byte. */
export interface AnswerName {
  organisation: number;
  consumer: string;
  key: string;
}

export interface KeptAnswer {
  /** Hash of the answered request. */
  requestHash: string;
  answer: string;
}

/** Stored answers of calls with an idempotency key. */
export abstract class AnswerStore {
  /**
   * Returns the answer that was stored under the name after `since`. If there is none, reserves the name for the
   * request with this hash. Other claims of the name wait until the unit of work ends; they find the answer, or a free
   * name. Call it inside a unit of work, before other locks.
   */
  abstract claim(name: AnswerName, requestHash: string, now: number, since: number): Promise<KeptAnswer | undefined>;

  /** Stores the answer under a name that the same unit of work claimed. */
  abstract keep(name: AnswerName, answer: string): Promise<void>;

  /**
   * Removes answers stored at or before `until`, oldest first, about `limit` per organisation. Returns the number
   * removed: zero when none are left.
   */
  abstract sweep(until: number, limit: number): Promise<number>;

  /** At most `limit` stored answers of an organisation, sorted by name, after the name `after`. */
  abstract kept(organisation: number, limit: number, after?: AnswerName): Promise<(AnswerName & { answer: string })[]>;

  /** Replaces this answer with another one, and returns whether it was still stored. */
  abstract replace(name: AnswerName, answer: string, by: string): Promise<boolean>;

  /** Removes the answer under a name. The name is then free. */
  abstract remove(name: AnswerName): Promise<void>;
}
