import { type FaultKind, type JsonText } from '#kernel';

export const JOB_STATUSES = ['queued', 'running', 'completed', 'halted'] as const;
export type JobStatus = (typeof JOB_STATUSES)[number];

/** Short jobs do not wait behind bulk ones: each lane has a queue of its own. */
export const LANES = ['short', 'bulk'] as const;
export type Lane = (typeof LANES)[number];

/** The longest name of a line. */
export const MAX_SERIAL_KEY_LENGTH = 64;

/** The first of a line that waits for one that runs is told of again so soon, should nobody tell it of the end. */
export const HELD_UP_MS = 1_500;

/** Names a job wherever it lies: all that a queue carries. */
export interface JobReference {
  organisation: number;
  /** A ULID: the time of creation is part of it. */
  id: string;
}

/** How far a job has come. */
export interface Progress {
  done: number;
  /** Null as long as it is not known. */
  total: number | null;
}

/** Why a job ended without its work being done. */
export interface JobError {
  /** Null for a bug, of which the log knows more. */
  kind: FaultKind | null;
  message: string;
}

/** A worker that has a job in its hands. */
export interface Holder {
  /** As the worker names itself in its log. */
  worker: string;
  /** When it claimed the job. */
  since: number;
}

export interface Job extends JobReference {
  type: string;
  status: JobStatus;
  /** Milliseconds since 1970. */
  createdAt: number;
  completedAt: number | null;
  progress: Progress;
  /** JSON; null as long as there are none. */
  results: JsonText | null;
  error: JobError | null;
  /** Attempts that ended without progress. */
  attempts: number;
  /** Null unless the job runs. It stays when a worker dies, until another one takes the job. */
  holder: Holder | null;
}

/** Attempts that may fail, one after the other without progress, before the job halts (decision 24). */
export const MAX_ATTEMPTS = 5;

const FIRST_PAUSE_MS = 1_000;
const MAX_RETRY_DELAY_MS = 5 * 60_000;

/** How long a job waits after so many attempts that failed: exponential, with up to a fifth of jitter. */
export function pauseAfter(attempts: number, random: number): number {
  const pause = Math.min(FIRST_PAUSE_MS * 4 ** (attempts - 1), MAX_RETRY_DELAY_MS);
  return Math.round(pause * (0.9 + random * 0.2));
}
