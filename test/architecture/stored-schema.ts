import { type Database } from '#platform';

interface StoredColumn {
  type: 'text' | 'integer';
  nullable: boolean;
}

export interface StoredTable {
  /** Columns that a full-text index covers. */
  fullText: string[];
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
  const names = await database.rows<{ name: string; sql: string }>(
    `SELECT name, sql FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'`,
  );
  const fullTexts = names.filter(({ sql }) => sql.startsWith('CREATE VIRTUAL TABLE'));
  const isOfFullText = (name: string) => fullTexts.some((index) => `${name}_`.startsWith(`${index.name}_`));
  for (const { name } of names.filter((table) => !isOfFullText(table.name))) {
    const columns = await database.rows<{ name: string; type: string; notnull: number; pk: number }>(
      `SELECT name, type, "notnull", pk FROM pragma_table_info(?)`,
      [name],
    );
    const table: StoredTable = {
      fullText: [],
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
  for (const { sql } of fullTexts) showAsServers(tables, sql);
  return tables;
}

/**
 * Removes the number by which a full-text index finds rows. Servers hide it; with SQLite it is a column and the primary
 * key.
 */
function showAsServers(tables: Record<string, StoredTable>, sql: string): void {
  const [, column, name, number] = /fts5\((\w+), content='(\w+)', content_rowid='(\w+)'/.exec(sql)!;
  const table = tables[name!]!;
  expect(table.primaryKey).toEqual([number]);
  delete table.columns[number!];
  const [key, { columns }] = Object.entries(table.indexes)[0]!;
  delete table.indexes[key];
  Object.assign(table, { primaryKey: columns, fullText: [column] });
}

async function serverTables(database: Database): Promise<Record<string, StoredTable>> {
  const tables: Record<string, StoredTable> = {};
  const columns = await database.rows<{ tbl: string; col: string; type: string; nullable: string }>(
    `SELECT table_name AS tbl, column_name AS col, data_type AS type, is_nullable AS nullable
     FROM information_schema.columns WHERE table_schema = DATABASE() ORDER BY table_name, ordinal_position`,
  );
  for (const { tbl, col, type, nullable } of columns) {
    const table = (tables[tbl] ??= { fullText: [], columns: {}, primaryKey: [], indexes: {} });
    table.columns[col] = { type: typeOf(type), nullable: nullable === 'YES' };
  }
  const parts = await database.rows<{ tbl: string; name: string; open: number | string; col: string; type: string }>(
    `SELECT table_name AS tbl, index_name AS name, non_unique AS open, column_name AS col, index_type AS type
     FROM information_schema.statistics WHERE table_schema = DATABASE() ORDER BY table_name, index_name, seq_in_index`,
  );
  for (const { tbl, name, open, col, type } of parts) {
    const table = tables[tbl]!;
    if (type === 'FULLTEXT') table.fullText.push(col);
    else if (name === 'PRIMARY') table.primaryKey.push(col);
    else addTo(table, name, Number(open) === 0, col);
  }
  return tables;
}

function addTo(table: StoredTable, index: string, unique: boolean, column: string): void {
  (table.indexes[index] ??= { unique, columns: [] }).columns.push(column);
}
