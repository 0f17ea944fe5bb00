import { type Database } from '#platform';

/** The process looks for jobs every few seconds, whatever is asked of it. */
const OF_JOBS = /\bjob(_lease)?\b|^SELECT id FROM organisation$/;

/**
 * The statements that reach the database while `work` runs, whoever issues them: reads and writes, without the ends of
 * transactions and without those on jobs.
 */
export async function statementsDuring(database: Database, work: () => Promise<unknown>): Promise<string[]> {
  const { rows, write } = database;
  const statements: string[] = [];
  // `row` and `insert` end in these two.
  database.rows = (sql, ...more) => {
    if (!OF_JOBS.test(sql)) statements.push(sql);
    return rows.call(database, sql, ...more) as never;
  };
  database.write = (sql, ...more) => {
    if (!OF_JOBS.test(sql)) statements.push(sql);
    return write.call(database, sql, ...more);
  };
  try {
    await work();
  } finally {
    Object.assign(database, { rows, write });
  }
  return statements;
}
