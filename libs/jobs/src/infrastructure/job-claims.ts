import { type JsonText, timeOf } from '#kernel';
import { type Database } from '#platform';
import { type Claim } from '../application/ports/job-store';
import { type JobReference, type JobStatus, SERIAL_KEY_RETRY_MS } from '../domain/job';
import { HELD_KEY, holderOf, SERIAL_KEY } from './job-rows';

interface ClaimRequest extends JobReference {
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
  serial_key: string | null;
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

const COLUMNS = `organisation_id, id, status, available_at, type, ${SERIAL_KEY} AS serial_key, input, author, operation, request_id, trace, token, lease_until, worker, state, done, total, attempts`;

/** Claims jobs. Each claim names the token that it read and raises it, so only one of several concurrent claims succeeds. */
export class JobClaims {
  constructor(private readonly database: Database) {}

  async claim(job: ClaimRequest): Promise<Claim | undefined> {
    const row = await this.row(job);
    if (!row || row.status === 'completed' || row.status === 'halted') return undefined;
    // Other rows decide whether such a job is free, and they may change meanwhile.
    if (row.status === 'running' || row.serial_key !== null) return this.claimLocked(job);
    return (await this.isAvailable(row, job.now)) ? this.take(row, job) : undefined;
  }

  private async claimLocked(job: ClaimRequest): Promise<Claim | undefined> {
    return this.database.run(async () => {
      const row = await this.row(job, this.database.dialect.forUpdate);
      return row && (await this.isFree(row, job.now)) ? this.take(row, job) : undefined;
    });
  }

  private async row({ organisation, id }: JobReference, lock = ''): Promise<ClaimedRow | undefined> {
    return this.database.row<ClaimedRow>(`SELECT ${COLUMNS} FROM job WHERE organisation_id = ? AND id = ? ${lock}`, [
      organisation,
      id,
    ]);
  }

  /** @param row is locked. */
  private async isFree(row: ClaimedRow, now: number): Promise<boolean> {
    if (row.status === 'running') return (await this.leaseOf(row)) < now;
    if (row.status !== 'queued' || !(await this.isAvailable(row, now))) return false;
    return row.serial_key === null || this.isFirst(row, row.serial_key, now);
  }

  /**
   * Whether the pause of a waiting job is over. A process whose clock is ahead may have postponed the job after
   * enqueuing it too early. So a job that is claimed within its pause becomes due at the end of the pause, instead of
   * a minute later.
   */
  private async isAvailable({ organisation_id, id, available_at }: ClaimedRow, now: number): Promise<boolean> {
    if (available_at <= now) return true;
    await this.database.write(
      `UPDATE job SET due_at = available_at
       WHERE organisation_id = ? AND id = ? AND status = 'queued' AND due_at > available_at`,
      [organisation_id, id],
    );
    return false;
  }

  private async leaseOf({ organisation_id, id, token, lease_until }: ClaimedRow): Promise<number> {
    // This is a separate statement, because one that waits for the lock of a job would still see the leases from before
    // its wait.
    const lease = await this.database.row<{ until_at: number }>(
      `SELECT until_at FROM job_lease WHERE organisation_id = ? AND job_id = ? AND token = ?`,
      [organisation_id, id, token],
    );
    return lease?.until_at ?? lease_until ?? -Infinity;
  }

  /**
   * Whether no other job of the serial key comes before this one. If only a running job comes first, this method makes
   * the waiting job due again soon.
   */
  private async isFirst({ organisation_id, id }: ClaimedRow, serialKey: string, now: number): Promise<boolean> {
    const { older, held } = (await this.database.row<{ older: number; held: number }>(
      `SELECT EXISTS (SELECT 1 FROM job ${this.database.dialect.byIndex('job_in_line')}
         WHERE organisation_id = ? AND ${SERIAL_KEY} = ? AND id < ? AND status = 'queued') AS older,
         EXISTS (SELECT 1 FROM job WHERE organisation_id = ? AND ${HELD_KEY} = ?) AS held`,
      [organisation_id, serialKey, id, organisation_id, serialKey],
    ))!;
    if (held && !older)
      await this.database.write('UPDATE job SET due_at = ? WHERE organisation_id = ? AND id = ?', [
        now + SERIAL_KEY_RETRY_MS,
        organisation_id,
        id,
      ]);
    return !held && !older;
  }

  /**
   * Undefined when the row was claimed or changed since it was read. When two callers claim jobs of one serial key, the
   * unique index on the key of running jobs refuses one of them. That caller tries again.
   */
  private async take(row: ClaimedRow, { worker, leaseUntil }: ClaimRequest): Promise<Claim | undefined> {
    const taken = await this.database.write(
      `UPDATE job SET status = 'running', token = token + 1, attempts = attempts + 1, worker = ?, lease_until = ?,
         due_at = ?, ${HELD_KEY} = ${SERIAL_KEY}
       WHERE organisation_id = ? AND id = ? AND token = ? AND status = ?`,
      [worker, leaseUntil, leaseUntil, row.organisation_id, row.id, row.token, row.status],
    );
    return taken === 1 ? claimOf(row) : undefined;
  }
}

/** @param row as it was before the claim. */
function claimOf(row: ClaimedRow): Claim {
  return {
    organisation: row.organisation_id,
    id: row.id,
    createdAt: timeOf(row.id),
    type: row.type,
    serialKey: row.serial_key ?? undefined,
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
