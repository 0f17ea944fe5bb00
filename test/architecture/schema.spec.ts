import { Database, migrate } from '#platform';
import { emptyDatabase, type EmptyDatabase, engines } from '../support/engines';
import { migratedDatabase } from '../support/migrated-database';
import { storedSchema, type StoredTable } from './stored-schema';
import { tableOwners } from './table-owners';

/** Tables of the whole installation. All other tables belong to organisations. */
const INSTALLATION = [
  'organisation',
  'consumer',
  'consumer_secret',
  'consumer_grant',
  'person',
  'person_role',
  'person_identity',
  'person_link',
  'sign_in',
  'sign_in_failure',
];

/** The schema as the database describes it, and all rows, except the times of migrations. */
async function toTheLetter(database: Database): Promise<unknown> {
  const plain = async (sql: string) => (await database.rows<Record<string, unknown>>(sql)).map((row) => ({ ...row }));
  const parts: unknown[] = [];
  const isSqlite = database.dialect.engine === 'sqlite';
  if (isSqlite) parts.push(await plain('SELECT type, name, sql FROM sqlite_master ORDER BY name'));
  else for (const what of ['TRIGGERS', 'EVENTS']) parts.push(await plain(`SHOW ${what}`));
  for (const table of Object.keys(await storedSchema(database)).sort()) {
    if (!isSqlite) parts.push(await plain(`SHOW CREATE TABLE ${table}`));
    parts.push(await plain(`SELECT * FROM ${table}`));
  }
  return JSON.parse(JSON.stringify(parts, (key, value: unknown) => (key === 'applied_at' ? undefined : value)));
}

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

  it('equals that of the embedded engine: tables, columns and keys', async () => {
    const other = await emptyDatabase('sqlite');
    const embedded = await Database.open(other.url);
    await migrate(embedded);
    expect(tables).toEqual(await storedSchema(embedded));
    await embedded.close();
    await other.drop();
  });

  it('has exactly the tables that have an owner', () => {
    expect(Object.keys(tables).sort()).toEqual([...tableOwners().keys()].sort());
    expect(Object.keys(tables)).toEqual(expect.arrayContaining(INSTALLATION));
    expect(tables.bank_record!.indexes.bank_record_reference).toEqual({
      unique: true,
      columns: ['organisation_id', 'family', 'reference'],
    });
  });

  it("begins every key of an organisation's table with the organisation, so that tables can be partitioned", () => {
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

  it('requires at least a primary key that the application provides', async () => {
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

  it('has no foreign keys, which would tie organisations together', async () => {
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
    it('compares every text byte for byte, whatever the defaults of the server', async () => {
      const collations = await database.rows<{ collation: string }>(
        `SELECT DISTINCT collation_name AS collation FROM information_schema.columns
         WHERE table_schema = DATABASE() AND table_name <> 'migration' AND collation_name IS NOT NULL`,
      );
      const padless = engine === 'mariadb' ? 'utf8mb4_nopad_bin' : 'utf8mb4_0900_bin';
      // Ids, hashes and keywords contain no blanks, so padding makes no difference for them.
      expect(collations.map(({ collation }) => collation).sort()).toEqual(['ascii_bin', padless]);
    });

  it('is migrated once: migrating again does nothing', async () => {
    expect(ran.length).toBeGreaterThan(0);
    expect(await migrate(database)).toEqual([]);
    expect(await storedSchema(database)).toEqual(tables);
  });

  it('is identical in the databases from which other suites start', async () => {
    // At least one of them is a copy of another.
    for (let made = 0; made < 2; made++) {
      const { url, drop } = await migratedDatabase(engine);
      const other = await Database.open(url);
      try {
        expect(await toTheLetter(other)).toEqual(await toTheLetter(database));
        expect(await migrate(other)).toEqual([]);
      } finally {
        await other.close();
        await drop();
      }
    }
  });

  it('can be created over a single connection, and in a database with the longest possible name', async () => {
    const fresh = await emptyDatabase(engine, 64);
    const single = await Database.open(fresh.url, 1);
    try {
      expect(await migrate(single)).toEqual(ran);
    } finally {
      await single.close();
      await fresh.drop();
    }
  });

  // For two processes see test/concurrency/migrate.spec.ts.
  it('is created once when two connections migrate at the same time', async () => {
    const fresh = await emptyDatabase(engine);
    const both = [await Database.open(fresh.url), await Database.open(fresh.url)];
    try {
      const all = await Promise.all(both.map((each) => migrate(each)));
      expect(all.flat().sort()).toEqual([...ran].sort());
      const recorded = await both[0]!.rows<{ name: string }>('SELECT name FROM migration');
      expect(recorded.map(({ name }) => name).sort()).toEqual([...ran].sort());
      expect(await storedSchema(both[0]!)).toEqual(tables);
    } finally {
      for (const each of both) await each.close();
      await fresh.drop();
    }
  });
});
