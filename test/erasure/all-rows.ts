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

/** Removes the backslashes of quotes in JSON that is stored within JSON. */
const plain = (text: string) => text.replaceAll('\\', '');

/** The rows that contain one of the texts, by table. Tables without such rows are absent. */
export function holding(rows: ReadonlyMap<string, string[]>, texts: readonly string[]): Record<string, string[]> {
  const found = [...rows].map(([table, all]): [string, string[]] => [
    table,
    all.filter((row) => texts.some((text) => plain(row).includes(text))),
  ]);
  return Object.fromEntries(found.filter(([, held]) => held.length > 0));
}

/** Paths and contents of all files below a folder. */
export function allFiles(folder: string): { path: string; text: string }[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .map((path) => ({ path, text: readFileSync(path, 'latin1') }));
}
