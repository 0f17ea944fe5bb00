import { type Database } from '#platform';

/**
 * The statements that reach the database while `work` runs, whoever issues them: reads and writes, without the ends of
 * transactions.
 */
export async function statementsDuring(database: Database, work: () => Promise<unknown>): Promise<string[]> {
  const { rows, write } = database;
  const statements: string[] = [];
  // `row` and `insert` end in these two.
  database.rows = (sql, ...more) => {
    statements.push(sql);
    return rows.call(database, sql, ...more) as never;
  };
  database.write = (sql, ...more) => {
    statements.push(sql);
    return write.call(database, sql, ...more);
  };
  try {
    await work();
  } finally {
    Object.assign(database, { rows, write });
  }
  return statements;
}
