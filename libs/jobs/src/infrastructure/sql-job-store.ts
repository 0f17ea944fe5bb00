import { Inject, Injectable } from '@nestjs/common';
import { type Author, type FaultKind, firstIdAt, type JsonText, type Position, type Slice, timeOf } from '#kernel';
import { Database, type Parameter, questionMarks } from '#platform';
import {
  type Claim,
  type Due,
  type JobQuery,
  JobStore,
  type NewJob,
  type Outcome,
} from '../application/ports/job-store';
import {
  type Job,
  type JobError,
  type JobReference,
  type JobStatus,
  type Lane,
  LANES,
  type Progress,
} from '../domain/job';

interface JobRow {
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
}

interface ClaimedRow {
  status: JobStatus;
  available_at: number;
  type: string;
  input: JsonText;
  author: JsonText | null;
  operation: string;
  token: number;
  state: JsonText | null;
  done: number;
  total: number | null;
  attempts: number;
}

const COLUMNS = `organisation_id, id, type, status, done, total, attempts, results, error_kind, error_message, completed_at`;

@Injectable()
export class SqlJobStore extends JobStore {
  constructor(@Inject(Database) private readonly database: Database) {
    super();
  }

  override async add(jobs: readonly NewJob[], now: number, dueAt: number): Promise<void> {
    await this.database.insert(
      'job',
      [
        ...['organisation_id', 'id', 'type', 'lane', 'status', 'input', 'author', 'operation'],
        ...['token', 'done', 'attempts', 'available_at', 'due_at'],
      ],
      jobs.map(({ organisation, id, type, lane, input, scope: { author, operation } }): Parameter[] => [
        ...[organisation, id, type, lane, 'queued', input, author ? JSON.stringify(author) : null, operation],
        ...[0, 0, 0, now, dueAt],
      ]),
    );
  }

  override async find({ organisations, references, status, from, to, limit, after }: JobQuery): Promise<Slice<Job>> {
    if (organisations.length === 0) return { entries: [] };
    const conditions: string[] = [`organisation_id IN (${questionMarks(organisations.length)})`];
    const parameters: Parameter[] = [...organisations];
    const isIn = (column: string, values: readonly string[]) => {
      conditions.push(values.length > 0 ? `${column} IN (${questionMarks(values.length)})` : '1 = 0');
      parameters.push(...values);
    };
    if (references) isIn('id', [...new Set(references)]);
    if (status) isIn('status', status);
    const bound = (condition: string, ...values: Parameter[]) => {
      conditions.push(condition);
      parameters.push(...values);
    };
    if (from !== undefined) bound('id >= ?', firstIdAt(from));
    if (to !== undefined) bound('id < ?', firstIdAt(to + 1));
    if (after) bound('(id < ? OR (id = ? AND organisation_id < ?))', after[0]!, after[0]!, after[1]!);
    const rows = await this.database.rows<JobRow>(
      `SELECT ${COLUMNS} FROM job WHERE ${conditions.join(' AND ')}
       ORDER BY id DESC, organisation_id DESC LIMIT ${limit + 1}`,
      parameters,
    );
    const shown = rows.slice(0, limit);
    const last = shown.at(-1);
    const position: Position | undefined = rows.length > limit ? [last!.id, last!.organisation_id] : undefined;
    return { entries: shown.map(jobOf), after: position };
  }

