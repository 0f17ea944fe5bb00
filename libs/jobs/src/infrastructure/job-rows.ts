import { type FaultKind, type JsonText, timeOf } from '#kernel';
import { LEASE_MS } from '../application/intervals';
import { type DueJob } from '../application/ports/job-store';
import { type Holder, type Job, type JobError, type JobStatus, type Lane } from '../domain/job';

/**
 * The columns for the serial key of a job, and for that of a running job. They keep their old names, because processes
 * of earlier releases use them during an upgrade.
 */
export const SERIAL_KEY = 'line';
export const HELD_KEY = 'held_line';

export interface JobRow {
  organisation_id: number;
  id: string;
  type: string;
  subject: string | null;
  status: JobStatus;
  done: number;
  total: number | null;
  attempts: number;
  results: JsonText | null;
  error_kind: FaultKind | null;
  error_message: string | null;
  completed_at: number | null;
  worker: string | null;
  lease_until: number | null;
}

/** The columns of a {@link JobRow}. */
export const COLUMNS = `organisation_id, id, type, subject, status, done, total, attempts, results, error_kind, error_message, completed_at, worker, lease_until`;

export function jobOf(row: JobRow): Job {
  return {
    organisation: row.organisation_id,
    id: row.id,
    type: row.type,
    subject: row.subject,
    status: row.status,
    createdAt: timeOf(row.id),
    completedAt: row.completed_at,
    progress: { done: row.done, total: row.total },
    results: row.results,
    error: row.error_message === null ? null : { kind: row.error_kind, message: row.error_message },
    attempts: row.attempts,
    holder: row.status === 'running' ? holderOf(row) : null,
  };
}

/** Reads the holder from the columns of a claim. The previous version wrote a second word after the worker's name. */
export function holderOf({ worker, lease_until: until }: Pick<JobRow, 'worker' | 'lease_until'>): Holder | null {
  return worker === null || until === null ? null : { worker: worker.split(' ', 1)[0]!, since: until - LEASE_MS };
}

export function errorColumns({ kind, message }: JobError): { error_kind: string | null; error_message: string } {
  return { error_kind: kind, error_message: message };
}

/** `available_at` of jobs without a pause. A real time would delay them on workers whose clocks are behind. */
export const NO_PAUSE = 0;

export interface DueRow {
  organisation_id: number;
  id: string;
  lane: Lane;
  token: number;
}

export function dueOf({ organisation_id: organisation, id, lane, token }: DueRow): DueJob {
  return { organisation, id, lane, token };
}
