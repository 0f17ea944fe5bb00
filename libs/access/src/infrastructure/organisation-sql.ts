import { type Database } from '#platform';

/**
 * The organisations as a part of FROM or JOIN, with the columns `id` and `created_at`. Other contexts begin with them where
 * they read rows of all organisations by an index.
 */
export const organisationRows = (alias: string): string => `organisation ${alias}`;

/** The ids of all organisations. */
export async function organisationIds(database: Database): Promise<number[]> {
  const rows = await database.rows<{ id: number }>('SELECT id FROM organisation');
  return rows.map(({ id }) => id);
}
