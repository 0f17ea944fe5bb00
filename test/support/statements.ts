import { type Database } from '#platform';

/** Matches statements that the process runs regularly in the background, for jobs and events. */
const BACKGROUND =
  /\bjob(_lease)?\b|^SELECT id FROM organisation$|\bevent_(stream|sink|delivery|attempt)\b|\bevent\b[^]*\bnumber (=|IS NULL)/;

/**
 * Returns all reads and writes that reach the database while `work` runs. It omits the ends of transactions, and the
 * statements of the background work.
 */
export async function statementsDuring(database: Database, work: () => Promise<unknown>): Promise<string[]> {
  const { rows, write } = database;
  const statements: string[] = [];
  // `row` and `insert` call these two methods.
  database.rows = (sql, ...more) => {
    if (!BACKGROUND.test(sql)) statements.push(sql);
    return rows.call(database, sql, ...more) as never;
  };
  database.write = (sql, ...more) => {
    if (!BACKGROUND.test(sql)) statements.push(sql);
    return write.call(database, sql, ...more);
  };
  try {
    await work();
  } finally {
    Object.assign(database, { rows, write });
  }
  return statements;
}
