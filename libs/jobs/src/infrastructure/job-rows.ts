import { type FaultKind, timeOf } from '#kernel';
import { LEASE_MS } from '../application/intervals';
import { type Holder, type Job, type JobError } from '../domain/job';

/**
 * The columns for the serial key of a job, and for that of a running job. They keep their old names, because processes
 * of earlier releases use them during an upgrade.
 */
export const SERIAL_KEY = 'line';
export const HELD_KEY = 'held_line';

interface ClaimColumns {
  worker: string | null;
  lease_until: number | null;
}

export type JobRow = Omit<Job, 'createdAt' | 'progress' | 'error' | 'holder'> &
  ClaimColumns & { done: number; total: number | null; error_kind: FaultKind | null; error_message: string | null };

/** The columns of a {@link JobRow}. */
export const COLUMNS = `organisation_id AS organisation, id, type, subject, status, done, total, attempts, results, error_kind,
  error_message, completed_at AS completedAt, worker, lease_until`;

export function jobOf({ done, total, error_kind, error_message, worker, lease_until, ...row }: JobRow): Job {
  return {
    ...row,
    createdAt: timeOf(row.id),
    progress: { done, total },
    error: error_message === null ? null : { kind: error_kind, message: error_message },
    holder: row.status === 'running' ? holderOf({ worker, lease_until }) : null,
  };
}

/** Reads the holder from the columns of a claim. The previous version wrote a second word after the worker's name. */
export function holderOf({ worker, lease_until: until }: ClaimColumns): Holder | null {
  return worker === null || until === null ? null : { worker: worker.split(' ', 1)[0]!, since: until - LEASE_MS };
}

export function errorColumns({ kind, message }: JobError): { error_kind: string | null; error_message: string } {
  return { error_kind: kind, error_message: message };
}

/** `available_at` of jobs without a pause. A real time would delay them on workers whose clocks are behind. */
export const NO_PAUSE = 0;

/** The columns of a {@link DueJob}. */
export const DUE = 'organisation_id AS organisation, id, lane, token';