  override async claim(
    { organisation, id }: JobReference,
    worker: string,
    now: number,
    leaseUntil: number,
  ): Promise<Claim | undefined> {
    return this.database.run(async () => {
      const row = await this.database.row<ClaimedRow>(
        `SELECT type, input, author, operation, token, state, done, total, attempts, status, available_at
         FROM job WHERE organisation_id = ? AND id = ? ${this.database.dialect.forUpdate}`,
        [organisation, id],
      );
      if (!row) return undefined;
      const waits = row.status === 'queued' && row.available_at <= now;
      const abandoned = row.status === 'running' && (await this.leaseOf({ organisation, id })) < now;
      if (!waits && !abandoned) return undefined;
      const token = row.token + 1;
      const attempts = row.attempts + 1;
      await this.database.write(
        `UPDATE job SET status = 'running', token = ?, attempts = ?, due_at = ? WHERE organisation_id = ? AND id = ?`,
        [token, attempts, leaseUntil, organisation, id],
      );
      await this.database.insert(
        'job_lease',
        ['organisation_id', 'job_id', 'token', 'worker', 'until_at'],
        [[organisation, id, token, worker, leaseUntil]],
        this.database.dialect.onDuplicate(['organisation_id', 'job_id'], ['token', 'worker', 'until_at']),
      );
      const author = row.author === null ? undefined : (JSON.parse(row.author) as Author);
      return {
        ...{ organisation, id, createdAt: timeOf(id), type: row.type, input: row.input, token, state: row.state },
        scope: { author, operation: row.operation },
        progress: { done: row.done, total: row.total },
        attempts,
      };
    });
  }

  /** A statement of its own: one that waits for the lock of a job still sees the leases from before its waiting. */
  private async leaseOf({ organisation, id }: JobReference): Promise<number> {
    const lease = await this.database.row<{ until_at: number }>(
      `SELECT until_at FROM job_lease WHERE organisation_id = ? AND job_id = ? ${this.database.dialect.forUpdate}`,
      [organisation, id],
    );
    return lease?.until_at ?? -Infinity;
  }

  override async extend({ organisation, id, token }: Claim, leaseUntil: number): Promise<boolean> {
    const extended = await this.database.write(
      `UPDATE job_lease SET until_at = ? WHERE organisation_id = ? AND job_id = ? AND token = ?`,
      [leaseUntil, organisation, id, token],
    );
    return extended === 1;
  }

  override async checkpoint(
    { organisation, id, token }: Claim,
    state: JsonText,
    { done, total }: Progress,
  ): Promise<boolean> {
    const stored = await this.database.write(
      `UPDATE job SET state = ?, done = ?, total = ?, attempts = 0
       WHERE organisation_id = ? AND id = ? AND token = ? AND status = 'running'`,
      [state, done, total, organisation, id, token],
    );
    return stored === 1;
  }

  override async end(claim: Claim, outcome: Outcome, now: number): Promise<boolean> {
    const columns: Record<string, Parameter> = { status: outcome.status };
    if (outcome.status === 'queued') {
      const { availableAt, attempts } = outcome;
      Object.assign(columns, { available_at: availableAt, due_at: availableAt, attempts });
    } else Object.assign(columns, { completed_at: now, due_at: now });
    if (outcome.status === 'completed') columns.results = outcome.results;
    if (outcome.status === 'halted') Object.assign(columns, errorColumns(outcome.error));
    return this.change(claim, columns, `status = 'running' AND token = ?`, [claim.token]);
  }

  override async cancel(job: JobReference, error: JobError, now: number): Promise<boolean> {
    const columns = { status: 'halted', ...errorColumns(error), completed_at: now, due_at: now };
    return this.change(job, columns, `status IN ('queued', 'running')`);
  }

  override async retry(job: JobReference, now: number, dueAt: number): Promise<Lane | undefined> {
    return this.database.run(async () => {
      const none = { error_kind: null, error_message: null, completed_at: null };
      const columns = { status: 'queued', ...none, attempts: 0, available_at: now, due_at: dueAt };
      if (!(await this.change(job, columns, `status = 'halted'`))) return undefined;
      const row = await this.database.row<{ lane: Lane }>('SELECT lane FROM job WHERE organisation_id = ? AND id = ?', [
        ...[job.organisation, job.id],
      ]);
      return row!.lane;
    });
  }

