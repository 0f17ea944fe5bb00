import { type Database } from '#platform';

/** Runs the work while the database rejects new rows of a table that meet a condition on `NEW`. Simulates a fault. */
export async function withRefusedRows<T>(
  database: Database,
  table: string,
  condition: string,
  work: () => Promise<T>,
): Promise<T> {
  await database.source.query(
    database.dialect.engine === 'sqlite'
      ? `CREATE TRIGGER refusing BEFORE INSERT ON ${table} WHEN ${condition} BEGIN SELECT RAISE(ABORT, 'refused'); END`
      : `CREATE TRIGGER refusing BEFORE INSERT ON ${table} FOR EACH ROW
           IF ${condition} THEN SIGNAL SQLSTATE '45000' SET MESSAGE_TEXT = 'refused'; END IF`,
  );
  try {
    return await work();
  } finally {
    await database.source.query('DROP TRIGGER refusing');
  }
}
