import { type JsonText } from '#kernel';
import { type Database, type Parameter, Together } from '#platform';
import { type Claim } from '../application/ports/job-store';
import { keyOf, among } from './job-rows';

interface Completed {
  claim: Pick<Claim, 'organisation' | 'id' | 'token'>;
  results: JsonText | null;
  now: number;
}

/** Maximum number of jobs completed by one statement. */
const BATCH_SIZE = 50;

/** Completes jobs. Calls made at the same time are written by one statement. */
export class JobCompletions {
  private readonly ends = new Together<Completed, boolean>((jobs) => this.write(jobs), BATCH_SIZE);

  constructor(private readonly database: Database) {}

  /** Resolves with false when the claim was no longer held. */
  async complete(job: Completed): Promise<boolean> {
    return this.database.isInUnitOfWork ? (await this.write([job]))[0]! : this.ends.ask(job);
  }

  private async write(jobs: readonly Completed[]): Promise<boolean[]> {
    const { sql, parameters } = among(jobs.map(({ claim }) => claim));
    const now = Math.max(...jobs.map((job) => job.now));
    const results = resultsOf(jobs);
    const ended = await this.database.write(
      `UPDATE job SET status = 'completed', results = ${results.sql}, completed_at = ?, due_at = ?, line = NULL,
         held_line = NULL
       WHERE ${sql} AND status = 'running'`,
      [...results.parameters, now, now, ...parameters],
    );
    if (ended === jobs.length) return jobs.map(() => true);
    if (ended === 0) return jobs.map(() => false);
    const rows = await this.database.rows<{ organisation_id: number; id: string }>(
      `SELECT organisation_id, id FROM job WHERE ${sql} AND status = 'completed'`,
      parameters,
    );
    const completed = new Set(rows.map(keyOf));
    return jobs.map(({ claim: { organisation, id } }) => completed.has(keyOf({ organisation_id: organisation, id })));
  }
}

function resultsOf(jobs: readonly Completed[]): { sql: string; parameters: Parameter[] } {
  const some = jobs.filter(({ results }) => results !== null);
  if (some.length === 0) return { sql: 'NULL', parameters: [] };
  return {
    sql: `CASE ${'WHEN organisation_id = ? AND id = ? THEN ? '.repeat(some.length)}END`,
    parameters: some.flatMap(({ claim: { organisation, id }, results }) => [organisation, id, results]),
  };
}
