import { type Database } from '#platform';

/** The process looks for jobs every few seconds and numbers and delivers events, whatever is asked of it. */
const BESIDES =
  /\bjob(_lease)?\b|^SELECT id FROM organisation$|\bevent_(stream|sink|delivery|attempt)\b|\bevent\b[^]*\bnumber (=|IS NULL)/;

/**
 * The statements that reach the database while `work` runs, whoever issues them: reads and writes, without the ends of
 * transactions and without those on jobs and on the delivery of events.
 */
export async function statementsDuring(database: Database, work: () => Promise<unknown>): Promise<string[]> {
  const { rows, write } = database;
  const statements: string[] = [];
  // `row` and `insert` end in these two.
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
