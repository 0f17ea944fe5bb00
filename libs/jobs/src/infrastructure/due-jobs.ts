import { organisationIds, organisationRows } from '#access';
import { timeOf } from '#kernel';
import { type Database } from '#platform';
import { type DueJob } from '../application/ports/job-store';
import { type Lane, LANES } from '../domain/job';

const laneList = LANES.map((lane) => `'${lane}'`).join(', ');

/** Jobs to enqueue, oldest first. */
export async function findDue(database: Database, now: number, limit: number): Promise<DueJob[]> {
  return inDue<DueJob>(
    database,
    (due) =>
      `SELECT j.organisation_id AS organisation, j.id, j.lane, j.token FROM job j WHERE ${due} AND j.status = 'queued'
       UNION ALL
       SELECT j.organisation_id, j.id, j.lane, j.token FROM job j
       LEFT JOIN job_lease l ON l.organisation_id = j.organisation_id AND l.job_id = j.id AND l.token = j.token
       WHERE ${due} AND j.status = 'running' AND COALESCE(l.until_at, j.lease_until) < ${now}
       ORDER BY id, organisation LIMIT ${limit}`,
    now,
  );
}

/** How many jobs wait in each lane, and when the oldest was created. Reads only an index. */
export async function countQueues(database: Database): Promise<Map<Lane, { jobs: number; oldest: number }>> {
  const { inWrittenOrder, byIndex } = database.dialect;
  const rows = await database.rows<{ lane: Lane; jobs: number | string; oldest: string }>(
    `SELECT ${inWrittenOrder} j.lane, COUNT(*) AS jobs, MIN(j.id) AS oldest FROM ${organisationRows('o')}
     JOIN job j ${byIndex('job_due')} ON j.organisation_id = o.id AND j.status = 'queued' AND j.lane IN (${laneList})
     GROUP BY j.lane`,
  );
  return new Map(rows.map(({ lane, jobs, oldest }) => [lane, { jobs: Number(jobs), oldest: timeOf(oldest) }]));
}

/** Removes jobs that ended before a time, at most `limit`; returns how many. */
export async function removeEnded(database: Database, before: number, limit: number): Promise<number> {
  const rows = await inDue<{ organisation_id: number; id: string }>(
    database,
    (due) =>
      `SELECT j.organisation_id, j.id FROM job j WHERE ${due} AND j.status IN ('completed', 'halted') LIMIT ${limit}`,
    before - 1,
  );
  if (rows.length === 0) return 0;
  // Lists the rows in the order of the primary key, so that statements lock them in one order.
  const keys = rows
    .sort((a, b) => a.organisation_id - b.organisation_id || (a.id < b.id ? -1 : 1))
    .flatMap(({ organisation_id, id }) => [organisation_id, id]);
  const { dialect } = database;
  return database.run(async () => {
    // A job that somebody retried meanwhile stays.
    const removed = await database.write(
      `DELETE FROM job WHERE ${dialect.pairs('organisation_id', 'id', rows.length)}
       AND status IN ('completed', 'halted') AND due_at < ?`,
      [...keys, before],
    );
    await database.write(
      `DELETE FROM job_lease WHERE ${dialect.pairs('organisation_id', 'job_id', rows.length)} AND NOT EXISTS (
         SELECT 1 FROM job j WHERE j.organisation_id = job_lease.organisation_id AND j.id = job_lease.job_id)`,
      keys,
    );
    await database.write(
      `UPDATE job_file SET due_at = 0 WHERE ${dialect.pairs('organisation_id', 'job_id', rows.length)} AND NOT EXISTS (
         SELECT 1 FROM job j WHERE j.organisation_id = job_file.organisation_id AND j.id = job_file.job_id)`,
      keys,
    );
    return removed;
  });
}

/**
 * Reads rows of all organisations by the index of due jobs. The index begins with the organisation and the lane. The condition
 * lists both, so that the database can skip jobs that are not due.
 */
async function inDue<T>(database: Database, sql: (condition: string) => string, dueAt: number): Promise<T[]> {
  const organisations = await organisationIds(database);
  if (organisations.length === 0) return [];
  return database.rows<T>(
    sql(`j.organisation_id IN (${organisations.join(', ')}) AND j.lane IN (${laneList}) AND j.due_at <= ${dueAt}`),
  );
}
