import { type FaultKind, type JsonText } from '#kernel';

export const JOB_STATUSES = ['queued', 'running', 'completed', 'halted'] as const;
export type JobStatus = (typeof JOB_STATUSES)[number];

/** The actions of callers on a job. */
export const JOB_ACTIONS = ['cancel', 'retry'] as const;
export type JobAction = (typeof JOB_ACTIONS)[number];

/** Each lane has its own queue, so that short jobs do not wait behind bulk ones. */
export const LANES = ['short', 'bulk'] as const;
export type Lane = (typeof LANES)[number];

export const MAX_SERIAL_KEY_LENGTH = 64;

/**
 * A job that waits for a running one of its serial key is enqueued again after this delay, in case the end of the
 * running job does not enqueue it.
 */
export const SERIAL_KEY_RETRY_MS = 1_500;

/** Identifies a job. Queues carry nothing else. */
export interface JobReference {
  organisation: number;
  /** A ULID, which contains the time of creation. */
  id: string;
}

/** The progress of a job. */
export interface Progress {
  done: number;
  /** Null while the total is unknown. */
  total: number | null;
}

/** The reason why a job ended before its work was done. */
export interface JobError {
  /** Null for an unexpected error, which only the log describes. */
  kind: FaultKind | null;
  message: string;
}

/** The worker that has claimed a job. */
export interface Holder {
  /** The worker's name in its log. */
  worker: string;
  /** When the worker claimed the job. */
  since: number;
}

export interface Job extends JobReference {
  type: string;
  /** The reference of the record that the job makes or changes, such as a pool; null for none. */
  subject: string | null;
  status: JobStatus;
  /** Milliseconds since 1970. */
  createdAt: number;
  completedAt: number | null;
  progress: Progress;
  /** JSON; null while there are none. */
  results: JsonText | null;
  error: JobError | null;
  /** Attempts that ended without progress. */
  attempts: number;
  /** Null unless the job runs. When a worker dies, its claim stays until another worker takes the job. */
  holder: Holder | null;
}

/** How many attempts may fail in a row without progress before the job halts (decision 24). */
export const MAX_ATTEMPTS = 5;

const FIRST_PAUSE_MS = 1_000;
const MAX_RETRY_DELAY_MS = 5 * 60_000;

/** The pause before the next attempt: exponential, with up to a fifth of jitter. */
export function pauseAfter(attempts: number, random: number): number {
  const pause = Math.min(FIRST_PAUSE_MS * 4 ** (attempts - 1), MAX_RETRY_DELAY_MS);
  return Math.round(pause * (0.9 + random * 0.2));
}
