import { type Database } from '#platform';

export interface StoredColumn {
  type: 'text' | 'integer';
  nullable: boolean;
}

export interface StoredTable {
  columns: Record<string, StoredColumn>;
  primaryKey: string[];
  /** Columns of each index except the primary key, by index name. */
  indexes: Record<string, { unique: boolean; columns: string[] }>;
}

/** The schema as the database describes it, in terms that all engines share. */
export async function storedSchema(database: Database): Promise<Record<string, StoredTable>> {
  const tables = database.dialect.engine === 'sqlite' ? await sqliteTables(database) : await serverTables(database);
  // TypeORM creates the table with the list of migrations.
  delete tables.migration;
  return tables;
}

const typeOf = (type: string): StoredColumn['type'] => (/int/i.test(type) ? 'integer' : 'text');

async function sqliteTables(database: Database): Promise<Record<string, StoredTable>> {
  const tables: Record<string, StoredTable> = {};
  const names = await database.rows<{ name: string }>(
    `SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'`,
  );
  for (const { name } of names) {
    const columns = await database.rows<{ name: string; type: string; notnull: number; pk: number }>(
      `SELECT name, type, "notnull", pk FROM pragma_table_info(?)`,
      [name],
    );
    const table: StoredTable = {
      columns: Object.fromEntries(
        columns.map((column) => [column.name, { type: typeOf(column.type), nullable: column.notnull === 0 }]),
      ),
      primaryKey: columns
        .filter(({ pk }) => pk > 0)
        .sort((a, b) => a.pk - b.pk)
        .map((column) => column.name),
      indexes: {},
    };
    const parts = await database.rows<{ name: string; unique: number; column: string }>(
      `SELECT l.name, l."unique", i.name AS "column" FROM pragma_index_list(?) l JOIN pragma_index_info(l.name) i
       WHERE l.origin <> 'pk' ORDER BY l.name, i.seqno`,
      [name],
    );
    for (const part of parts) addTo(table, part.name, part.unique === 1, part.column);
    tables[name] = table;
  }
  return tables;
}

async function serverTables(database: Database): Promise<Record<string, StoredTable>> {
  const tables: Record<string, StoredTable> = {};
  const columns = await database.rows<{ tbl: string; col: string; type: string; nullable: string }>(
    `SELECT table_name AS tbl, column_name AS col, data_type AS type, is_nullable AS nullable
     FROM information_schema.columns WHERE table_schema = DATABASE() ORDER BY table_name, ordinal_position`,
  );
  for (const { tbl, col, type, nullable } of columns) {
    const table = (tables[tbl] ??= { columns: {}, primaryKey: [], indexes: {} });
    table.columns[col] = { type: typeOf(type), nullable: nullable === 'YES' };
  }
  const parts = await database.rows<{ tbl: string; name: string; open: number | string; col: string }>(
    `SELECT table_name AS tbl, index_name AS name, non_unique AS open, column_name AS col
     FROM information_schema.statistics WHERE table_schema = DATABASE() ORDER BY table_name, index_name, seq_in_index`,
  );
  for (const { tbl, name, open, col } of parts) {
    const table = tables[tbl]!;
    if (name === 'PRIMARY') table.primaryKey.push(col);
    else addTo(table, name, Number(open) === 0, col);
  }
  return tables;
}

function addTo(table: StoredTable, index: string, unique: boolean, column: string): void {
  (table.indexes[index] ??= { unique, columns: [] }).columns.push(column);
}
