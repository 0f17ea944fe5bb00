import { MigrationExecutor, type QueryRunner } from 'typeorm';
import { type Database } from './database';
import { questionMarks } from './conditions';

/** How long one question for the lock waits; it is asked again for as long as another process holds it. */
const WAIT_SECONDS = 60;

/** A step of the schema, as a database has it or is still to get it. */
export interface MigrationState {
  name: string;
  /** `unknown`: applied by a newer version; this one does not know it. */
  state: 'applied' | 'pending' | 'unknown';
  /** Milliseconds since 1970; null where it is not known: of a pending one, and of those applied before it was noted. */
  appliedAt: number | null;
}

/** The database is not that of this version: its message says what to do. */
export class SchemaMismatch extends Error {
  override readonly name = 'SchemaMismatch';
}

/**
 * Brings the schema up to date; returns the names of the migrations that ran. Two processes at once do it once: the second
 * waits for as long as the first one lives.
 * @param waiting called each time it begins to wait for another process.
 * @throws SchemaMismatch for the database of a newer version, of which nothing is changed.
 */
export async function migrate(database: Database, waiting: () => void = () => undefined): Promise<string[]> {
  if (database.dialect.engine !== 'sqlite') return migrateServer(database, waiting);
  // Of two processes the second waits for the first one's transaction and finds the work done.
  return database.run(() => runPending(database));
}

/**
 * All steps that this version knows, in their order, then those that it does not know. Writes nothing: where a database has
 * no tables yet, all are pending.
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

/** @throws SchemaMismatch unless the database has exactly the schema of this version. */
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
  const noted = await runner.hasColumn('migration', 'applied_at');
  return (await runner.query(
    `SELECT name, ${noted ? 'applied_at' : 'NULL'} AS appliedAt FROM migration ORDER BY id`,
  )) as { name: string; appliedAt: number | null }[];
}

async function migrateServer(database: Database, waiting: () => void): Promise<string[]> {
  // The lock belongs to a connection; the work goes over the same one, as there may be no other.
  const runner = database.source.createQueryRunner();
  try {
    // A name may have 64 characters, and a database alone may have as many.
    const name = "CONCAT('itembank.migrate.', LEFT(SHA2(DATABASE(), 256), 32))";
    // A process that dies loses its connection, and with it the lock: nobody waits for one that is gone.
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

/** @param runner with the connection to use. Absent: a transaction is open already. */
async function runPending(database: Database, runner?: QueryRunner): Promise<string[]> {
  const through = runner ?? database.source.createQueryRunner();
  refuseNewer(await statesOver(through, database));
  const executor = new MigrationExecutor(database.source, runner);
  executor.transaction = runner ? 'each' : 'none';
  const ran = (await executor.executePendingMigrations()).map(({ name }) => name);
  await note(through, ran);
  return ran;
}

/** Notes when the steps were applied. The table is TypeORM's, which writes none but its own columns. */
async function note(runner: QueryRunner, ran: readonly string[]): Promise<void> {
  if (ran.length === 0 || !(await runner.hasColumn('migration', 'applied_at'))) return;
  const names = questionMarks(ran.length);
  await runner.query(`UPDATE migration SET applied_at = ? WHERE name IN (${names})`, [Date.now(), ...ran]);
}
