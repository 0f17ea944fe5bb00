import { randomBytes } from 'node:crypto';
import { copyFileSync, existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Connection, createConnection, type RowDataPacket } from 'mysql2/promise';
import { Database, migrate } from '#platform';
import { emptyDatabase, type EmptyDatabase, type Engine } from './engines';

/**
 * A migrated database for one suite. The first suite of a run migrates a database. Later suites get a copy, which is
 * much faster: an embedded file is copied, and a server gets the final tables.
 */
export async function migratedDatabase(engine: Engine): Promise<EmptyDatabase> {
  const made = await emptyDatabase(engine);
  const path = made.url.slice('file:'.length);
  // global-setup.ts creates this folder for a run of Jest.
  const folder = process.env.TEST_MIGRATED;
  const first = folder && join(folder, engine);
  if (first && existsSync(first)) {
    if (engine === 'sqlite') copyFileSync(first, path);
    else await onConnection(made, (connection) => connection.query(readFileSync(first, 'utf8')));
    return made;
  }
  const database = await Database.open(made.url);
  await migrate(database);
  if (first) {
    // Written atomically, because another suite may read it at the same time.
    const partial = `${first}-${randomBytes(6).toString('hex')}`;
    // Copies by SQL. Closing a file drops all of this process's locks on it, also those of SQLite, and then another
    // process could remove the log that this one writes to.
    if (engine === 'sqlite') await database.source.query(`VACUUM INTO '${partial}'`);
    else writeFileSync(partial, await onConnection(made, statementsOf));
    renameSync(partial, first);
  }
  await database.close();
  return made;
}

async function onConnection<T>({ url }: EmptyDatabase, work: (connection: Connection) => Promise<T>): Promise<T> {
  const connection = await createConnection({ uri: url, charset: 'utf8mb4', multipleStatements: true });
  try {
    return await work(connection);
  } finally {
    await connection.end();
  }
}

/** The statements that create the database's tables and rows in another database. */
async function statementsOf(connection: Connection): Promise<string> {
  const rows = async (sql: string) => (await connection.query<RowDataPacket[]>(sql))[0];
  const statements: string[] = [];
  for (const listed of await rows('SHOW TABLES')) {
    const table = connection.escapeId(Object.values(listed)[0] as string);
    const [shown] = await rows(`SHOW CREATE TABLE ${table}`);
    statements.push(shown!['Create Table'] as string);
    for (const row of await rows(`SELECT * FROM ${table}`))
      statements.push(connection.format(`INSERT INTO ${table} SET ?`, [row]));
  }
  return statements.join(';\n');
}
