import { firstIdAt, idOfList } from '#kernel';
import { Database, migrate, type Parameter } from '#platform';
import { SqlTagSetIds, SqlTagSets, Tags } from '#tagging';
import { Audit, Authors } from '#access';
import { SqlAuditStore } from '../../libs/access/src/infrastructure/sql-audit-store';
import { SqlAuthorStore } from '../../libs/access/src/infrastructure/sql-author-store';
import { SqlHistoryReader } from '../../libs/content/src/infrastructure/sql-history-reader';
import { SqlRecordStore } from '../../libs/content/src/infrastructure/sql-record-store';
import { SqlShelfReader } from '../../libs/content/src/infrastructure/sql-shelf-reader';
import { SqlTagUses } from '../../libs/content/src/infrastructure/sql-tag-uses';
import { SqlJobStore } from '../../libs/jobs/src/infrastructure/sql-job-store';
import { SqlTagStore } from '../../libs/tagging/src/infrastructure/sql-tag-store';
import { emptyDatabase, engines } from '../support/engines';

const T = Date.UTC(2026, 0, 2);
/** A ULID of that time that contains the name. */
const id = (name: string) => firstIdAt(T).slice(0, 10) + name.replaceAll(/[ILOU]/g, 'X').padEnd(16, '0');

/**
 * A bank of the first schema: an item with two questions, which was renamed and tagged again once, and an activity with
 * the item.
 */
const records = [
  ['question', 'Q1', 'widget', 'q1', 'mcq', T],
  ['question', 'Q2', 'widget', 'q2', 'mcq', T],
  ['item', 'ITEM', 'item', 'new-name', 'per-question', T + 5],
  ['activity', 'ACT', 'activity', 'activity', null, T + 5],
] as const;
const revisions = [
  ['Q1', T, 'question', 'q1'],
  ['Q2', T, 'question', 'q2'],
  ['ITEM', T, 'item', 'old-name'],
  ['ITEM', T + 5, 'item', 'new-name'],
  ['ACT', T, 'activity', 'activity'],
  ['ACT', T + 5, 'activity', 'activity'],
] as const;
/** The tag sets of the item, with the times of its revisions. */
const tagSets = [
  [T, 'OLD', ['GONE', 'KEPT']],
  [T + 5, 'NEW', ['KEPT']],
] as const;
const links = [
  ['ITEM', 'Q2', 0],
  ['ITEM', 'Q1', 1],
  ['ACT', 'ITEM', 0],
] as const;

async function fill(database: Database): Promise<void> {
  const insert = (table: string, columns: string[], rows: Parameter[][]) => database.insert(table, columns, rows);
  await insert(
    'document',
    ['organisation_id', 'id', 'hash', 'body'],
    records.map(([, name]) => [1, id(`D${name}`), '0'.repeat(64), JSON.stringify({ name })]),
  );
  await insert(
    'bank_record',
    [
      'organisation_id',
      'kind',
      'id',
      'family',
      'reference',
      'title_key',
      'type',
      'status',
      'document_id',
      'updated_at',
    ],
    records.map(([kind, name, family, reference, type, at]) => [
      1,
      kind,
      id(name),
      family,
      reference,
      '',
      type,
      null,
      id(`D${name}`),
      at,
    ]),
  );
  await insert(
    'revision',
    ['organisation_id', 'record_id', 'began_at', 'kind', 'reference', 'title_key', 'document_id', 'operation'],
    revisions.map(([name, at, kind, reference]) => [1, id(name), at, kind, reference, '', id(`D${name}`), 'set']),
  );
  await insert(
    'tag_set',
    ['organisation_id', 'id', 'position', 'tag_id'],
    tagSets.flatMap(([, set, tags]) => tags.map((tag, position) => [1, id(set), position, id(tag)])),
  );
  await insert('bank_tag', ['organisation_id', 'kind', 'tag_id', 'record_id'], [[1, 'item', id('KEPT'), id('ITEM')]]);
  for (const [at, set] of tagSets) {
    await database.write('UPDATE bank_record SET tag_set_id = ? WHERE id = ?', [id(set), id('ITEM')]);
    await database.write('UPDATE revision SET tag_set_id = ? WHERE record_id = ? AND began_at = ?', [
      id(set),
      id('ITEM'),
      at,
    ]);
  }
  await insert(
    'bank_link',
    ['organisation_id', 'holder_id', 'held_id', 'position'],
    links.map(([holder, held, position]) => [1, id(holder), id(held), position]),
  );
}

