import { type RescoredResponse, type Rules } from '../../domain/rescoring';
import { type SessionShift } from '../../domain/rescoring-summary';

/**
 * The progress of a rescoring:
 * - `planning`: a job computes the plan; `planned`: the plan is complete, and sessions are unchanged;
 * - `applying`: a job changes the sessions; `applied`: all are changed;
 * - `reverting`: a job restores the sessions; `reverted`: all are restored.
 */
export type RescoringStatus = 'planning' | 'planned' | 'applying' | 'applied' | 'reverting' | 'reverted';

/** A rescoring: it scores one item of many sessions again. */
export interface StoredRescoring {
  /** Reference of the job that planned it. */
  id: string;
  status: RescoringStatus;
  /** The job that currently works on it. */
  job: string;
  /** Its name for callers; null during planning. */
  hash: string | null;
  rules: Rules;
  /** The number of its sessions; 0 while a job still looks for them. */
  sessions: number;
}

/**
 * The outcome for a session:
 * - `planned`: will be changed; `applied`: was changed; `reverted`: was restored;
 * - `unchanged`: already has the new scores;
 * - `ignored`: does not contain the item;
 * - `skipped`: is not changed, for the given reason; `kept`: was not restored.
 */
export type RescoringOutcome = 'planned' | 'applied' | 'reverted' | 'unchanged' | 'ignored' | 'skipped' | 'kept';

/**
 * The reason why a session is skipped:
 * - `moved`: its responses, scores or status changed since;
 * - `not-completed`: it is no longer completed; `unknown`: it no longer exists;
 * - `unlike`: its item has other questions.
 */
export type SkipReason = 'moved' | 'not-completed' | 'unknown' | 'unlike';

/** The effect of a rescoring on one of its sessions. */
export interface SessionRescoring {
  /** From 0, in the order of the request. */
  position: number;
  sessionId: string;
  outcome: RescoringOutcome;
  reason: SkipReason | null;
  /** The fingerprint that the session must have in the next step. Absent when the session does not exist. */
  fingerprint: string | null;
  /** Present when the session contains the item. */
  work: RescoringWork | null;
}

export interface RescoringWork extends SessionShift {
  formBefore: string;
  formAfter: string;
  responses: RescoredResponse[];
}

/** The outcome of a rescoring for one session. */
export type SessionOutcome = Pick<SessionRescoring, 'position' | 'sessionId' | 'outcome' | 'reason'> & {
  /** Present when the session contains the item. */
  shift: SessionShift | null;
};

/** The rescorings of an organisation, with their effects on each session. */
export abstract class RescoringStore {
  abstract add(organisation: number, rescoring: StoredRescoring, now: number): Promise<void>;

  abstract find(organisation: number, id: string): Promise<StoredRescoring | undefined>;

  /** The rescoring with this hash, locked until the unit of work ends. */
  abstract lock(organisation: number, hash: string): Promise<StoredRescoring | undefined>;

  /**
   * Changes the status of a rescoring if the job `by` still works on it; returns whether it does.
   * @param to.hash unchanged when absent, like `to.sessions`, the number of sessions.
   */
  abstract move(
    organisation: number,
    id: string,
    by: string,
    to: { status: RescoringStatus; job: string; hash?: string; sessions?: number },
    now: number,
  ): Promise<boolean>;

  /** Stores the effects on sessions, in one statement. */
  abstract put(organisation: number, id: string, sessions: readonly SessionRescoring[]): Promise<void>;

  /** Stores the outcome, reason and fingerprint of known sessions, in one statement. */
  abstract mark(organisation: number, id: string, sessions: readonly Omit<SessionRescoring, 'work'>[]): Promise<void>;

  /** At most `limit` of its sessions in their order, from this position. */
  abstract sessions(organisation: number, id: string, from: number, limit: number): Promise<SessionRescoring[]>;

  /** Like `sessions`, without the members that only changes need. */
  abstract outcomes(organisation: number, id: string, from: number, limit: number): Promise<SessionOutcome[]>;

  /** Removes at most `limit` rows of rescorings that last changed before this time; returns the number. */
  abstract removeOld(organisation: number, before: number, limit: number): Promise<number>;

  /** Organisations with rescorings. */
  abstract organisations(): Promise<number[]>;
}
