import { type Database } from '#platform';

/** A text that changes exactly when a row of any table is added, changed or removed. */
export async function stateOf(database: Database): Promise<string> {
  if (database.dialect.engine === 'sqlite') {
    // Changes when another connection commits. Reads have their own connection.
    const { data_version } = (await database.row<{ data_version: number }>('PRAGMA data_version'))!;
    return String(data_version);
  }
  // The server reads every row but returns only a small result.
  const sums = await database.rows<{ Table: string; Checksum: number | string | null }>(
    `CHECKSUM TABLE ${(await tablesOf(database)).join(', ')} EXTENDED`,
  );
  return sums.map(({ Table, Checksum }) => `${Table} ${Checksum}`).join('\n');
}

const tables = new WeakMap<Database, string[]>();

async function tablesOf(database: Database): Promise<string[]> {
  const known = tables.get(database);
  if (known) return known;
  const rows = await database.rows<{ name: string }>(
    'SELECT table_name AS name FROM information_schema.tables WHERE table_schema = DATABASE() ORDER BY table_name',
  );
  const names = rows.map(({ name }) => name);
  tables.set(database, names);
  return names;
}
