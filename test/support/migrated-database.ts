import { randomBytes } from 'node:crypto';
import { copyFileSync, existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Connection, createConnection, type RowDataPacket } from 'mysql2/promise';
import { Database, migrate } from '#platform';
import { emptyDatabase, type EmptyDatabase, type Engine } from './engines';

/**
 * A database of its own for one suite, as `migrate` leaves it. The first one of a run is migrated; the others are made
 * from what that one was then, in a fraction of the time: an embedded file is copied, and a server gets the tables as
 * they are in the end.
 */
export async function migratedDatabase(engine: Engine): Promise<EmptyDatabase> {
  const made = await emptyDatabase(engine);
  const path = made.url.slice('file:'.length);
  // Jest's runs have a folder for it, which global-setup.ts makes.
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
    // Whole or not at all, as another suite may look for it meanwhile.
    const partial = `${first}-${randomBytes(6).toString('hex')}`;
    // Not by reading the file: a process that closes a file once loses all its locks on it, also those of SQLite, and
    // then another process takes away the log that this one writes to.
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

/** They make the tables of the database, and their rows, in another one. */
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
