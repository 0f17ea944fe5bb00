import { createHash } from 'node:crypto';
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { type Database } from '#platform';

/**
 * Tables that do not count as content. Leases change without requests, and refused sign-ins raise the counts of wrong
 * passwords.
 */
const HOUSEKEEPING = ['job_lease', 'event_stream', 'sign_in_failure'];

/**
 * Returns a checksum of all content. It changes exactly when a process adds, changes or removes a row or a file. It reads the
 * whole database.
 */
export async function contentOf(database: Database, folder: string): Promise<string> {
  return `${await rowsOf(database)}\n${await filesOf(folder)}`;
}

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

async function rowsOf(database: Database): Promise<string> {
  const tables = (await tablesOf(database)).filter((name) => !HOUSEKEEPING.includes(name));
  if (database.dialect.engine === 'sqlite') {
    const hash = createHash('sha256');
    for (const table of tables)
      for (const row of await database.rows(`SELECT * FROM ${table}`)) hash.update(JSON.stringify(row));
    return hash.digest('hex');
  }
  const sums = await database.rows<{ Table: string; Checksum: number | string | null }>(
    `CHECKSUM TABLE ${tables.join(', ')} EXTENDED`,
  );
  return sums.map(({ Table, Checksum }) => `${Table} ${Checksum}`).join('\n');
}

async function tablesOf(database: Database): Promise<string[]> {
  const rows = await database.rows<{ name: string }>(
    database.dialect.engine === 'sqlite'
      ? `SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite%' ORDER BY name`
      : 'SELECT table_name AS name FROM information_schema.tables WHERE table_schema = DATABASE() ORDER BY table_name',
  );
  return rows.map(({ name }) => name);
}
