import { randomBytes } from 'node:crypto';
import { type JsonText, timeOf } from '#kernel';
import { type Database, Together } from '#platform';
import { type Claim } from '../application/ports/job-store';
import { HELD_UP_MS, type JobReference, type JobStatus } from '../domain/job';
import { among, holderOf, keyOf } from './job-rows';

interface Wanted extends JobReference {
  worker: string;
  now: number;
  leaseUntil: number;
}

interface ClaimedRow {
  organisation_id: number;
  id: string;
  status: JobStatus;
  available_at: number;
  type: string;
  line: string | null;
  input: JsonText;
  author: JsonText | null;
  operation: string;
  request_id: string | null;
  trace: string | null;
  token: number;
  lease_until: number | null;
  worker: string | null;
  state: JsonText | null;
  done: number;
  total: number | null;
  attempts: number;
}

const COLUMNS =
  'organisation_id, id, status, available_at, type, line, input, author, operation, request_id, trace, token, lease_until, worker, state, done, total, attempts';

/** Maximum number of jobs claimed by one statement. */
const BATCH_SIZE = 50;

/** Claims jobs. Waiting jobs without a serial key are claimed in batches; others are locked one at a time. */
export class JobClaims {
  private readonly waiting = new Together<Wanted, Claim | 'not now' | 'by itself'>(
    (jobs) => this.claimWaiting(jobs),
    BATCH_SIZE,
  );

  constructor(private readonly database: Database) {}

  async claim(job: Wanted): Promise<Claim | undefined> {
    const claimed = await this.waiting.ask(job);
    if (claimed === 'not now') return undefined;
    return claimed === 'by itself' ? this.claimLocked(job) : claimed;
  }

  private async claimWaiting(jobs: readonly Wanted[]): Promise<(Claim | 'not now' | 'by itself')[]> {
    const rows = new Map((await this.rows(jobs)).map((row) => [keyOf(row), row]));
    const takeable: ClaimedRow[] = [];
    const early: ClaimedRow[] = [];
    const states = jobs.map((job) => {
      const key = keyOf({ organisation_id: job.organisation, id: job.id });
      const row = rows.get(key);
      // Jobs of a long queue are announced twice, and have often ended by the second time.
      if (!row || row.status === 'completed') return 'not now';
      if (row.status !== 'queued' || row.line !== null) return 'by itself';
      // Only one caller in this process claims it.
      rows.delete(key);
      if (row.available_at > job.now) {
        early.push(row);
        return 'not now';
      }
      takeable.push(row);
      return row;
    });
    await this.leaveDue(early);
    const taken = await this.take(takeable, jobs[0]!.worker, Math.max(...jobs.map(({ leaseUntil }) => leaseUntil)));
    return states.map((state) => (typeof state === 'string' ? state : (taken.get(keyOf(state)) ?? 'not now')));
  }

  /** Claims a running job or one with a serial key. Its row is locked, as the conditions may change meanwhile. */
  private async claimLocked(job: Wanted): Promise<Claim | undefined> {
    return this.database.run(async () => {
      const [row] = await this.rows([job], this.database.dialect.forUpdate);
      if (!row || !(await this.isFree(row, job.now))) return undefined;
      return (await this.take([row], job.worker, job.leaseUntil)).get(keyOf(row));
    });
  }

  private async rows(jobs: readonly JobReference[], lock = ''): Promise<ClaimedRow[]> {
    const { sql, parameters } = among(jobs.map(({ organisation, id }) => ({ organisation, id })));
    return this.database.rows<ClaimedRow>(`SELECT ${COLUMNS} FROM job WHERE ${sql} ${lock}`, parameters);
  }

  /** @param row is locked. */
  private async isFree(row: ClaimedRow, now: number): Promise<boolean> {
    if (row.status === 'running') return (await this.leaseOf(row)) < now;
    if (row.status !== 'queued') return false;
    if (row.available_at > now) {
      await this.leaveDue([row]);
      return false;
    }
    return row.line === null || this.isFirst(row, row.line, now);
  }

