import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createConnection } from 'mysql2/promise';

/** The databases that every suite runs on; `TEST_ENGINES` chooses among them. */
export type Engine = 'sqlite' | 'mariadb' | 'mysql';

const ALL: Engine[] = ['sqlite', 'mariadb', 'mysql'];

export const engines: Engine[] = (process.env.TEST_ENGINES?.split(',') as Engine[] | undefined) ?? ALL;

/** An empty database of its own for one suite. */
export interface EmptyDatabase {
  url: string;
  drop(): Promise<void>;
}

/** @param nameLength at least as many characters has the name of the database; at most 64. */
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
