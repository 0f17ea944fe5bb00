import { createHash } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { type DataSource, type MigrationInterface, type QueryRunner } from 'typeorm';
import { connectedDialects } from '../../libs/platform/src/database/connected-dialects';
import { mysqlDialect, sqliteDialect } from '../../libs/platform/src/database/dialect';
import { migrations } from '../../libs/platform/src/database/migrations';
import recorded from './migrations.json';

const FOLDER = join(__dirname, '../../libs/platform/src/database/migrations');
const DIALECTS = [mysqlDialect('mysql'), mysqlDialect('mariadb'), sqliteDialect];

const files = readdirSync(FOLDER)
  .filter((file) => /^\d/.test(file))
  .sort();
const steps = migrations.map((Migration) => new Migration() as Required<MigrationInterface>);

/** SHA-256 of the statements of a migration on every engine, ignoring layout. */
async function hashOf(step: MigrationInterface): Promise<string> {
  const hash = createHash('sha256');
  for (const dialect of DIALECTS) {
    const connection = {} as DataSource;
    connectedDialects.set(connection, dialect);
    const query = (statement: string) => Promise.resolve(hash.update(`${statement.replace(/\s+/g, ' ')};\n`));
    await step.up({ connection, query } as unknown as QueryRunner);
  }
  return hash.digest('hex');
}

// Databases have run the released migrations. A change of one, or a new one before it, would give different schemas the
// same name.
describe('migrations', () => {
  it('are numbered without gaps', () => {
    const numbers = files.map((file) => Number(/^(\d{4})-[a-z-]+\.ts$/.exec(file)?.[1]));
    expect(numbers).toEqual(files.map((_, index) => index + 1));
    expect(migrations).toHaveLength(files.length);
  });

  it('run in the order of their numbers', () => {
    const times = steps.map(({ name }) => Number(/\d{13}$/.exec(name)?.[0]));
    expect(times).toEqual([...new Set(times)].sort((a, b) => a - b));
    const words = (text: string) => text.replace(/\W/g, '').toLowerCase();
    expect(steps.map(({ name }) => words(name.replace(/\d{13}$/, '')))).toEqual(
      files.map((file) => words(file.replace(/^\d{4}|\.ts$/g, ''))),
    );
  });

  it('match the hashes in migrations.json: to change one, add another; to add one, add its line', async () => {
    const hashes: Record<string, string> = {};
    for (const step of steps) hashes[step.name] = await hashOf(step);
    expect(hashes).toEqual(recorded);
  });
});
