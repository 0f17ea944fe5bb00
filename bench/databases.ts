import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createConnection, createPool, type Pool } from 'mysql2/promise';
import { Database, migrate } from '#platform';
import { type RunningServer, startServer } from '../test/support/servers/servers';
import { seed } from './seed';
import { LONG_LISTS } from './statements';

export type Engine = 'mariadb' | 'mysql';
export const ENGINES: readonly Engine[] = ['mariadb', 'mysql'];

/** A filled bank on a server. */
export interface BenchDatabase {
  engine: Engine;
  version: string;
  /** Contains the name of the database. */
  url: string;
  /** For direct statements that bypass the service. */
  pool(connections: number): Pool;
  close(): Promise<void>;
}

const NAME = 'itembank_bench';
const EMPTY_NAME = 'itembank_bench_empty';

/**
 * Settings as in production: commits are on disk, and the data fit into memory. The servers of the tests have other
 * settings.
 */
const PRODUCTION_SETTINGS: Record<Engine, string[]> = {
  mariadb: [
    'innodb_flush_log_at_trx_commit = 1',
    'innodb_buffer_pool_size = 2147483648',
    'innodb_log_file_size = 536870912',
  ],
  mysql: [
    'innodb_flush_log_at_trx_commit = 1',
    'innodb_buffer_pool_size = 2147483648',
    'innodb_redo_log_capacity = 1073741824',
  ],
};

/**
 * Starts the server, or uses the one in TEST_MARIADB_URL or TEST_MYSQL_URL, and fills a database of its own name.
 */
export async function openBenchDatabase(engine: Engine, items: number): Promise<BenchDatabase> {
  const server = await startServer(engine, 'durable');
  try {
    const url = `${server.url.replace(/\/$/, '')}/${NAME}`;
    await prepare(server, engine, NAME);
    const database = await Database.open(url);
    try {
      await migrate(database);
      const start = performance.now();
      await seed(database, items);
      note(
        `${engine} ${server.version}: ${items} items filled in ${((performance.now() - start) / 1000).toFixed(0)} s`,
      );
      return {
        engine,
        version: server.version,
        url,
        pool: (connections) => openPool(url, connections),
        close: () => leave(server, NAME),
      };
    } finally {
      await database.close();
    }
  } catch (error) {
    await server.stop();
    throw error;
  }
}

/** A filled bank in an embedded file of a temporary folder. */
export async function openBenchFile(items: number): Promise<Pick<BenchDatabase, 'url' | 'close'>> {
  const folder = await mkdtemp(join(tmpdir(), 'itembank-bench-'));
  const url = `file:${join(folder, 'bench.sqlite')}`;
  const database = await Database.open(url);
  try {
    await migrate(database);
    await seed(database, items);
  } finally {
    await database.close();
  }
  return { url, close: () => rm(folder, { recursive: true, force: true }) };
}

/** An empty database on such a server. */
export async function openEmptyDatabase(
  engine: Engine,
): Promise<Pick<BenchDatabase, 'engine' | 'version' | 'url' | 'close'>> {
  const server = await startServer(engine, 'durable');
  await prepare(server, engine, EMPTY_NAME);
  const url = `${server.url.replace(/\/$/, '')}/${EMPTY_NAME}`;
  return { engine, version: server.version, url, close: () => leave(server, EMPTY_NAME) };
}

async function prepare(server: RunningServer, engine: Engine, name: string): Promise<void> {
  const connection = await createConnection(server.url);
  try {
    if (!isExternal(server))
      for (const setting of PRODUCTION_SETTINGS[engine]) await connection.query(`SET GLOBAL ${setting}`);
    await connection.query(`DROP DATABASE IF EXISTS ${name}`);
    await connection.query(`CREATE DATABASE ${name}`);
  } finally {
    await connection.end();
  }
}

async function leave(server: RunningServer, name: string): Promise<void> {
  if (isExternal(server)) {
    const connection = await createConnection(server.url);
    await connection.query(`DROP DATABASE IF EXISTS ${name}`);
    await connection.end();
  }
  await server.stop();
}

/** Whether somebody else runs the server. Then its settings stay as they are. */
const isExternal = (server: RunningServer): boolean => server.from.startsWith('TEST_');

function openPool(url: string, connections: number): Pool {
  const pool = createPool({ uri: url, charset: 'utf8mb4', connectionLimit: connections, supportBigNumbers: true });
  // The events of the promise API carry connections of the callback API.
  pool.pool.on('connection', (connection) => {
    connection.query('SET SESSION TRANSACTION ISOLATION LEVEL READ COMMITTED');
    connection.query(LONG_LISTS);
  });
  return pool;
}

export const note = (text: string): void => void process.stderr.write(`${text}\n`);
