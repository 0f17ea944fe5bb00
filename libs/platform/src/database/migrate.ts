import { MigrationExecutor, type QueryRunner } from 'typeorm';
import { type Database } from './database';

/** How long a process waits for another one that is migrating the same database. */
const WAIT_SECONDS = 120;

/** Brings the schema up to date; returns the names of the migrations that ran. Two processes at once do it once. */
export async function migrate(database: Database): Promise<string[]> {
  if (database.dialect.engine !== 'sqlite') return migrateServer(database);
  // Of two processes the second waits for the first one's transaction and finds the work done.
  return database.run(() => runPending(database));
}

async function migrateServer(database: Database): Promise<string[]> {
  // The lock belongs to a connection; the work goes over the same one, as there may be no other.
  const runner = database.source.createQueryRunner();
  try {
    // A name may have 64 characters, and a database alone may have as many.
    const name = "CONCAT('itembank.migrate.', LEFT(SHA2(DATABASE(), 256), 32))";
    const [{ taken }] = (await runner.query(`SELECT GET_LOCK(${name}, ${WAIT_SECONDS}) AS taken`)) as [
      { taken: unknown },
    ];
    if (Number(taken) !== 1) throw new Error(`Another process has been migrating the database for ${WAIT_SECONDS} s.`);
    try {
      return await runPending(database, runner);
    } finally {
      await runner.query(`SELECT RELEASE_LOCK(${name})`);
    }
  } finally {
    await runner.release();
  }
}

/** @param runner with the connection to use. Absent: a transaction is open already. */
async function runPending(database: Database, runner?: QueryRunner): Promise<string[]> {
  const executor = new MigrationExecutor(database.source, runner);
  executor.transaction = runner ? 'each' : 'none';
  const ran = await executor.executePendingMigrations();
  return ran.map(({ name }) => name);
}
