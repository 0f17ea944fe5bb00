import { closeSync, openSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  type Connection as DriverConnection,
  createConnection,
  type Pool,
  type PoolConnection,
  type QueryError,
  type ResultSetHeader,
} from 'mysql2';
import { DataSource, type DataSourceOptions, type QueryRunner } from 'typeorm';
import { makeFolder } from '../files/make-folder';
import { connectedDialects } from './connected-dialects';
import { type Dialect, mysqlDialect, sqliteDialect } from './dialect';
import { migrations } from './migrations';
import { ServerProbe } from './server-probe';

/** Runs statements with `?` for parameters. */
export interface Connection {
  /** Runs a SELECT and returns its rows. */
  rows(sql: string, parameters: readonly Parameter[]): Promise<unknown[]>;
  /** Runs any other statement. Returns the number of changed rows. */
  write(sql: string, parameters: readonly Parameter[]): Promise<number>;
}

/** A connection for one transaction. */
export interface OwnConnection extends Connection {
  /** @param usable whether the transaction on it has ended. */
  release(usable: boolean): Promise<void>;
}

/** A parameter of a statement. */
export type Parameter = string | number | null;

/** The use of a process's database connections. */
export interface Connections {
  max: number;
  open: number;
  inUse: number;
  /** Callers that wait for a connection. */
  waiting: number;
}

export interface Opened {
  dialect: Dialect;
  /** Runs each statement by itself. */
  reader: Pick<Connection, 'rows'>;
  connect(): Promise<OwnConnection>;
  /** Resolves when the database answers over a separate connection. */
  check(limit: AbortSignal): Promise<void>;
  /** Closes the connection of `check`. */
  close(): void;
  /** The largest statement that the server accepts, in bytes. */
  longestStatement?: number;
  /** Only servers have it. */
  connections?(): Connections;
}

/** How long a process waits for another process that locks an embedded file. */
const EMBEDDED_WAIT_MS = 15_000;

/** Asks again, without blocking this process, while another process opens an embedded file or writes to it. */
export async function untilFree<T>(ask: () => Promise<T>): Promise<T> {
  const until = Date.now() + EMBEDDED_WAIT_MS;
  for (;;) {
    try {
      return await ask();
    } catch (error) {
      if (!sqliteDialect.isDeadlock(error) || Date.now() > until) throw error;
      await sleep(5 + Math.random() * 20);
    }
  }
}

/** How the driver reads values. */
const VALUES = {
  charset: 'utf8mb4',
  timezone: 'Z',
  supportBigNumbers: true,
  // All whole numbers here are times in milliseconds and counts, which fit into a JavaScript number.
  bigNumberStrings: false,
} as const;
/** Keep JSON from the server as text. Callers parse it if they need to. */
const JSON_AS_TEXT = { jsonStrings: true } as const;
const CONNECT_TIMEOUT_MS = 5_000;

const MIGRATIONS = { migrations, migrationsTableName: 'migration' } as const;

/** @param connections the largest number of connections to a server. */
export function optionsOf(url: string, connections: number): DataSourceOptions {
  if (!url.startsWith('file:'))
    return {
      type: 'mysql',
      url,
      ...VALUES,
      poolSize: connections,
      connectTimeout: CONNECT_TIMEOUT_MS,
      extra: { ...JSON_AS_TEXT, maxPreparedStatements: MAX_PREPARED_STATEMENTS },
      ...MIGRATIONS,
    };
  return {
    type: 'better-sqlite3',
    // eslint-disable-next-line @typescript-eslint/no-require-imports -- libsql ships no types for its driver form
    driver: require('libsql') as unknown,
    database: url.slice('file:'.length),
    enableWAL: true,
    // Waiting here blocks the process. So wait briefly here, and retry without blocking in `untilFree`.
    timeout: 50,
    statementCacheSize: 200,
    ...MIGRATIONS,
  };
}

