import { type Database } from '#platform';

/** Statements that the process runs regularly for jobs and events, without any request. */
const BESIDES =
  /\bjob(_lease)?\b|^SELECT id FROM organisation$|\bevent_(stream|sink|delivery|attempt)\b|\bevent\b[^]*\bnumber (=|IS NULL)/;

/**
 * All reads and writes that reach the database while `work` runs, without the ends of transactions and without
 * statements on jobs and the delivery of events.
 */
export async function statementsDuring(database: Database, work: () => Promise<unknown>): Promise<string[]> {
  const { rows, write } = database;
  const statements: string[] = [];
  // `row` and `insert` call these two.
  database.rows = (sql, ...more) => {
    if (!BESIDES.test(sql)) statements.push(sql);
    return rows.call(database, sql, ...more) as never;
  };
  database.write = (sql, ...more) => {
    if (!BESIDES.test(sql)) statements.push(sql);
    return write.call(database, sql, ...more);
  };
  try {
    await work();
  } finally {
    Object.assign(database, { rows, write });
  }
  return statements;
}
