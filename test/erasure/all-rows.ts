import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Database } from '#platform';
import { storedSchema } from '../architecture/stored-schema';

/** Every row of every table, as the JSON of all its columns. */
export async function allRows(database: Database): Promise<Map<string, string[]>> {
  const rows = new Map<string, string[]>();
  for (const table of Object.keys(await storedSchema(database)))
    rows.set(table, (await database.rows<object>(`SELECT * FROM ${table}`)).map((row) => JSON.stringify(row)).sort());
  return rows;
}

/** What is written as JSON within JSON has its quotes escaped, once or twice. */
const plain = (text: string) => text.replaceAll('\\', '');

/** Tables, with those of their rows that hold one of the texts. */
export function holding(rows: ReadonlyMap<string, string[]>, texts: readonly string[]): Record<string, string[]> {
  const found = [...rows].map(([table, all]): [string, string[]] => [
    table,
    all.filter((row) => texts.some((text) => plain(row).includes(text))),
  ]);
  return Object.fromEntries(found.filter(([, held]) => held.length > 0));
}

/** Paths of all files below a folder, with what they hold. */
export function allFiles(folder: string): { path: string; text: string }[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .map((path) => ({ path, text: readFileSync(path, 'latin1') }));
}
