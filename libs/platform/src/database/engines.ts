import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Pool, type PoolConnection, type QueryError, type ResultSetHeader } from 'mysql2';
import { DataSource, type QueryRunner } from 'typeorm';
import { connectedDialects } from './connected-dialects';
import { type Dialect, mysqlDialect, sqliteDialect } from './dialect';
import { migrations } from './migrations';
import { ServerProbe } from './server-probe';

/** Takes statements with `?` for parameters. */
export interface Connection {
  /** Rows of a SELECT. */
  rows(sql: string, parameters: readonly Parameter[]): Promise<unknown[]>;
  /** Runs any other statement. Returns the number of changed rows. */
  write(sql: string, parameters: readonly Parameter[]): Promise<number>;
}

/** A connection for one transaction. */
export interface OwnConnection extends Connection {
  /** @param usable whether the transaction on it has ended. */
  release(usable: boolean): Promise<void>;
}

/** A value that a statement takes for `?`. */
export type Parameter = string | number | null;

/** Connections of a process to its database. */
export interface Connections {
  most: number;
  open: number;
  inUse: number;
  /** What waits for a connection. */
  waiting: number;
}

export interface Opened {
  dialect: Dialect;
  /** For the migration list alone. */
  source: DataSource;
  /** Each statement by itself. */
  reader: Pick<Connection, 'rows'>;
  connect(): Promise<OwnConnection>;
  /** Resolves when the database answers over a connection that nobody else uses. */
  check(limit: AbortSignal): Promise<void>;
  close(): Promise<void>;
  /** The longest statement that the server takes, in bytes. */
  longestStatement?: number;
  /** Of a server. */
  connections?(): Connections;
}

/** How long a process waits for another one that has an embedded file to itself. */
const EMBEDDED_WAIT_MS = 15_000;

/** Another process may be opening an embedded file or writing to it: asks again without blocking this one. */
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

const MIGRATIONS = { migrations, migrationsTableName: 'migration' } as const;

export async function openSqlite(url: string): Promise<Opened> {
  const path = url.slice('file:'.length);
  mkdirSync(dirname(path), { recursive: true });
  // eslint-disable-next-line @typescript-eslint/no-require-imports -- libsql ships no types for its driver form
  const driver: unknown = require('libsql');
  const connect = () =>
    new DataSource({
      type: 'better-sqlite3',
      driver,
      database: path,
      enableWAL: true,
      // Waiting blocks the process: wait briefly here, and again without blocking in `untilFree`.
      timeout: 50,
      statementCacheSize: 200,
      ...MIGRATIONS,
    }).initialize();
  const writer = await untilFree(connect);
  const reader = await untilFree(connect);
  for (const source of [writer, reader]) await source.query('PRAGMA synchronous = NORMAL');
  connectedDialects.set(writer, sqliteDialect);
  return {
    dialect: sqliteDialect,
    source: writer,
    reader: { rows: (sql, parameters) => reader.query(sql, parameters as Parameter[]) },
    connect: async () => embedded(writer.createQueryRunner()),
    check: async () => void (await reader.query(`SELECT 1 FROM ${MIGRATIONS.migrationsTableName} LIMIT 1`)),
    close: async () => {
      await reader.destroy();
      await writer.destroy();
    },
  };
}

function embedded(runner: QueryRunner): OwnConnection {
  return {
    rows: (sql, parameters) => runner.query(sql, parameters as Parameter[]),
    write: async (sql, parameters) => (await runner.query(sql, parameters as Parameter[], true)).affected ?? 0,
    release: () => runner.release(),
  };
}

const SESSION = [
  // Under REPEATABLE READ parallel writers deadlock hundreds of times more often.
  'SET SESSION TRANSACTION ISOLATION LEVEL READ COMMITTED',
  // A lock that is not to be had for so long is tried for again with the whole unit of work.
  'SET SESSION innodb_lock_wait_timeout = 5',
];

export async function openMysql(url: string, connections: number): Promise<Opened> {
  const source = new DataSource({
    type: 'mysql',
    url,
    charset: 'utf8mb4',
    timezone: 'Z',
    poolSize: connections,
    connectTimeout: 5_000,
    supportBigNumbers: true,
    // Whole numbers here are times in milliseconds and counts: they fit.
    bigNumberStrings: false,
    // JSON that the server makes stays text: who wants it parsed parses it.
    extra: { jsonStrings: true, maxPreparedStatements: MAX_PREPARED_STATEMENTS },
    ...MIGRATIONS,
  });
  const prepare = (connection: { query(sql: string): unknown }) => {
    for (const statement of SESSION) void connection.query(statement);
  };
  await source.initialize();
  // The connection that `initialize` left in the pool; further ones are set as they open.
  for (const statement of SESSION) await source.query(statement);
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
    source,
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
    close: async () => {
      probe.close();
      await source.destroy();
    },
    longestStatement: Number(longest),
    connections: () => busy(pool, connections),
  };
}

/** The lists of the driver, which has no other way to ask; of one that has none, what is open is not known. */
function busy(pool: Pool, most: number): Connections {
  const lists = pool as unknown as Record<
    '_allConnections' | '_freeConnections' | '_connectionQueue',
    { length: number }
  >;
  const open = lists._allConnections?.length ?? NaN;
  return {
    most,
    open,
    inUse: open - (lists._freeConnections?.length ?? NaN),
    waiting: lists._connectionQueue?.length ?? NaN,
  };
}

/**
 * One of the pool's connections, once one is free; whoever has it releases it. Reads take one, too: what is asked of the
 * pool itself stays in memory with all its rows until old memory is collected, where time passes between statements
 * (decision 44).
 */
function connectionOf(pool: Pool): Promise<PoolConnection> {
  return new Promise((resolve, reject) => pool.getConnection((error, free) => (error ? reject(error) : resolve(free))));
}

function pooled(connection: PoolConnection): OwnConnection {
  return {
    rows: (sql, parameters) => ask<unknown[]>(connection, sql, parameters),
    write: async (sql, parameters) =>
      (await ask<ResultSetHeader>(connection, sql, parameters, isBestPrepared(parameters))).affectedRows,
    release: async (usable) => (usable ? connection.release() : connection.destroy()),
  };
}

/** So many prepared statements are kept open on a connection; a server keeps some 16,000 for all. */
const MAX_PREPARED_STATEMENTS = 100;

/**
 * Texts of so many characters are better sent as they are than written into the statement, from which they are read again;
 * unless they are in many small pieces, each of which costs more as a parameter than its text does.
 */
const LONG_TEXT = 8_192;
const LONG_FOR_EACH = 64;

/** A prepared statement counts its parameters in two bytes. */
const MAX_PREPARED_PARAMETERS = 65_535;

function isBestPrepared(parameters: readonly Parameter[]): boolean {
  const count = parameters.length;
  if (count > MAX_PREPARED_PARAMETERS) return false;
  let length = 0;
  for (const parameter of parameters) if (typeof parameter === 'string') length += parameter.length;
  return length >= LONG_TEXT && length >= count * LONG_FOR_EACH;
}

/** Straight to the driver: what TypeORM puts between costs as much again as the statement. */
async function ask<T>(
  through: PoolConnection,
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
    // The driver was called by the network; who asked is known here.
    Error.captureStackTrace(error as Error);
    throw error;
  }
}
