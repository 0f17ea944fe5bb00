/** Which answer: a key belongs to one consumer in one organisation. Compared byte for byte. */
export interface AnswerName {
  organisation: number;
  consumer: string;
  key: string;
}

export interface KeptAnswer {
  /** Hash of the request that was answered. */
  requestHash: string;
  answer: string;
}

/** What calls with an idempotency key were answered. */
export abstract class AnswerStore {
  /**
   * What was kept under the name later than `since`; if there is nothing, the name is taken for the request with the
   * hash. Whoever else claims the name meanwhile waits until the unit of work ends, and finds the answer, or the name
   * free when there is none. Call inside a unit of work, before other locks.
   */
  abstract claim(name: AnswerName, requestHash: string, now: number, since: number): Promise<KeptAnswer | undefined>;

  /** Keeps the answer under a name that the same unit of work claimed. */
  abstract keep(name: AnswerName, answer: string): Promise<void>;

  /**
   * Removes answers that were kept at `until` or before, of each organisation about `most`, the oldest first. Returns how
   * many went: none when none is left.
   */
  abstract sweep(until: number, most: number): Promise<number>;

  /** What is kept of an organisation, in the order of its names, behind one of them, at most `most`. */
  abstract kept(organisation: number, most: number, after?: AnswerName): Promise<(AnswerName & { answer: string })[]>;

  /** Puts another answer in the place of this one, unless that was done already; says whether it did. */
  abstract replace(name: AnswerName, answer: string, by: string): Promise<boolean>;

  /** Forgets what is kept under a name, which is free from then on. */
  abstract remove(name: AnswerName): Promise<void>;
}
