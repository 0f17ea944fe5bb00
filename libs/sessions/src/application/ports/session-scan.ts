import { type Json } from '#kernel';
import { type SessionTag } from '../../domain/session';

/** Selects sessions; each kind has its own index. */
export type Selection =
  /** Sessions of the activity with this reference. */
  | { template: string }
  /** Sessions with this activity_id that do not belong to an activity with the same reference. */
  | { activity: string }
  /** Sessions with this form. */
  | { form: string }
  /** Sessions with this tag, ignoring case. */
  | { tag: SessionTag };

/** A session with its answers, in the order of its form. */
export interface AnsweredSession {
  id: string;
  formId: string;
  responses: AnsweredQuestion[];
}

/** A question of a session, with its response and score. */
export interface AnsweredQuestion {
  item: string;
  question: string;
  type: string;
  /** Points; null before scoring. */
  score: number | null;
  maxScore: number;
  attempted: boolean;
  /** The answer; null without one. */
  value: Json;
}

/** A session with its scores. */
export interface SessionOutcome {
  id: string;
  /** Empty when it is unknown. */
  activityId: string;
  /** Milliseconds from start to completion; null when one of them is missing. */
  duration: number | null;
  score: number;
  maxScore: number;
  numQuestions: number;
  numAttempted: number;
  /** Null when they are unknown. */
  tags: SessionTag[] | null;
}

/** Reads any number of completed sessions in slices, in the order in which they were first stored. */
export abstract class SessionScan {
  /** At most `limit`, after the session with the id `after`. */
  abstract answered(organisation: number, of: Selection, limit: number, after?: string): Promise<AnsweredSession[]>;

  abstract outcomes(organisation: number, of: Selection, limit: number, after?: string): Promise<SessionOutcome[]>;

  /** Whether there are any such sessions. */
  abstract any(organisation: number, of: Selection): Promise<boolean>;
}
