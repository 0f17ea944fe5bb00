import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { Redis } from 'ioredis';
import { createConnection } from 'mysql2/promise';

export type Engine = 'sqlite' | 'mariadb' | 'mysql';

const ALL: Engine[] = ['sqlite', 'mariadb', 'mysql'];

const requested = process.env.TEST_ENGINES ? process.env.TEST_ENGINES.split(',').map((name) => name.trim()) : undefined;

/** The databases of suites whose SQL may differ between engines. `TEST_ENGINES` selects some of them. */
export const engines: Engine[] = requested ? ALL.filter((engine) => requested.includes(engine)) : ALL;

/**
 * The database of a suite for which the engine makes no difference. The file name selects it, so that the suites
 * together cover all engines. `npm run test:all` runs each suite on every engine.
 */
export function anEngine(file: string): Engine[] {
  if (process.env.TEST_ALL) return engines;
  const place = [...basename(file)].reduce((sum, letter) => sum + letter.charCodeAt(0), 0);
  return engines.slice(place % engines.length).slice(0, 1);
}

/** A database server, for a suite in which only the embedded database differs. */
export function aServer(): Engine[] {
  const servers = engines.filter((engine) => engine !== 'sqlite');
  return process.env.TEST_ALL ? servers : servers.slice(0, 1);
}

/** The queues that suites run on, also selected by `TEST_ENGINES`. The in-process queue is always included. */
export type QueueEngine = 'in process' | 'redis';

export const queueEngines: QueueEngine[] =
  !requested || requested.includes('redis') ? ['in process', 'redis'] : ['in process'];

/** An empty database for one suite. */
export interface EmptyDatabase {
  url: string;
  drop(): Promise<void>;
}

/** @param nameLength the minimum length of the database's name; at most 64. */
export async function emptyDatabase(engine: Engine, nameLength = 0): Promise<EmptyDatabase> {
  if (engine === 'sqlite') {
    const folder = mkdtempSync(join(tmpdir(), 'itembank-'));
    return {
      url: `file:${join(folder, 'test.sqlite')}`,
      drop: async () => rmSync(folder, { recursive: true, force: true }),
    };
  }
  const server = engine === 'mariadb' ? process.env.TEST_MARIADB_URL : process.env.TEST_MYSQL_URL;
  if (!server) throw new Error(`No ${engine} server was started for the tests: run them through npm test.`);
  const name = `itembank_${randomBytes(6).toString('hex')}`.padEnd(nameLength, '_');
  const execute = async (sql: string) => {
    const connection = await createConnection(server);
    try {
      await connection.query(sql);
    } finally {
      await connection.end();
    }
  };
  await execute(`CREATE DATABASE ${name}`);
  return { url: `${server.replace(/\/$/, '')}/${name}`, drop: () => execute(`DROP DATABASE ${name}`) };
}

/** An empty queue for one suite. */
export interface EmptyQueue {
  /** Absent for the in-process queue. */
  url: string | undefined;
  /** Deletes everything in it, like a Redis server that was emptied. */
  lose(): Promise<void>;
}

export function emptyQueue(engine: QueueEngine): EmptyQueue {
  if (engine === 'in process') return { url: undefined, lose: async () => undefined };
  const server = process.env.TEST_REDIS_URL;
  if (!server) throw new Error('No Redis was started for the tests: run them through npm test.');
  const prefix = `itembank_${randomBytes(6).toString('hex')}`;
  return {
    url: `${server}?prefix=${prefix}`,
    lose: async () => {
      const redis = new Redis(server);
      try {
        const keys = await redis.keys(`*${prefix}*`);
        if (keys.length > 0) await redis.unlink(keys);
      } finally {
        redis.disconnect();
      }
    },
  };
}
