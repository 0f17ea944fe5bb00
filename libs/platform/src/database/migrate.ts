import { setTimeout as sleep } from 'node:timers/promises';
import { MigrationExecutor, type QueryRunner } from 'typeorm';
import { type Database } from './database';

/** How long a process waits for another one that is migrating the same database. */
const WAIT_SECONDS = 120;

/** Brings the schema up to date; returns the names of the migrations that ran. Two processes at once do it once. */
export async function migrate(database: Database): Promise<string[]> {
  return database.dialect.engine === 'sqlite' ? migrateEmbedded(database) : migrateServer(database);
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

/** A process that comes second finds tables half made by the first, fails, and then finds the work done. */
async function migrateEmbedded(database: Database): Promise<string[]> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await runPending(database);
    } catch (error) {
      if (attempt === 10) throw error;
      await sleep(50 * attempt);
    }
  }
}

async function runPending(database: Database, runner?: QueryRunner): Promise<string[]> {
  const executor = new MigrationExecutor(database.source, runner);
  executor.transaction = 'each';
  const ran = await executor.executePendingMigrations();
  return ran.map(({ name }) => name);
}
