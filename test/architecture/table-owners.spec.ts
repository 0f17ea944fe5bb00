import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { type ForeignTable, foreignTables, tableOwners } from './table-owners';

const OWNERS = new Map([
  ['tag', 'tagging'],
  ['tag_set', 'tagging'],
  ['pool_tag', 'content'],
]);

/** Sources that name a table of another context, each in the given line. */
const PLANTED: Record<string, [path: string, line: number, table: string, source: string]> = {
  FROM: ['libs/content/src/infrastructure/a.ts', 2, 'tag', 'export const sql = `SELECT id\n  FROM tag WHERE id = ?`;'],
  JOIN: [
    'libs/tagging/src/infrastructure/b.ts',
    1,
    'pool_tag',
    "export const sql = 'SELECT 1 FROM tag t JOIN pool_tag p';",
  ],
  'a list of tables': [
    'libs/content/src/infrastructure/c.ts',
    1,
    'tag',
    "export const sql = 'FROM pool_tag p, tag AS t WHERE';",
  ],
  UPDATE: ['libs/content/src/infrastructure/d.ts', 1, 'tag', "export const sql = 'UPDATE tag SET name = ?';"],
  'INSERT INTO': [
    'libs/content/src/infrastructure/e.ts',
    1,
    'tag_set',
    "export const sql = 'INSERT INTO tag_set (id) VALUES (?)';",
  ],
  'DELETE FROM': ['libs/content/src/infrastructure/f.ts', 1, 'tag_set', "export const sql = 'DELETE FROM tag_set';"],
  'a statement with values': [
    'libs/content/src/infrastructure/g.ts',
    2,
    'tag',
    'export const sql = (a: string) => `SELECT ${a}\nFROM tag ${a}`;',
  ],
  'the name alone in a call': ['libs/content/src/infrastructure/h.ts', 1, 'tag', "database.insert('tag', ['id'], []);"],
  'the name alone as a value': [
    'libs/content/src/infrastructure/i.ts',
    1,
    'tag',
    "export const list = { table: 'tag' };",
  ],
  'a list of names': ['libs/content/src/infrastructure/j.ts', 1, 'tag_set', "export const tables = ['tag_set'];"],
  'a part of a statement': ['libs/content/src/infrastructure/k.ts', 1, 'tag', 'export const part = `tag t ${1}`;'],
  'the application layer': ['libs/content/src/application/l.ts', 1, 'tag', "export const sql = 'SELECT id FROM tag';"],
  'an application': ['apps/cli/src/commands/m.ts', 1, 'pool_tag', "export const sql = 'SELECT 1 FROM pool_tag';"],
};

/** Sources that name no table of another context. */
const INNOCENT: Record<string, string> = {
  'libs/tagging/src/infrastructure/own.ts': "export const sql = 'SELECT 1 FROM tag t JOIN tag_set s';",
  'libs/platform/src/database/migrations/0001-first.ts': "export const sql = 'CREATE TABLE tag (id INT)';",
  'libs/content/src/infrastructure/columns.ts':
    "export const columns = ['tag', 'id'];\nexport type One = Pick<Row, 'tag'>;",
  'libs/content/src/infrastructure/values.ts': "export const is = (name: string) => name === 'tag';",
  'libs/content/src/infrastructure/column-of-result.ts': "export const sql = 'SELECT tag_set_id AS tag FROM pool_tag';",
  'libs/content/src/application/prose.ts':
    "export const text = 'tag';\nthrow new Error('A tag set from the tag is missing.');",
  'libs/content/src/infrastructure/some.spec.ts': "export const sql = 'SELECT 1 FROM tag';",
};

describe('the owners of tables', () => {
  const owners = tableOwners();
  let tree: string;
  let found: ForeignTable[];

  beforeAll(() => {
    tree = mkdtempSync(join(tmpdir(), 'itembank-tables-'));
    const planted = Object.values(PLANTED).map(([path, , , source]) => [path, source] as const);
    for (const [path, source] of [...planted, ...Object.entries(INNOCENT)]) {
      mkdirSync(dirname(join(tree, path)), { recursive: true });
      writeFileSync(join(tree, path), source);
    }
    found = foreignTables(tree, OWNERS);
  });
  afterAll(() => rmSync(tree, { recursive: true, force: true }));

  it('are the only contexts that name their tables in SQL', () => {
    expect(owners.size).toBeGreaterThan(50);
    expect(foreignTables(resolve(__dirname, '../..'), owners)).toEqual([]);
  });

  it.each(Object.entries(PLANTED))('report a table of another context in %s', (_, [file, line, table]) => {
    expect(found.filter((each) => each.file === file)).toEqual([{ file, line, table }]);
  });

  it('report no source that keeps to its own tables', () => {
    expect(found.filter(({ file }) => file in INNOCENT)).toEqual([]);
  });
});
