import { type Database } from '#platform';

/**
 * How many statements `work` sends to the database, whoever issues them meanwhile: reads and writes, without the ends
 * of transactions.
 */
export async function countStatements(database: Database, work: () => Promise<unknown>): Promise<number> {
  const { rows, write } = database;
  let statements = 0;
  // `row` and `insert` end in these two.
  database.rows = (...call) => (statements++, rows.apply(database, call) as never);
  database.write = (...call) => (statements++, write.apply(database, call));
  try {
    await work();
  } finally {
    Object.assign(database, { rows, write });
  }
  return statements;
}
