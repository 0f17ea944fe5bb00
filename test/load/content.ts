import { createHash } from 'node:crypto';
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { type Database } from '#platform';

/**
 * Tables that do not count as content. Leases change without requests, and refused sign-ins raise the counts of wrong
 * passwords.
 */
const HOUSEKEEPING = ['job_lease', 'event_stream', 'sign_in_failure'];
/** Every call of a person, even a refused one, may set the column `seen_at` of this table. */
const SIGN_IN = 'sign_in';

/** Checksums by table, and one for all files. */
type Content = ReadonlyMap<string, string>;

/**
 * Returns checksums of all content. They change exactly when a process adds, changes or removes a row or a file. Reads the
 * whole database.
 */
export async function contentOf(database: Database, folder: string): Promise<Content> {
  const tables = (await tablesOf(database)).filter((name) => !HOUSEKEEPING.includes(name));
  const sums = new Map([['files', await filesOf(folder)]]);
  const isServer = database.dialect.engine !== 'sqlite';
  for (const table of isServer ? [SIGN_IN] : tables) {
    const hash = createHash('sha256');
    for (const row of await database.rows<Record<string, unknown>>(`SELECT * FROM ${table} ORDER BY 1`)) {
      if (table === SIGN_IN) delete row.seen_at;
      hash.update(JSON.stringify(row));
    }
    sums.set(table, hash.digest('hex'));
  }
  if (isServer) {
    const others = tables.filter((table) => table !== SIGN_IN);
    const rows = await database.rows<{ Table: string; Checksum: number | string | null }>(
      `CHECKSUM TABLE ${others.join(', ')} EXTENDED`,
    );
    for (const { Table, Checksum } of rows) sums.set(Table.split('.').at(-1)!, String(Checksum));
  }
  return sums;
}

/** The names of the tables that differ. */
export const changedTables = (before: Content, after: Content): string =>
  [...after]
    .filter(([name, sum]) => before.get(name) !== sum)
    .map(([name]) => name)
    .join(', ');

/** Hashes the names, sizes and times of all files, except those that the health check writes. */
async function filesOf(folder: string): Promise<string> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const hash = createHash('sha256');
  for (const entry of entries.filter((each) => each.isFile() && !each.name.startsWith('health-'))) {
    const path = join(entry.parentPath, entry.name);
    const { size, mtimeMs } = await stat(path);
    hash.update(`${path} ${size} ${mtimeMs}\n`);
  }
  return hash.digest('hex');
}

async function tablesOf(database: Database): Promise<string[]> {
  const rows = await database.rows<{ name: string }>(
    database.dialect.engine === 'sqlite'
      ? `SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite%' ORDER BY name`
      : 'SELECT table_name AS name FROM information_schema.tables WHERE table_schema = DATABASE() ORDER BY table_name',
  );
  return rows.map(({ name }) => name);
}
