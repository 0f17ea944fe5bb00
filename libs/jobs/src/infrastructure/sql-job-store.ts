import { Injectable } from '@nestjs/common';
import { type JsonText, type Slice } from '#kernel';
import { Database, type Parameter, questionMarks } from '#platform';
import {
  type Claim,
  type DueJob,
  type JobQuery,
  JobStore,
  type NewJob,
  type Outcome,
  type SerialGroup,
} from '../application/ports/job-store';
import { type Job, type JobError, type JobReference, type Lane, type Progress } from '../domain/job';
import { countQueues, findDue, removeEnded } from './due-jobs';
import { JobClaims } from './job-claims';
import { listJobs } from './job-list';
import { DUE, errorColumns, HELD_KEY, NO_PAUSE, SERIAL_KEY } from './job-rows';

const ADDED = [
  'organisation_id',
  'id',
  'type',
  'subject',
  'lane',
  SERIAL_KEY,
  'status',
  'input',
  'author',
  'operation',
  'token',
  'done',
  'attempts',
  'available_at',
  'due_at',
  'request_id',
  'trace',
];

@Injectable()
export class SqlJobStore extends JobStore {
  private readonly claims: JobClaims;

  constructor(private readonly database: Database) {
    super();
    this.claims = new JobClaims(database);
  }

  override async add(jobs: readonly NewJob[], dueAt: number): Promise<void> {
    await this.database.insert(
      'job',
      ADDED,
      jobs.map((job) => rowOf(job, dueAt)),
    );
  }

  override async lastOfSerialKeys(organisation: number, keys: readonly string[]): Promise<Map<string, string>> {
    if (keys.length === 0) return new Map();
    const rows = await this.database.rows<{ serial_key: string; last: string }>(
      `SELECT ${SERIAL_KEY} AS serial_key, MAX(id) AS last FROM job
       WHERE organisation_id = ? AND ${SERIAL_KEY} IN (${questionMarks(keys.length)}) GROUP BY ${SERIAL_KEY}`,
      [organisation, ...keys],
    );
    return new Map(rows.map(({ serial_key: key, last }) => [key, last]));
  }

  override async openInputs(organisation: number, serialKey: string): Promise<JsonText[]> {
    const rows = await this.database.rows<{ input: JsonText }>(
      `SELECT input FROM job
       WHERE organisation_id = ? AND ${SERIAL_KEY} = ? AND status IN ('queued', 'running') ORDER BY id`,
      [organisation, serialKey],
    );
    return rows.map(({ input }) => input);
  }

  override async find(query: JobQuery): Promise<Slice<Job>> {
    return listJobs(this.database, query);
  }

  override async claim(job: JobReference, worker: string, now: number, leaseUntil: number): Promise<Claim | undefined> {
    return this.claims.claim({ ...job, worker, now, leaseUntil });
  }

