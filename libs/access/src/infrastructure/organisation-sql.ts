import { type Database } from '#platform';

/**
 * The table of organisations for FROM or JOIN, with the columns `id` and `created_at`. Other contexts start their joins
 * from it, so that an index finds their rows of each organisation.
 */
export const organisationRows = (alias: string): string => `organisation ${alias}`;

/** The ids of all organisations. */
export async function organisationIds(database: Database): Promise<number[]> {
  const rows = await database.rows<{ id: number }>('SELECT id FROM organisation');
  return rows.map(({ id }) => id);
}