  /** Gives a job that meets the condition another status; nobody holds it from then on. */
  private async change(
    { organisation, id }: JobReference,
    columns: Record<string, Parameter>,
    condition: string,
    parameters: readonly Parameter[] = [],
  ): Promise<boolean> {
    const assignments = Object.keys(columns).map((column) => `${column} = ?`);
    return this.database.run(async () => {
      const changed = await this.database.write(
        `UPDATE job SET ${assignments.join(', ')} WHERE organisation_id = ? AND id = ? AND ${condition}`,
        [...Object.values(columns), organisation, id, ...parameters],
      );
      if (changed === 0) return false;
      await this.database.write('DELETE FROM job_lease WHERE organisation_id = ? AND job_id = ?', [organisation, id]);
      return true;
    });
  }

  override async due(now: number, limit: number): Promise<Due[]> {
    const rows = await this.inDue<{ organisation_id: number; id: string; lane: Lane }>(
      (due) =>
        `SELECT j.organisation_id, j.id, j.lane FROM job j WHERE ${due} AND j.status = 'queued'
         UNION ALL
         SELECT j.organisation_id, j.id, j.lane FROM job j
         JOIN job_lease l ON l.organisation_id = j.organisation_id AND l.job_id = j.id AND l.until_at < ${now}
         WHERE ${due} AND j.status = 'running'
         ORDER BY id, organisation_id LIMIT ${limit}`,
      now,
    );
    return rows.map(({ organisation_id: organisation, id, lane }) => ({ organisation, id, lane }));
  }

  override async postpone(jobs: readonly JobReference[], now: number, until: number): Promise<void> {
    if (jobs.length === 0) return;
    await this.database.write(
      `UPDATE job SET due_at = ? WHERE ${this.database.dialect.pairs('organisation_id', 'id', jobs.length)}
       AND due_at <= ? AND status IN ('queued', 'running')`,
      [until, ...jobs.flatMap(({ organisation, id }) => [organisation, id]), now],
    );
  }

  override async waiting(organisation: number, lane: Lane, most: number): Promise<number> {
    const row = await this.database.row<{ jobs: number | string }>(
      `SELECT COUNT(*) AS jobs FROM (
         SELECT 1 FROM job WHERE organisation_id = ? AND status = 'queued' AND lane = ? LIMIT ${most}) counted`,
      [organisation, lane],
    );
    return Number(row!.jobs);
  }

  override async removeEnded(before: number, limit: number): Promise<number> {
    const rows = await this.inDue<{ organisation_id: number; id: string }>(
      (due) =>
        `SELECT j.organisation_id, j.id FROM job j WHERE ${due} AND j.status IN ('completed', 'halted')
         LIMIT ${limit}`,
      before - 1,
    );
    if (rows.length === 0) return 0;
    // In the order of the key; what was retried meanwhile stays.
    const keys = rows.sort((a, b) => a.organisation_id - b.organisation_id || (a.id < b.id ? -1 : 1));
    return this.database.write(
      `DELETE FROM job WHERE ${this.database.dialect.pairs('organisation_id', 'id', keys.length)}
       AND status IN ('completed', 'halted') AND due_at < ?`,
      [...keys.flatMap(({ organisation_id, id }) => [organisation_id, id]), before],
    );
  }

  /**
   * Rows of all organisations by the index of due jobs. It begins with the organisation and the lane: with both listed,
   * what is not due is not even looked at.
   */
  private async inDue<T>(sql: (condition: string) => string, dueAt: number): Promise<T[]> {
    const organisations = await this.database.rows<{ id: number }>('SELECT id FROM organisation');
    if (organisations.length === 0) return [];
    const ids = organisations.map(({ id }) => id).join(', ');
    const lanes = LANES.map((lane) => `'${lane}'`).join(', ');
    return this.database.rows<T>(
      sql(`j.organisation_id IN (${ids}) AND j.lane IN (${lanes}) AND j.due_at <= ${dueAt}`),
    );
  }
}

function errorColumns({ kind, message }: JobError): { error_kind: string | null; error_message: string } {
  return { error_kind: kind, error_message: message };
}

function jobOf(row: JobRow): Job {
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
  };
}
