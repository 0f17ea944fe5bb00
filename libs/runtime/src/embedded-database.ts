import { existsSync } from 'node:fs';
import { type Config } from '#platform';

/**
 * Checks that the database file exists, because opening an embedded database would create an empty one.
 * @throws Error that says what to do.
 */
export function refuseNoDatabase({ embedded, databaseUrl }: Config): void {
  if (!embedded) return;
  const file = databaseUrl.slice('file:'.length);
  if (!existsSync(file))
    throw new Error(
      `There is no database ${file}. Start the service once or run itembank migrate; DATA_DIR or DATABASE_URL names another one.`,
    );
}
