import { type RescoredResponse, type Rules } from '../../domain/rescoring';
import { type SessionShift } from '../../domain/rescoring-summary';

/**
 * - `planning`: worked out, and nothing is stored; `planned` once that is done;
 * - `applying`: sessions are being changed; `applied` once that is done;
 * - `reverting`: they are being changed back; `reverted` once that is done.
 */
export type RescoringStatus = 'planning' | 'planned' | 'applying' | 'applied' | 'reverting' | 'reverted';

/** A rescoring: one item of many sessions is scored again. */
export interface KeptRescoring {
  /** Reference of the job that planned it. */
  id: string;
  status: RescoringStatus;
  /** The job that currently works on it. */
  job: string;
  /** Its name for callers; null while it is being planned. */
  hash: string | null;
  rules: Rules;
  /** The number of its sessions. */
  sessions: number;
}

/**
 * What has become of a session:
 * - `planned`: it is to be changed; `applied`: it was; `reverted`: it was changed back;
 * - `unchanged`: it is as it is to be already;
 * - `ignored`: it does not contain the item;
 * - `skipped`: it is not to be changed, or was not, for the reason given; `kept`: it was not changed back.
 */
export type RescoringOutcome = 'planned' | 'applied' | 'reverted' | 'unchanged' | 'ignored' | 'skipped' | 'kept';

/**
 * - `moved`: its responses, scores or status are others than they were;
 * - `not-completed`, `unknown`: so it is, or there is none, by now;
 * - `unlike`: its item has other questions by now.
 */
export type SkipReason = 'moved' | 'not-completed' | 'unknown' | 'unlike';

/** What a rescoring does to one of its sessions. */
export interface SessionRescoring {
  /** From 0, in the order in which the sessions were named. */
  position: number;
  sessionId: string;
  outcome: RescoringOutcome;
  reason: SkipReason | null;
  /** Of the session as the next step must find it. Absent where there is none. */
  fingerprint: string | null;
  /** Absent unless the session contains the item. */
  work: RescoringWork | null;
}

export interface RescoringWork extends SessionShift {
  formBefore: string;
  formAfter: string;
  responses: RescoredResponse[];
}

/** What a rescoring comes to for one of its sessions. */
export type SessionOutcome = Pick<SessionRescoring, 'position' | 'sessionId' | 'outcome' | 'reason'> & {
  /** Absent unless the session contains the item. */
  shift: SessionShift | null;
};

/** Rescorings of an organisation, with what they do to each of their sessions. */
export abstract class RescoringStore {
  abstract add(organisation: number, rescoring: KeptRescoring, now: number): Promise<void>;

  abstract find(organisation: number, id: string): Promise<KeptRescoring | undefined>;

  /** The one with this hash, locked until the unit of work ends. */
  abstract lock(organisation: number, hash: string): Promise<KeptRescoring | undefined>;

  /**
   * Changes where a rescoring stands, provided that it is still in the hands of the job `by`; says whether it was.
   * @param to.hash absent: it stays.
   */
  abstract move(
    organisation: number,
    id: string,
    by: string,
    to: { status: RescoringStatus; job: string; hash?: string },
    now: number,
  ): Promise<boolean>;

  /** Stores what it does to sessions. In one statement. */
  abstract put(organisation: number, id: string, sessions: readonly SessionRescoring[]): Promise<void>;

  /** Stores outcome, reason and fingerprint of sessions that were put before. In one statement. */
  abstract mark(organisation: number, id: string, sessions: readonly Omit<SessionRescoring, 'work'>[]): Promise<void>;

  /** At most `limit` of its sessions, in their order, from this position on. */
  abstract sessions(organisation: number, id: string, from: number, limit: number): Promise<SessionRescoring[]>;

  /** The same, without what only those need who change the sessions. */
  abstract outcomes(organisation: number, id: string, from: number, limit: number): Promise<SessionOutcome[]>;

  /** Removes at most `most` rows of rescorings that last moved before the moment; says how many. */
  abstract removeOld(organisation: number, before: number, most: number): Promise<number>;

  /** Organisations that have any. */
  abstract organisations(): Promise<number[]>;
}