  override async extend({ organisation, id, token }: Claim, leaseUntil: number): Promise<boolean> {
    const extended = await this.database.write(
      `INSERT INTO job_lease (organisation_id, job_id, token, until_at)
       SELECT organisation_id, id, token, ? FROM job
       WHERE organisation_id = ? AND id = ? AND token = ? AND status = 'running'
       ${this.database.dialect.onDuplicate(['organisation_id', 'job_id', 'token'], ['until_at'])}`,
      [leaseUntil, organisation, id, token],
    );
    return extended > 0;
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

  override async report({ organisation, id, token }: Claim, { done, total }: Progress): Promise<boolean> {
    const stored = await this.database.write(
      `UPDATE job SET done = ?, total = ? WHERE organisation_id = ? AND id = ? AND token = ? AND status = 'running'`,
      [done, total, organisation, id, token],
    );
    return stored === 1;
  }

  override async end(claim: Claim, outcome: Outcome, now: number): Promise<boolean> {
    const columns: Record<string, Parameter> = { status: outcome.status };
    if (outcome.status === 'queued') {
      const { availableAt = NO_PAUSE, attempts } = outcome;
      Object.assign(columns, { available_at: availableAt, due_at: availableAt, attempts });
    } else Object.assign(columns, { completed_at: now, due_at: now });
    // Completed jobs lose their serial key, so that its index has only jobs that may still run.
    if (outcome.status === 'completed') Object.assign(columns, { results: outcome.results, [SERIAL_KEY]: null });
    if (outcome.status === 'halted') Object.assign(columns, errorColumns(outcome.error));
    return this.change(claim, columns, `status = 'running' AND token = ?`, [claim.token]);
  }

  override async cancel(job: JobReference, error: JobError, now: number): Promise<SerialGroup | undefined> {
    const { organisation, id } = job;
    return this.database.run(async () => {
      const columns = { status: 'halted', ...errorColumns(error), completed_at: now, due_at: now };
      if (!(await this.change(job, columns, `status IN ('queued', 'running')`))) return undefined;
      const row = await this.database.row<{ serial_key: string | null }>(
        `SELECT ${SERIAL_KEY} AS serial_key FROM job WHERE organisation_id = ? AND id = ?`,
        [organisation, id],
      );
      return { organisation, serialKey: row!.serial_key ?? undefined };
    });
  }

  override async retry(job: JobReference, dueAt: number): Promise<DueJob | undefined> {
    return this.database.run(async () => {
      const none = { error_kind: null, error_message: null, completed_at: null };
      const columns = { status: 'queued', ...none, attempts: 0, available_at: NO_PAUSE, due_at: dueAt };
      if (!(await this.change(job, columns, `status = 'halted'`))) return undefined;
      return this.database.row<DueJob>(`SELECT ${DUE} FROM job WHERE organisation_id = ? AND id = ?`, [
        job.organisation,
        job.id,
      ]);
    });
  }

  /** Changes the status of a job that meets the condition, and ends its claim. */
  private async change(
    { organisation, id }: JobReference,
    columns: Record<string, Parameter>,
    condition: string,
    parameters: readonly Parameter[] = [],
  ): Promise<boolean> {
    const assignments = Object.keys(columns).map((column) => `${column} = ?`);
    const changed = await this.database.write(
      `UPDATE job SET ${assignments.join(', ')}, ${HELD_KEY} = NULL WHERE organisation_id = ? AND id = ? AND ${condition}`,
      [...Object.values(columns), organisation, id, ...parameters],
    );
    return changed === 1;
  }

  override async nextOfSerialKey(
    { organisation, serialKey }: SerialGroup,
    now: number,
    dueAt: number,
  ): Promise<DueJob | undefined> {
    if (serialKey === undefined) return undefined;
    const next = await this.database.row<DueJob & { available_at: number }>(
      `SELECT ${DUE}, available_at FROM job ${this.database.dialect.byIndex('job_in_line')}
       WHERE organisation_id = ? AND ${SERIAL_KEY} = ? AND status = 'queued' ORDER BY id LIMIT 1`,
      [organisation, serialKey],
    );
    if (!next || next.available_at > now) return undefined;
    await this.database.write(
      `UPDATE job SET due_at = ?, token = token + 1 WHERE organisation_id = ? AND id = ? AND status = 'queued'`,
      [dueAt, organisation, next.id],
    );
    return { organisation, id: next.id, lane: next.lane, token: next.token + 1 };
  }

  override async due(now: number, limit: number): Promise<DueJob[]> {
    return findDue(this.database, now, limit);
  }

  override async postpone(jobs: readonly JobReference[], now: number, until: number): Promise<void> {
    if (jobs.length === 0) return;
    await this.database.write(
      `UPDATE job SET due_at = ? WHERE ${this.database.dialect.pairs('organisation_id', 'id', jobs.length)}
       AND due_at <= ? AND status IN ('queued', 'running')`,
      [until, ...jobs.flatMap(({ organisation, id }) => [organisation, id]), now],
    );
  }

  override async waiting(organisation: number, lane: Lane, limit: number): Promise<number> {
    const row = await this.database.row<{ jobs: number | string }>(
      `SELECT COUNT(*) AS jobs FROM (
         SELECT 1 FROM job WHERE organisation_id = ? AND status = 'queued' AND lane = ? LIMIT ${limit}) counted`,
      [organisation, lane],
    );
    return Number(row!.jobs);
  }

  override async queues(): Promise<Map<Lane, { jobs: number; oldest: number }>> {
    return countQueues(this.database);
  }

  override async removeEnded(before: number, limit: number): Promise<number> {
    return removeEnded(this.database, before, limit);
  }
}

function rowOf(
  { organisation, id, type, subject, lane, serialKey, input, scope: { author, operation, request }, trace }: NewJob,
  dueAt: number,
): Parameter[] {
  return [
    organisation,
    id,
    type,
    subject ?? null,
    lane,
    serialKey ?? null,
    'queued',
    input,
    author ? JSON.stringify(author) : null,
    operation,
    0,
    0,
    0,
    NO_PAUSE,
    dueAt,
    request ?? null,
    trace ?? null,
  ];
}
