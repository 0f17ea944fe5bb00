import { type Database } from './database';

/** The size of the database and of its tables, as far as the engine knows it without reading them. */
interface Storage {
  /** Bytes of the whole database. */
  bytes: number;
  /** The largest tables first. */
  tables: {
    name: string;
    rows: number;
    /** Whether `rows` is an estimate of the server, or the number at which counting stopped. */
    isRough: boolean;
    /** Bytes with indexes; null if the engine does not record them. */
    bytes: number | null;
  }[];
}

/**
 * Counting the rows of a table stops at this number. SQLite records no counts, so this limits the cost of a large
 * table.
 */
const MAX_COUNTED = 10_000;

/** Takes limited time, whatever the size of the database. */
export async function readStorage(database: Database): Promise<Storage> {
  const found = database.dialect.engine === 'sqlite' ? await ofFile(database) : await ofServer(database);
  found.tables.sort((a, b) => (b.bytes ?? 0) - (a.bytes ?? 0) || b.rows - a.rows || (a.name < b.name ? -1 : 1));
  return found;
}

async function ofFile(database: Database): Promise<Storage> {
  const size = await database.row<{ pages: number; page_size: number }>(
    'SELECT page_count AS pages, page_size FROM pragma_page_count(), pragma_page_size()',
  );
  const names = await database.rows<{ name: string }>(
    // A full-text index is a virtual table, with tables of its own behind it.
    `SELECT name FROM pragma_table_list WHERE schema = 'main' AND type = 'table' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'`,
  );
  const tables: Storage['tables'] = [];
  for (const { name } of names) {
    const counted = await database.row<{ number: number }>(
      `SELECT COUNT(*) AS number FROM (SELECT 1 FROM "${name}" LIMIT ${MAX_COUNTED + 1})`,
    );
    const rows = Math.min(counted!.number, MAX_COUNTED);
    tables.push({ name, rows, isRough: counted!.number > MAX_COUNTED, bytes: null });
  }
  return { bytes: size!.pages * size!.page_size, tables };
}

async function ofServer(database: Database): Promise<Storage> {
  const rows = await database.rows<{ name: string; number: number | string | null; bytes: number | string | null }>(
    `SELECT table_name AS name, table_rows AS number, data_length + index_length AS bytes
     FROM information_schema.tables WHERE table_schema = DATABASE() AND table_type = 'BASE TABLE'`,
  );
  const tables = rows.map(({ name, number, bytes }) => ({
    name,
    rows: Number(number ?? 0),
    isRough: true,
    bytes: Number(bytes ?? 0),
  }));
  return { bytes: tables.reduce((sum, { bytes }) => sum + bytes, 0), tables };
}