describe.each(engines)('a database of the first version, on %s', (engine) => {
  it('keeps its content in the migration', async () => {
    const empty = await emptyDatabase(engine);
    const first = await Database.open(empty.url);
    first.source.migrations.splice(1);
    expect(await migrate(first)).toHaveLength(1);
    await fill(first);
    await first.close();

    const database = await Database.open(empty.url);
    expect((await migrate(database)).length).toBeGreaterThan(0);
    const tagSetIds = new SqlTagSetIds(database);
    const tags = new Tags(
      new SqlTagStore(database, tagSetIds, new SqlTagUses(database)),
      database,
      new Authors(new SqlAuthorStore(database)),
      new Audit(new SqlAuditStore(database)),
    );
    const reader = new SqlShelfReader(database, tags, new SqlTagSets(database));
    const sort = { field: 'reference', ascending: true } as const;
    const held = await reader.findHeld({ organisation: 1 }, { kind: 'question', sort, limit: 9 }, ['new-name']);
    expect(held.entries.map(({ holder, record }) => [holder, record.reference])).toEqual([
      ['new-name', 'q1'],
      ['new-name', 'q2'],
    ]);
    const holders = await reader.find(
      { organisation: 1 },
      { kind: 'activity', holdsOneOf: ['new-name'], sort, limit: 9 },
    );
    expect(holders.entries.map(({ reference }) => reference)).toEqual(['activity']);
    const history = new SqlHistoryReader(database);
    expect((await history.revisions(1, 'item', 'new-name'))!.map(({ reference }) => reference)).toEqual([
      'old-name',
      'new-name',
    ]);
    expect(await history.held(1, [{ recordId: id('ACT'), beganAt: T }])).toEqual(new Map([[id('ACT'), ['new-name']]]));
    const former = await database.rows('SELECT family, reference, record_id FROM former_reference');
    expect(former.map((row) => ({ ...(row as object) }))).toEqual([
      { family: 'item', reference: 'old-name', record_id: id('ITEM') },
    ]);
    const carried = await database.rows('SELECT kind, tag_id, record_id FROM former_tag');
    expect(carried.map((row) => ({ ...(row as object) }))).toEqual([
      { kind: 'item', tag_id: id('GONE'), record_id: id('ITEM') },
    ]);
    // The id of a new list is a hash. A migrated list has the id of its record.
    const records = new SqlRecordStore(database, tagSetIds);
    await database.run(async () => {
      const current = await records.lock(1, 'item', ['new-name']);
      const before = current.get('new-name')!;
      expect(before.holdingId).toBe(id('ITEM'));
      const change = { ...before, before, holds: [id('Q1')] };
      const scope = { shelf: { organisation: 1 }, operation: 'set', now: T + 9, readable: new Set([1]) };
      await records.save([change], scope);
      expect((await records.lock(1, 'item', ['new-name'])).get('new-name')!.holdingId).toBe(idOfList([id('Q1')]));
    });
    expect(await history.held(1, [{ recordId: id('ITEM'), beganAt: T + 5 }])).toEqual(new Map([[id('ITEM'), []]]));
    await database.close();
    await empty.drop();
  });
});

describe.each(engines)('a job table that still has the serial keys of completed jobs, on %s', (engine) => {
  const KEY = 'pool p';
  const jobs = [
    ['DONE', 'completed', KEY, T],
    ['HALTED', 'halted', KEY, T],
    ['FIRST', 'queued', KEY, null],
    ['SECOND', 'queued', KEY, null],
    ['ALONE', 'completed', null, T],
  ] as const;

  it('keeps the order of serial jobs in the migration', async () => {
    const empty = await emptyDatabase(engine);
    const before = await Database.open(empty.url);
    before.source.migrations.splice(12);
    await migrate(before);
    await before.insert(
      'job',
      [
        'organisation_id',
        'id',
        'type',
        'lane',
        'line',
        'status',
        'input',
        'operation',
        'token',
        'done',
        'attempts',
        'available_at',
        'due_at',
        'completed_at',
      ],
      jobs.map(([name, status, serialKey, ended]) => [
        1,
        id(name),
        'fill-pool',
        'short',
        serialKey,
        status,
        '{}',
        'set itembank/pools',
        0,
        0,
        0,
        T,
        T,
        ended,
      ]),
    );
    await before.close();

    const database = await Database.open(empty.url);
    await migrate(database);
    const rows = await database.rows<{ id: string; serial_key: string | null }>(
      'SELECT id, line AS serial_key FROM job ORDER BY id',
    );
    expect(new Map(rows.map((row) => [row.id, row.serial_key]))).toEqual(
      new Map(jobs.map(([name, , serialKey]) => [id(name), name === 'DONE' ? null : serialKey])),
    );
    const store = new SqlJobStore(database);
    const claim = (name: string) => store.claim({ organisation: 1, id: id(name) }, 'worker', T, T + 30_000);
    expect(await claim('SECOND')).toBeUndefined();
    const first = (await claim('FIRST'))!;
    await store.end(first, { status: 'completed', results: null }, T);
    expect(await store.nextOfSerialKey(first, T, T)).toMatchObject({ id: id('SECOND') });
    expect(await claim('SECOND')).toMatchObject({ serialKey: KEY });
    await database.close();
    await empty.drop();
  });
});
