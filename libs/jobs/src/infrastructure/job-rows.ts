import { type FaultKind, type JsonText, timeOf } from '#kernel';
import { questionMarks, type SqlPart } from '#platform';
import { LEASE_MS } from '../application/pace';
import { type Due } from '../application/ports/job-store';
import { type Holder, type Job, type JobError, type JobReference, type JobStatus, type Lane } from '../domain/job';

export interface JobRow {
  organisation_id: number;
  id: string;
  type: string;
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
export const COLUMNS = `organisation_id, id, type, status, done, total, attempts, results, error_kind, error_message, completed_at, worker, lease_until`;

export function jobOf(row: JobRow): Job {
  return {
    organisation: row.organisation_id,
    id: row.id,
    type: row.type,
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

/** Reads the holder from the columns of a claim. The column `worker` has the worker's name, then the claim's. */
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

export function dueOf({ organisation_id: organisation, id, lane, token }: DueRow): Due {
  return { organisation, id, lane, token };
}

/** Identifies a row within a statement's result. */
export const keyOf = ({ organisation_id, id }: { organisation_id: number; id: string }): string =>
  `${organisation_id} ${id}`;

/**
 * A condition: one of these jobs, with its token where given. Lists organisations and tokens, as there are few of either: a
 * list of whole keys costs the servers more to plan than the rows to read.
 */
export function among(jobs: readonly (JobReference & { token?: number })[]): SqlPart {
  const groups = new Map<string, SqlPart & { ids: string[] }>();
  for (const { organisation, id, token } of jobs) {
    const key = `${organisation} ${token}`;
    const group = groups.get(key) ?? {
      sql: token === undefined ? 'organisation_id = ?' : 'organisation_id = ? AND token = ?',
      parameters: token === undefined ? [organisation] : [organisation, token],
      ids: [],
    };
    groups.set(key, group);
    group.ids.push(id);
  }
  const parts = [...groups.values()];
  return {
    sql: `(${parts.map(({ sql, ids }) => `(${sql} AND id IN (${questionMarks(ids.length)}))`).join(' OR ')})`,
    parameters: parts.flatMap(({ parameters, ids }) => [...parameters, ...ids]),
  };
}
