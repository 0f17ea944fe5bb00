import { type JsonText, type Position, type Scope, type Slice } from '#kernel';
import { type JobFile } from '../../domain/job-file';
import {
  type Holder,
  type Job,
  type JobError,
  type JobReference,
  type JobStatus,
  type Lane,
  type Progress,
} from '../../domain/job';

/** A job to store. */
export interface NewJob extends JobReference {
  type: string;
  lane: Lane;
  /** Jobs of an organisation with the same serial key run one after another. Absent: independent. At most 64 characters. */
  serialKey?: string;
  /** The reference of the record that the job makes or changes. Absent: there is none. */
  subject?: string;
  /** JSON that the job's handler reads. */
  input: JsonText;
  /** The scope for which the job acts. */
  scope: Pick<Scope, 'author' | 'operation' | 'request'>;
  /** The span that started the job: `traceparent` of W3C Trace Context. At most 64 characters. */
  trace?: string;
}

export interface JobQuery {
  organisations: readonly number[];
  references?: readonly string[];
  /** Any of these; an empty list matches none. */
  types?: readonly string[];
  status?: readonly JobStatus[];
  /** Bounds of the time of creation. Milliseconds, both inclusive. */
  from?: number;
  to?: number;
  limit: number;
  after?: Position;
}

/** A job that one worker has claimed. Its writes are refused once another worker has claimed the job. */
export interface Claim extends JobReference {
  createdAt: number;
  type: string;
  serialKey?: string;
  input: JsonText;
  author: JsonText | null;
  operation: string;
  request?: string;
  trace?: string;
  /** The fencing token: rises with every claim of the job, and when the job becomes the next of its serial key. */
  token: number;
  /** The state that the last checkpoint stored; null before the first. */
  state: JsonText | null;
  progress: Progress;
  /** Attempts without progress, this one included. */
  attempts: number;
  /** The previous holder, whose lease expired. */
  takenFrom?: Holder;
}

/** The outcome with which a claim ends. */
export type Outcome =
  | { status: 'completed'; results: JsonText | null; files?: readonly JobFile[] }
  | { status: 'halted'; error: JobError }
  /** Retried at `availableAt` or later. Absent: at once, even for a worker whose clock is behind. */
  | { status: 'queued'; availableAt?: number; attempts: number };

/** The organisation and the serial key of a job, which determine the next job. */
export interface SerialGroup {
  organisation: number;
  /** Absent: the job is independent. */
  serialKey?: string;
}

/** A job that should be in the queue. */
export interface DueJob extends JobReference {
  lane: Lane;
  /** See {@link Claim.token}; 0 at first. */
  token: number;
}

/** Stores jobs. The row is the job; queues carry its reference. */
export abstract class JobStore {
  /**
   * Writes jobs that wait. Call in the unit of work that they belong to.
   * @param dueAt when the sweep enqueues the jobs, if no worker has claimed them.
   */
  abstract add(jobs: readonly NewJob[], dueAt: number): Promise<void>;

  /** The id of the last waiting or running job of each of these serial keys. Call inside a unit of work. */
  abstract lastOfSerialKeys(organisation: number, keys: readonly string[]): Promise<Map<string, string>>;

  /** The input of each waiting or running job of a serial key, in the order in which they run. */
  abstract openInputs(organisation: number, serialKey: string): Promise<JsonText[]>;

  /** Newest first. `after` is set exactly when another slice exists. */
  abstract find(query: JobQuery): Promise<Slice<Job>>;

  /**
   * Claims a job that waits and is available, or whose lease has expired, and counts the attempt. Only one of several
   * concurrent calls succeeds. Undefined for any other job. Also undefined while another job of the serial key runs,
   * or an older one waits, even if only for its next attempt.
   */
  abstract claim(job: JobReference, worker: string, now: number, leaseUntil: number): Promise<Claim | undefined>;

  /** Extends the claim (heartbeat); false when it is no longer held. Does not wait for a batch of the job. */
  abstract extend(claim: Claim, leaseUntil: number): Promise<boolean>;

  /**
   * Stores the state and progress, and resets the count of attempts. Call as the last statement of a batch, in the unit of work
   * of its effects. False when the claim is no longer held: the batch must then be rolled back.
   */
  abstract checkpoint(claim: Claim, state: JsonText, progress: Progress): Promise<boolean>;

  /** Stores progress only; false when the claim is no longer held. */
  abstract report(claim: Claim, progress: Progress): Promise<boolean>;

  /** Ends the claim; false when it was no longer held, and nothing changed. */
  abstract end(claim: Claim, outcome: Outcome, now: number): Promise<boolean>;

  /** Halts a job that waits or runs, and returns its group; undefined for a job that has ended or does not exist. */
  abstract cancel(job: JobReference, error: JobError, now: number): Promise<SerialGroup | undefined>;

  /** Lets a halted job wait again, with the state of its last checkpoint; undefined for any other job. */
  abstract retry(job: JobReference, dueAt: number): Promise<DueJob | undefined>;

  /**
   * The first waiting job of a serial key, if it is available. Raises its token, because the queue may still hold the
   * message of a refused claim. The caller enqueues the job now. The sweep enqueues it again at `dueAt` if no worker
   * has claimed it. Undefined for independent jobs.
   */
  abstract nextOfSerialKey(group: SerialGroup, now: number, dueAt: number): Promise<DueJob | undefined>;

  /**
   * Jobs of all organisations to enqueue, oldest first: waiting jobs that are due at `now`, and jobs whose lease has expired.
   */
  abstract due(now: number, limit: number): Promise<DueJob[]>;

  /** Makes the jobs due at `until`, except those that a worker has claimed since `now`. */
  abstract postpone(jobs: readonly JobReference[], now: number, until: number): Promise<void>;

  /** How many jobs of the organisation wait in the lane, counted up to `limit`. */
  abstract waiting(organisation: number, lane: Lane, limit: number): Promise<number>;

  /** For each lane with waiting jobs of any organisation: how many wait, and when the oldest was created. */
  abstract queues(): Promise<Map<Lane, { jobs: number; oldest: number }>>;

  /** Removes jobs that ended before a time, at most `limit`; returns how many. */
  abstract removeEnded(before: number, limit: number): Promise<number>;
}
