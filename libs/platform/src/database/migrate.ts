import { MigrationExecutor, type QueryRunner } from 'typeorm';
import { type Database } from './database';
import { questionMarks } from './conditions';
import { isGalera } from './engines';
import { type LockPace, withLockRow } from './migration-lock';

/** How long one attempt to take the lock waits. Attempts repeat while another process holds it. */
const WAIT_SECONDS = 60;

/** A migration and whether the database has it. */
export interface MigrationState {
  name: string;
  /** `unknown`: a newer version applied it, and this version does not know it. */
  state: 'applied' | 'pending' | 'unknown';
  /** Milliseconds since 1970. Null for a pending migration and for one that ran before the time was recorded. */
  appliedAt: number | null;
}

/** The database does not have this version's schema. The message says what to do. */
export class SchemaMismatch extends Error {
  override readonly name = 'SchemaMismatch';
}

/**
 * Brings the schema up to date and returns the names of the migrations that ran. When two processes call it at once,
 * the second waits until the first is done or has died.
 * @param waiting is called whenever this begins to wait for another process.
 * @param pace of the lock of a cluster.
 * @throws SchemaMismatch for the database of a newer version, which it leaves unchanged.
 */
export async function migrate(
  database: Database,
  waiting: () => void = () => undefined,
  pace?: LockPace,
): Promise<string[]> {
  if (database.dialect.engine !== 'sqlite') {
    if (!(await isGalera(database.source))) return migrateServer(database, waiting);
    return withLockRow(database.source, () => migrateServer(database, waiting), waiting, pace);
  }
  // A second process waits for the transaction of the first, and then finds nothing to do.
  return database.run(() => runPending(database));
}

/**
 * All migrations that this version knows, in order, and then those that it does not know. In a database without tables, all
 * are pending. Writes nothing.
 */
export async function migrationStates(database: Database): Promise<MigrationState[]> {
  const runner = database.source.createQueryRunner();
  try {
    return await statesOver(runner, database);
  } finally {
    await runner.release();
  }
}

async function statesOver(runner: QueryRunner, database: Database): Promise<MigrationState[]> {
  const applied = new Map((await appliedIn(runner)).map((row) => [row.name, row.appliedAt]));
  const known = namesKnown(database);
  return [
    ...known.map((name): MigrationState => {
      const state = applied.has(name) ? 'applied' : 'pending';
      return { name, state, appliedAt: applied.get(name) ?? null };
    }),
    ...[...applied].flatMap(([name, appliedAt]): MigrationState[] =>
      known.includes(name) ? [] : [{ name, state: 'unknown', appliedAt }],
    ),
  ];
}

/** @throws SchemaMismatch unless the database has exactly this version's schema. */
export async function checkSchema(database: Database): Promise<void> {
  const states = await migrationStates(database);
  refuseNewer(states);
  const pending = states.filter(({ state }) => state === 'pending');
  if (pending.length > 0)
    throw new SchemaMismatch(
      `The database lacks ${named(pending)} of this version; run the command migrate first, or start the service, which does the same.`,
    );
}

function refuseNewer(states: readonly MigrationState[]): void {
  const unknown = states.filter(({ state }) => state === 'unknown');
  if (unknown.length > 0)
    throw new SchemaMismatch(
      `The database belongs to a newer version: this one does not know ${named(unknown)}; run that version, or a later one.`,
    );
}

function named([first, ...others]: readonly MigrationState[]): string {
  return `the migration ${first!.name}${others.length > 0 ? ` and ${others.length} more` : ''}`;
}

const namesKnown = ({ source }: Database): string[] => source.migrations.map(({ name }) => name!);

async function appliedIn(runner: QueryRunner): Promise<{ name: string; appliedAt: number | null }[]> {
  if (!(await runner.hasTable('migration'))) return [];
  const hasTimes = await runner.hasColumn('migration', 'applied_at');
  return (await runner.query(
    `SELECT name, ${hasTimes ? 'applied_at' : 'NULL'} AS appliedAt FROM migration ORDER BY id`,
  )) as { name: string; appliedAt: number | null }[];
}

async function migrateServer(database: Database, waiting: () => void): Promise<string[]> {
  // The lock belongs to a connection. The migrations use the same connection, as it may be the only one.
  const runner = database.source.createQueryRunner();
  try {
    // Lock names have at most 64 characters, and a database name alone may be that long.
    const name = "CONCAT('itembank.migrate.', LEFT(SHA2(DATABASE(), 256), 32))";
    // The server frees the lock when the process that holds it dies, so this never waits forever.
    for (let seconds = 0; !(await takeLock(runner, name, seconds)); seconds = WAIT_SECONDS) waiting();
    try {
      return await runPending(database, runner);
    } finally {
      await runner.query(`SELECT RELEASE_LOCK(${name})`);
    }
  } finally {
    await runner.release();
  }
}

async function takeLock(runner: QueryRunner, name: string, seconds: number): Promise<boolean> {
  const [{ taken }] = (await runner.query(`SELECT GET_LOCK(${name}, ${seconds}) AS taken`)) as [{ taken: unknown }];
  return Number(taken) === 1;
}

/** @param runner with the connection to use. Absent: a transaction is already open. */
async function runPending(database: Database, runner?: QueryRunner): Promise<string[]> {
  const through = runner ?? database.source.createQueryRunner();
  refuseNewer(await statesOver(through, database));
  const executor = new MigrationExecutor(database.source, runner);
  executor.transaction = runner ? 'each' : 'none';
  const ran = (await executor.executePendingMigrations()).map(({ name }) => name);
  await note(through, ran);
  return ran;
}

/** Records when the migrations ran. TypeORM owns the table and writes only its own columns. */
async function note(runner: QueryRunner, ran: readonly string[]): Promise<void> {
  if (ran.length === 0 || !(await runner.hasColumn('migration', 'applied_at'))) return;
  const names = questionMarks(ran.length);
  await runner.query(`UPDATE migration SET applied_at = ? WHERE name IN (${names})`, [Date.now(), ...ran]);
}