/** Connects, and creates the file of an embedded database. */
export async function connectSource(options: DataSourceOptions): Promise<DataSource> {
  if (options.type !== 'better-sqlite3') return new DataSource(options).initialize();
  makeFolder(dirname(resolve(options.database)));
  makeForUser(options.database);
  const source = await untilFree(() => new DataSource(options).initialize());
  try {
    await source.query('PRAGMA synchronous = NORMAL');
    // 40 MB of the log. A batch of an import fills the default of 4 MB, and each commit then waits for the disk.
    await source.query('PRAGMA wal_autocheckpoint = 10000');
    return source;
  } catch (error) {
    await source.destroy();
    throw error;
  }
}

/** Creates a file that only its user can read: it will have the answers of learners. The files of its log get the same mode. */
function makeForUser(file: string): void {
  try {
    closeSync(openSync(file, 'wx', 0o600));
  } catch {
    // It exists, or the engine says why it cannot.
  }
}

/** @param reader a second connection, so that reads need not wait for a transaction. */
export function openSqlite(writer: DataSource, reader: DataSource): Opened {
  connectedDialects.set(writer, sqliteDialect);
  return {
    dialect: sqliteDialect,
    reader: { rows: (sql, parameters) => reader.query(sql, parameters as Parameter[]) },
    connect: async () => embedded(writer.createQueryRunner()),
    check: async () => void (await reader.query(`SELECT 1 FROM ${MIGRATIONS.migrationsTableName} LIMIT 1`)),
    close: () => undefined,
  };
}

function embedded(runner: QueryRunner): OwnConnection {
  return {
    rows: (sql, parameters) => runner.query(sql, parameters as Parameter[]),
    write: async (sql, parameters) => (await runner.query(sql, parameters as Parameter[], true)).affected ?? 0,
    release: () => runner.release(),
  };
}

/**
 * The driver escapes quotes by backslashes, whatever the server takes: with NO_BACKSLASH_ESCAPES, texts of callers would
 * end their literals. Strict, so that a server cuts no text off.
 */
const SQL_MODE = "SET SESSION sql_mode = 'STRICT_ALL_TABLES,NO_ENGINE_SUBSTITUTION'";

const SESSION = [
  SQL_MODE,
  // Parallel writers deadlock hundreds of times more often under REPEATABLE READ.
  'SET SESSION TRANSACTION ISOLATION LEVEL READ COMMITTED',
  // After this many seconds without the lock, the whole unit of work runs again.
  'SET SESSION innodb_lock_wait_timeout = 5',
];

/** On a node of Galera: a read waits until the node has all that the other nodes had committed before (decision 102). */
const SYNC_READS = 'SET SESSION wsrep_sync_wait = @@wsrep_sync_wait | 1';

export async function openMysql(source: DataSource): Promise<Opened> {
  const session = (await isGalera(source)) ? [...SESSION, SYNC_READS] : SESSION;
  const prepare = (connection: { query(sql: string): unknown }) => {
    for (const statement of session) void connection.query(statement);
  };
  // The pool has this connection from `initialize`. Later connections are set up when they open.
  for (const statement of session) await source.query(statement);
  const { pool } = source.driver as unknown as { pool: Pool };
  pool.on('connection', prepare);
  const [{ version, longest }] = await source.query<[{ version: string; longest: number | string }]>(
    'SELECT VERSION() AS version, @@max_allowed_packet AS longest',
  );
  const dialect = mysqlDialect(/mariadb/i.test(version) ? 'mariadb' : 'mysql');
  connectedDialects.set(source, dialect);
  const probe = new ServerProbe(pool, MIGRATIONS.migrationsTableName);
  return {
    dialect,
    reader: {
      rows: async (sql, parameters) => {
        const connection = await connectionOf(pool);
        try {
          return await ask<unknown[]>(connection, sql, parameters);
        } finally {
          connection.release();
        }
      },
    },
    connect: async () => pooled(await connectionOf(pool)),
    check: (limit) => probe.check(limit),
    close: () => probe.close(),
    longestStatement: Number(longest),
    connections: () => busy(pool, (source.options as { poolSize: number }).poolSize),
  };
}

/**
 * One connection to a server, which reads only. It never connects again: behind an address there may be several servers.
 * @throws Error of the driver.
 */
