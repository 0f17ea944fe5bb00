import { createHash } from 'node:crypto';
import { type Database } from '#platform';

/** A digest of all that is stored: equal exactly when no row of any table was added, changed or taken away. */
export async function stateOf(database: Database): Promise<string> {
  const hash = createHash('sha256');
  for (const table of await tablesOf(database)) {
    const rows = await database.rows<Record<string, unknown>>(`SELECT * FROM ${table}`);
    hash.update(
      `${table}\n${rows
        .map((row) => JSON.stringify(row))
        .sort()
        .join('\n')}\n`,
    );
  }
  return hash.digest('hex');
}

const tables = new WeakMap<Database, string[]>();

async function tablesOf(database: Database): Promise<string[]> {
  const known = tables.get(database);
  if (known) return known;
  const rows = await database.rows<{ name: string }>(
    database.dialect.engine === 'sqlite'
      ? `SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name`
      : `SELECT table_name AS name FROM information_schema.tables WHERE table_schema = DATABASE() ORDER BY table_name`,
  );
  const names = rows.map(({ name }) => name);
  tables.set(database, names);
  return names;
}
