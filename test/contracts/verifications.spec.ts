import { type Check, Database, type NewFinding, type Progress, type RowRange, Verifications } from '#platform';
import { type EmptyDatabase, engines } from '../support/engines';
import { migratedDatabase } from '../support/migrated-database';

const finding = (reference: string): NewFinding => ({ kind: 'author', reference, found: 'x', expected: 'y' });

describe.each(engines)('verifications on %s', (engine) => {
  let stored: EmptyDatabase;
  let database: Database;
  beforeAll(async () => {
    stored = await migratedDatabase(engine);
    database = await Database.open(stored.url);
    const ids = Array.from({ length: 25 }, (_, index) => `author-${String(index).padStart(2, '0')}`);
    await database.insert(
      'author',
      ['organisation_id', 'id', 'firstname', 'created_at'],
      [1, 2].flatMap((organisation) => ids.map((id) => [organisation, id, id.slice(-1), 1])),
    );
  });
  afterAll(async () => {
    await database?.close();
    await stored?.drop();
  });

  async function verify(of: Check['of'], find: (range: RowRange) => NewFinding[]) {
    const verifications = new Verifications(database);
    verifications.add({ name: 'authors', of, find: (range) => Promise.resolve(find(range)) });
    const progress: Progress[] = [];
    const findings = [];
    for await (const each of verifications.findings(2, (step) => progress.push(step))) findings.push(each);
    return { findings, progress };
  }

  it('check all rows of an organisation in batches', async () => {
    const ranges: RowRange[] = [];
    const { progress } = await verify({ table: 'author', column: 'id', batchSize: 10 }, (range) => {
      ranges.push(range);
      return [];
    });
    expect(ranges.map(({ organisation, after, upTo, rows }) => [organisation, after, upTo, rows])).toEqual([
      [2, [''], ['author-09'], 10],
      [2, ['author-09'], ['author-19'], 10],
      [2, ['author-19'], ['author-24'], 5],
    ]);
    expect(progress.map(({ rows, isDone }) => [rows, isDone])).toEqual([
      [10, false],
      [20, false],
      [25, false],
      [25, true],
    ]);
    const seen = await Promise.all(
      ranges.map((range) => {
        const { sql, parameters } = range.in('author', 'id');
        return database.rows<{ id: string }>(`SELECT id FROM author WHERE ${sql}`, parameters);
      }),
    );
    expect(seen.map((rows) => rows.length)).toEqual([10, 10, 5]);
    expect(new Set(seen.flat().map(({ id }) => id)).size).toBe(25);
  });

  it('check all rows with the same value together, and only those that meet the condition', async () => {
    const ranges: unknown[] = [];
    const where = { sql: 'firstname <> ?', parameters: ['0'] };
    const { progress } = await verify(
      { table: 'author', column: 'firstname', where, batchSize: 4 },
      ({ after, upTo }) => {
        ranges.push([after[0], upTo[0]]);
        return [];
      },
    );
    // Two or three authors of each of the names 1 to 9.
    const names = ranges.map((range) => (range as [string, string])[1]);
    expect(names).toEqual([...new Set(names)].sort());
    expect(names.at(-1)).toBe('9');
    expect(progress.at(-1)!.rows).toBe(22);
  });

  it('check rows with the same value in batches, if further columns order them', async () => {
    const ranges: RowRange[] = [];
    const of = { table: 'author', column: 'firstname', then: ['id'], batchSize: 2 };
    const { progress } = await verify(of, (range) => {
      ranges.push(range);
      return [];
    });
    const seen: string[] = [];
    for (const range of ranges) {
      const { sql, parameters } = range.in('a', 'firstname', 'id');
      const rows = await database.rows<{ id: string }>(`SELECT id FROM author a WHERE ${sql} ORDER BY id`, parameters);
      seen.push(rows.map(({ id }) => id.slice(-2)).join(' '));
    }
    expect(seen).toEqual([
      '00 10',
      '01 20',
      '11 21',
      '02 12',
      '03 22',
      '13 23',
      '04 14',
      '05 24',
      '06 15',
      '07 16',
      '08 17',
      '09 18',
      '19',
    ]);
    expect(progress.at(-1)!.rows).toBe(25);
  });

  it('report lasting findings, and not those that a writer has fixed meanwhile', async () => {
    let looks = 0;
    const ranges: unknown[] = [];
    const { findings } = await verify({ table: 'author', column: 'id', batchSize: 100 }, ({ after, upTo }) => {
      ranges.push([after, upTo]);
      return [finding('lasting'), ...(++looks === 1 ? [finding('passing')] : [finding('new')])];
    });
    expect(findings).toEqual([{ organisation: 2, ...finding('lasting') }]);
    expect(ranges).toEqual([ranges[0], ranges[0]]);
  });
});