export async function openReading(url: string): Promise<Pick<Connection, 'rows'> & { close(): void }> {
  const connection = createConnection({ uri: url, connectTimeout: CONNECT_TIMEOUT_MS, ...VALUES, ...JSON_AS_TEXT });
  // Statements that follow an error report it. Without a listener, it would end the process.
  connection.on('error', () => undefined);
  const rows: Connection['rows'] = (sql, parameters) => ask<unknown[]>(connection, sql, parameters);
  try {
    await rows(SQL_MODE, []);
    await rows('SET SESSION TRANSACTION ISOLATION LEVEL READ COMMITTED, READ ONLY', []);
  } catch (error) {
    connection.destroy();
    throw error;
  }
  return { rows, close: () => connection.destroy() };
}

/** Whether the server is a node of a Galera cluster. Other servers do not know the variable. */
export async function isGalera(source: Pick<DataSource, 'query'>): Promise<boolean> {
  const rows = await source.query<{ Value: string }[]>("SHOW GLOBAL VARIABLES LIKE 'wsrep_on'");
  return rows[0]?.Value === 'ON';
}

/** Reads the pool's private lists, because the driver has no other way to ask. Without them the number is unknown. */
function busy(pool: Pool, max: number): Connections {
  const lists = pool as unknown as Record<
    '_allConnections' | '_freeConnections' | '_connectionQueue',
    { length: number }
  >;
  const open = lists._allConnections?.length ?? NaN;
  return {
    max,
    open,
    inUse: open - (lists._freeConnections?.length ?? NaN),
    waiting: lists._connectionQueue?.length ?? NaN,
  };
}

/**
 * One of the pool's connections, once one is free. The caller releases it. Reads also take a connection: a query on
 * the pool itself keeps all its rows in memory until the next full garbage collection when time passes between
 * statements (decision 44).
 */
function connectionOf(pool: Pool): Promise<PoolConnection> {
  return new Promise((resolve, reject) =>
    pool.getConnection((error, free) => {
      if (!error) resolve(free);
      // The driver does not say this of a server that refuses the connection.
      else reject(Object.assign(error, { fatal: true }));
    }),
  );
}

function pooled(connection: PoolConnection): OwnConnection {
  return {
    rows: (sql, parameters) => ask<unknown[]>(connection, sql, parameters),
    write: async (sql, parameters) =>
      (await ask<ResultSetHeader>(connection, sql, parameters, isBestPrepared(parameters))).affectedRows,
    release: async (usable) => (usable ? connection.release() : connection.destroy()),
  };
}

/** Prepared statements that a connection keeps open. A server allows about 16,000 in total. */
const MAX_PREPARED_STATEMENTS = 100;

/**
 * From this many characters, sending a text as a parameter is cheaper than escaping it into the statement. Many small
 * texts are the opposite: each costs more as a parameter.
 */
const LONG_TEXT = 8_192;
const LONG_FOR_EACH = 64;

/** The protocol counts the parameters of a prepared statement in two bytes. */
const MAX_PREPARED_PARAMETERS = 65_535;

function isBestPrepared(parameters: readonly Parameter[]): boolean {
  const count = parameters.length;
  if (count > MAX_PREPARED_PARAMETERS) return false;
  let length = 0;
  for (const parameter of parameters) if (typeof parameter === 'string') length += parameter.length;
  return length >= LONG_TEXT && length >= count * LONG_FOR_EACH;
}

/** Calls the driver directly. TypeORM's layers cost as much as the statement itself. */
async function ask<T>(
  through: DriverConnection,
  sql: string,
  parameters: readonly Parameter[],
  isPrepared = false,
): Promise<T> {
  try {
    return await new Promise<T>((resolve, reject) => {
      const done = (error: QueryError | null, result: unknown) => (error ? reject(error) : resolve(result as T));
      if (isPrepared) through.execute(sql, parameters as Parameter[], done);
      else through.query(sql, parameters as Parameter[], done);
    });
  } catch (error) {
    // The driver's stack trace starts at the network. Only this one shows the caller.
    Error.captureStackTrace(error as Error);
    throw error;
  }
}
