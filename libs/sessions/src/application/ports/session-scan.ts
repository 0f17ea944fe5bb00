import { type Json } from '#kernel';
import { type SessionTag } from '../../domain/session';

/** Which sessions; each kind is found by an index of its own. `anonymous`: of those whose learners were erased. */
export type Selection =
  /** Taken with the activity of this reference. */
  | { template: string; anonymous?: true }
  /** Of this activity_id, and not taken with an activity of the same reference. */
  | { activity: string; anonymous?: true }
  /** Taken with this form. */
  | { form: string; anonymous?: true }
  /** With this tag, whatever its case. */
  | { tag: SessionTag };

/** A session with what was answered, in the order of its form. */
export interface AnsweredSession {
  id: string;
  formId: string;
  responses: {
    item: string;
    question: string;
    type: string;
    score: number | null;
    maxScore: number;
    attempted: boolean;
    /** The answer; null without one. */
    value: Json;
  }[];
}

/** A session with what it came to. */
export interface SessionOutcome {
  id: string;
  /** Empty where it is not known any more. */
  activityId: string;
  /** Milliseconds from start to completion; null when it does not tell both. */
  duration: number | null;
  score: number;
  maxScore: number;
  numQuestions: number;
  numAttempted: number;
  /** Null where they are not known any more. */
  tags: SessionTag[] | null;
}

/** Completed sessions, however many: slice by slice, in the order in which they were first stored. */
export abstract class SessionScan {
  /** At most `limit`, behind the session with the id `after`. */
  abstract answered(organisation: number, of: Selection, limit: number, after?: string): Promise<AnsweredSession[]>;

  abstract outcomes(organisation: number, of: Selection, limit: number, after?: string): Promise<SessionOutcome[]>;

  /** Whether there are any. */
  abstract any(organisation: number, of: Selection): Promise<boolean>;
}