  /**
   * A process whose clock is ahead may have postponed these jobs after announcing them too early. Makes them due when their
   * pause ends by the clock of this process, instead of a minute later.
   */
  private async leaveDue(rows: readonly ClaimedRow[]): Promise<void> {
    if (rows.length === 0) return;
    const { sql, parameters } = among(rows.map(({ organisation_id: organisation, id }) => ({ organisation, id })));
    await this.database.write(
      `UPDATE job SET due_at = available_at WHERE ${sql} AND status = 'queued' AND due_at > available_at`,
      parameters,
    );
  }

  private async leaseOf({ organisation_id, id, token, lease_until }: ClaimedRow): Promise<number> {
    // A separate statement: a statement that waits for the lock of a job still sees the leases from before its wait.
    const lease = await this.database.row<{ until_at: number }>(
      `SELECT until_at FROM job_lease WHERE organisation_id = ? AND job_id = ? AND token = ?`,
      [organisation_id, id, token],
    );
    return lease?.until_at ?? lease_until ?? -Infinity;
  }

  /** Whether no other job of the serial key comes first. When only a running one does, the job is soon announced again. */
  private async isFirst({ organisation_id, id }: ClaimedRow, line: string, now: number): Promise<boolean> {
    const { older, held } = (await this.database.row<{ older: number; held: number }>(
      `SELECT EXISTS (SELECT 1 FROM job ${this.database.dialect.byIndex('job_in_line')}
         WHERE organisation_id = ? AND line = ? AND id < ? AND status = 'queued') AS older,
         EXISTS (SELECT 1 FROM job WHERE organisation_id = ? AND held_line = ?) AS held`,
      [organisation_id, line, id, organisation_id, line],
    ))!;
    if (held && !older)
      await this.database.write('UPDATE job SET due_at = ? WHERE organisation_id = ? AND id = ?', [
        now + HELD_UP_MS,
        organisation_id,
        id,
      ]);
    return !held && !older;
  }

  /**
   * Claims the rows that nobody has claimed since they were read: each claim raises the token. When two callers claim jobs of
   * one serial key, the unique index on `held_line` refuses one, which then tries again.
   */
  private async take(rows: readonly ClaimedRow[], worker: string, leaseUntil: number): Promise<Map<string, Claim>> {
    if (rows.length === 0) return new Map();
    const name = `${worker} ${randomBytes(9).toString('base64url')}`;
    const { sql, parameters } = among(
      rows.map(({ organisation_id: organisation, id, token }) => ({ organisation, id, token })),
    );
    const taken = await this.database.write(
      `UPDATE job SET status = 'running', token = token + 1, attempts = attempts + 1, worker = ?, lease_until = ?,
         due_at = ?, held_line = line
       WHERE ${sql}${rows.every(({ status }) => status === 'queued') ? " AND status = 'queued'" : ''}`,
      [name, leaseUntil, leaseUntil, ...parameters],
    );
    const ours = taken === rows.length ? rows : taken === 0 ? [] : await this.takenBy(name, rows);
    return new Map(ours.map((row) => [keyOf(row), claimOf(row)]));
  }

  private async takenBy(name: string, rows: readonly ClaimedRow[]): Promise<ClaimedRow[]> {
    const { sql, parameters } = among(rows.map(({ organisation_id: organisation, id }) => ({ organisation, id })));
    const taken = await this.database.rows<{ organisation_id: number; id: string }>(
      `SELECT organisation_id, id FROM job WHERE ${sql} AND worker = ?`,
      [...parameters, name],
    );
    const keys = new Set(taken.map(keyOf));
    return rows.filter((row) => keys.has(keyOf(row)));
  }
}

/** @param row as it was before the claim. */
function claimOf(row: ClaimedRow): Claim {
  return {
    organisation: row.organisation_id,
    id: row.id,
    createdAt: timeOf(row.id),
    type: row.type,
    serialKey: row.line ?? undefined,
    input: row.input,
    author: row.author,
    operation: row.operation,
    request: row.request_id ?? undefined,
    trace: row.trace ?? undefined,
    token: row.token + 1,
    state: row.state,
    progress: { done: row.done, total: row.total },
    attempts: row.attempts + 1,
    ...(row.status === 'running' && { takenFrom: holderOf(row)! }),
  };
}
