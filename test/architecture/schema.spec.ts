import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { Database, migrate } from '#platform';
import { emptyDatabase, type EmptyDatabase, engines } from '../support/engines';
import { storedSchema, type StoredTable } from './stored-schema';

const root = resolve(__dirname, '../..');

/** Tables of the installation as a whole; every other one belongs to organisations. */
const INSTALLATION = ['organisation', 'consumer', 'consumer_secret', 'consumer_grant'];

describe.each(engines)('the schema on %s', (engine) => {
  let empty: EmptyDatabase;
  let database: Database;
  let tables: Record<string, StoredTable>;
  let ran: string[];

  beforeAll(async () => {
    empty = await emptyDatabase(engine);
    database = await Database.open(empty.url);
    ran = await migrate(database);
    tables = await storedSchema(database);
  });
  afterAll(async () => {
    await database?.close();
    await empty?.drop();
  });

  it('is the one that the embedded engine has: tables, columns and keys', async () => {
    const other = await emptyDatabase('sqlite');
    const embedded = await Database.open(other.url);
    await migrate(embedded);
    expect(tables).toEqual(await storedSchema(embedded));
    await embedded.close();
    await other.drop();
  });

  it('has the tables that it is about', () => {
    const expected = ['author', 'audit', 'tag_type', 'tag', 'tag_set', 'document', 'revision'];
    expect(Object.keys(tables)).toEqual(expect.arrayContaining([...INSTALLATION, ...expected]));
    expect(tables.bank_record!.indexes.bank_record_reference).toEqual({
      unique: true,
      columns: ['organisation_id', 'family', 'reference'],
    });
  });

  it('begins every key of an organisation with it, so that tables can be parted by organisation', () => {
    for (const [name, { primaryKey, indexes }] of Object.entries(tables)) {
      if (INSTALLATION.includes(name)) continue;
      const keys = {
        primary: primaryKey,
        ...Object.fromEntries(Object.entries(indexes).map(([key, { columns }]) => [key, columns])),
      };
      for (const [key, columns] of Object.entries(keys))
        expect([name, key, columns[0]]).toEqual([name, key, 'organisation_id']);
    }
  });

  it('never requires less than a primary key that is given by the application', async () => {
    for (const [name, { primaryKey, columns }] of Object.entries(tables)) {
      expect([name, primaryKey.length > 0]).toEqual([name, true]);
      for (const column of primaryKey) expect([name, column, columns[column]!.nullable]).toEqual([name, column, false]);
    }
    const counted =
      engine === 'sqlite'
        ? await database.rows(`SELECT name FROM sqlite_master WHERE sql LIKE '%autoincrement%' AND name <> 'migration'`)
        : await database.rows(
            `SELECT table_name FROM information_schema.columns
             WHERE table_schema = DATABASE() AND extra LIKE '%auto_increment%' AND table_name <> 'migration'`,
          );
    expect(counted).toEqual([]);
  });

  it('has no foreign keys: they would hold organisations together', async () => {
    const keys =
      engine === 'sqlite'
        ? await database.rows(
            `SELECT m.name FROM sqlite_master m JOIN pragma_foreign_key_list(m.name) WHERE m.type = 'table'`,
          )
        : await database.rows(
            `SELECT constraint_name FROM information_schema.referential_constraints WHERE constraint_schema = DATABASE()`,
          );
    expect(keys).toEqual([]);
  });

  if (engine !== 'sqlite')
    it('compares every text byte for byte, whatever the server was set up with', async () => {
      const collations = await database.rows<{ collation: string }>(
        `SELECT DISTINCT collation_name AS collation FROM information_schema.columns
         WHERE table_schema = DATABASE() AND table_name <> 'migration' AND collation_name IS NOT NULL`,
      );
      const padless = engine === 'mariadb' ? 'utf8mb4_nopad_bin' : 'utf8mb4_0900_bin';
      // Ids, hashes and words of our own hold no blanks, so that padding makes no difference to them.
      expect(collations.map(({ collation }) => collation).sort()).toEqual(['ascii_bin', padless]);
    });

  it('is brought up to date once: migrating again does nothing', async () => {
    expect(ran.length).toBeGreaterThan(0);
    expect(await migrate(database)).toEqual([]);
    expect(await storedSchema(database)).toEqual(tables);
  });

  it('is made over a single connection, and under the longest name that a database may have', async () => {
    const fresh = await emptyDatabase(engine, 64);
    const single = await Database.open(fresh.url, 1);
    expect(await migrate(single)).toEqual(ran);
    await single.close();
    await fresh.drop();
  });

  describe('migrated by two at once', () => {
    let fresh: EmptyDatabase;
    beforeEach(async () => {
      fresh = await emptyDatabase(engine);
    });
    afterEach(() => fresh.drop());

    async function expectDoneOnce(all: string[][]): Promise<void> {
      expect(all.flat().sort()).toEqual([...ran].sort());
      const result = await Database.open(fresh.url);
      const recorded = await result.rows<{ name: string }>('SELECT name FROM migration');
      expect(recorded.map(({ name }) => name).sort()).toEqual([...ran].sort());
      expect(await storedSchema(result)).toEqual(tables);
      await result.close();
    }

    it('over connections of one process, runs each step once', async () => {
      const both = [await Database.open(fresh.url), await Database.open(fresh.url)];
      const all = await Promise.all(both.map(migrate));
      for (const each of both) await each.close();
      await expectDoneOnce(all);
    });

    it('as processes, runs each step once', async () => {
      const both = [await connected(fresh.url), await connected(fresh.url)];
      await expectDoneOnce(await Promise.all(both.map((go) => go())));
    });
  });
});

/** Starts a process that has the database open and migrates it when told to. */
async function connected(url: string): Promise<() => Promise<string[]>> {
  const program = `
    require('reflect-metadata');
    const { Database, migrate } = require('#platform');
    Database.open(process.argv[1]).then((database) => {
      console.log('connected');
      process.stdin.once('data', async () => {
        console.log(JSON.stringify(await migrate(database)));
        await database.close();
        process.exit();
      });
    });`;
  const options = ['-r', './test/support/ts.cjs', '-e', program, url];
  const child = spawn(process.execPath, options, { cwd: root, stdio: ['pipe', 'pipe', 'inherit'] });
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
  expect((await lines.next()).value).toBe('connected');
  return async () => {
    child.stdin.write('go\n');
    const { value } = await lines.next();
    if (child.exitCode === null) await once(child, 'exit');
    expect(child.exitCode).toBe(0);
    return JSON.parse(value!) as string[];
  };
}
