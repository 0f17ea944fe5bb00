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

/** A job as it is asked for. */
export interface NewJob extends JobReference {
  type: string;
  lane: Lane;
  /** Jobs of an organisation in one line run one after another. Absent: by itself. At most 64 characters. */
  serialKey?: string;
  /** What the job is to do: JSON that its handler reads. */
  input: JsonText;
  /** For whom it acts. */
  scope: Pick<Scope, 'author' | 'operation' | 'request'>;
  /** The span that it follows from: `traceparent` of W3C Trace Context. At most 64 characters. */
  trace?: string;
}

export interface JobQuery {
  organisations: readonly number[];
  references?: readonly string[];
  status?: readonly JobStatus[];
  /** Bounds of the time of creation. Milliseconds, both inclusive. */
  from?: number;
  to?: number;
  limit: number;
  after?: Position;
}

/** A job in the hands of one worker. Whatever it writes is refused once another claim was made. */
export interface Claim extends JobReference {
  createdAt: number;
  type: string;
  serialKey?: string;
  input: JsonText;
  author: JsonText | null;
  operation: string;
  request?: string;
  trace?: string;
  /** The fencing token: rises with every claim of the job. */
  token: number;
  /** What the last checkpoint left; null before the first. */
  state: JsonText | null;
  progress: Progress;
  /** Attempts without progress, this one included. */
  attempts: number;
  /** Who had the job before, and let the lease run out. */
  takenFrom?: Holder;
}

/** How a claim ends. */
export type Outcome =
  | { status: 'completed'; results: JsonText | null; files?: readonly JobFile[] }
  | { status: 'halted'; error: JobError }
  /** To be tried again, not before `availableAt`; absent: at once, whatever the clock of the next worker says. */
  | { status: 'queued'; availableAt?: number; attempts: number };

/** Where a job stands. */
export interface Place {
  organisation: number;
  /** Absent: by itself. */
  serialKey?: string;
}

/** A job that should be in a queue, and its lane. */
export interface Due extends JobReference {
  lane: Lane;
  /** The token of its last claim; 0 before the first. */
  token: number;
}

/** Jobs. The row is the job; queues carry its reference. */
export abstract class JobStore {
  /**
   * Writes jobs that wait. Call inside the unit of work of what they follow from.
   * @param dueAt from then on the jobs are due, if nobody has taken them.
   */
  abstract add(jobs: readonly NewJob[], dueAt: number): Promise<void>;

  /** Of each of these lines in which a job waits or runs, the id of the last one. Call inside a unit of work. */
  abstract lastOfSerialKeys(organisation: number, lines: readonly string[]): Promise<Map<string, string>>;

  /** Newest first. `after` is set exactly when another slice exists. */
  abstract find(query: JobQuery): Promise<Slice<Job>>;

  /**
   * Takes a job that waits and whose time has come, or whose worker has let its lease run out, and counts the attempt.
   * Of several that try at once, one gets it. Undefined for any other job, and for one whose line has another that
   * runs, or an older one that waits: for its turn, or for its next attempt.
   */
  abstract claim(job: JobReference, worker: string, now: number, leaseUntil: number): Promise<Claim | undefined>;

  /** A sign of life: keeps the claim for longer; false when it is no longer held. Waits for no batch of the job. */
  abstract extend(claim: Claim, leaseUntil: number): Promise<boolean>;

  /**
   * The last statement of a batch, in the same unit of work as its effects: stores how far the job has come and counts
   * its attempts anew. False when the claim is no longer held: the batch must then be undone.
   */
  abstract checkpoint(claim: Claim, state: JsonText, progress: Progress): Promise<boolean>;

  /** Stores how far the job has come, and nothing else; false when the claim is no longer held. */
  abstract report(claim: Claim, progress: Progress): Promise<boolean>;

  /** Ends the claim; false when it was no longer held, and then nothing changes. */
  abstract end(claim: Claim, outcome: Outcome, now: number): Promise<boolean>;

  /** Halts a job that waits or runs, and gives where it stood; undefined for one that has ended, or does not exist. */
  abstract cancel(job: JobReference, error: JobError, now: number): Promise<Place | undefined>;

  /** Lets a halted job wait again, with what its checkpoints have left; undefined for any other job. */
  abstract retry(job: JobReference, dueAt: number): Promise<Due | undefined>;

  /**
   * The first that waits in a line, and waits for nothing else: somebody is to be told of it now, and again at `dueAt`
   * if nobody has taken it. Undefined for jobs by themselves.
   */
  abstract nextOfSerialKey(place: Place, now: number, dueAt: number): Promise<Due | undefined>;

  /**
   * Jobs of all organisations that somebody should be told of, oldest first: they wait and became due before or at
   * `now`, or their worker has let its lease run out.
   */
  abstract due(now: number, limit: number): Promise<Due[]>;

  /** The jobs are not due before `until`, but for those that somebody has taken since `now`. */
  abstract postpone(jobs: readonly JobReference[], now: number, until: number): Promise<void>;

  /** How many jobs of the organisation wait in the lane, counted up to `most`. */
  abstract waiting(organisation: number, lane: Lane, most: number): Promise<number>;

  /** How many jobs of all organisations wait in each lane, and when the oldest of them was asked for. Lanes without any are absent. */
  abstract queues(): Promise<Map<Lane, { jobs: number; oldest: number }>>;

  /** Removes jobs that ended before a time, at most `limit`; returns how many. */
  abstract removeEnded(before: number, limit: number): Promise<number>;
}
