/**
 * The organisations as a part of FROM or JOIN, with the columns `id` and `created_at`. Other contexts begin with them where
 * they read rows of all organisations by an index.
 */
export const organisationRows = (alias: string): string => `organisation ${alias}`;
