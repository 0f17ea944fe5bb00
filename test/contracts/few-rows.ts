import { type JsonObject, type Shelf } from '#kernel';
import { type RecordQuery, type SortField } from '../../libs/content/src/application/ports/shelf-reader';
import { type Engine } from '../support/engines';
import { fillPool } from './fill-pool';
import { plansOf } from './plans';
import { newDay, newOrganisation, type Ports } from './ports';
import { put, type Wanted } from './writing';

const WIDGETS = 4_000;
const ITEMS = WIDGETS / 2;
const ITEMS_PER_ACTIVITY = 5;

const several = <T>(count: number, make: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, index) => make(index));

/** A step of a SQLite plan that scans a whole table, organisation or pool. */
const SCAN_OF_SHELF = /^SCAN|\(organisation_id=\?( AND pool_id=\?)?\)$/;
/** The same, or a step that scans all records of a kind. Reading a list in its order does that. */
const SCAN_OF_KIND = /^SCAN|\(organisation_id=\?( AND pool_id=\?)?( AND (kind|family)=\?)?\)$/;

/** Twenty items, far apart. */
const REQUESTED = several(20, (index) => 300 + index * 40);

function item(index: number, more: JsonObject = {}): Wanted {
  const held = [`w${2 * index}`, `w${2 * index + 1}`];
  const widgets = held.map((reference) => ({ reference }));
  return {
    reference: `i${index}`,
    status: 'published',
    holds: held,
    body: { definition: { widgets }, questions: widgets, ...more },
    tags: REQUESTED.includes(index) ? [{ type: 'Rare', name: 'yes' }] : [],
  };
}

/** According to the engine's plan, queries for a few records of a large bank read few rows. */
export function fewRowsContract(engine: Engine, ports: Ports): void {
  const SHELVES = ['now', 'then', 'in a pool'] as const;
  const SORT_FIELDS: SortField[] = ['created', 'updated', 'reference', 'title'];

  let shelves: Record<(typeof SHELVES)[number], Shelf>;

  /** Each item holds two widgets, and each activity five items. A few other items have a later revision. */
  beforeAll(async () => {
    const organisation = newOrganisation();
    const now = newDay();
    const write = (wanted: Wanted[], at: number) => put(ports, organisation, wanted, { now: at });
    await write(
      several(WIDGETS, (index) => ({ kind: index % 2 ? 'feature' : 'question', reference: `w${index}`, type: 'mcq' })),
      now,
    );
    await write(
      several(ITEMS, (index) => item(index)),
      now,
    );
    const activities = several(ITEMS / ITEMS_PER_ACTIVITY, (index): Wanted => ({
      kind: 'activity',
      reference: `a${index}`,
      holds: several(ITEMS_PER_ACTIVITY, (place) => `i${index * ITEMS_PER_ACTIVITY + place}`),
    }));
    await write(activities, now);
    const stage = { organisation, pool: 'P'.padEnd(26, '0'), generation: 1, shown: 0, oldestFill: 0, asOf: now };
    const pool = await fillPool(ports, stage, { activity: {}, item: {} });
    await write(
      several(10, (index) => item(1_501 + index, { changed: true })),
      now + 10,
    );
    if (engine !== 'sqlite')
      await ports.database.source.query(
        'ANALYZE TABLE bank_record, pool_record, holding, revision, document, tag, tag_set, bank_tag',
      );
    shelves = { now: { organisation }, then: { organisation, asOf: now }, 'in a pool': { organisation, pool } };
  });

  const examine = <T>(excessive: RegExp, work: () => Promise<T>) => plansOf(ports, excessive, work);

  it.each(['now', 'in a pool'] as const)('reads few rows for the content of some items, %s', async (name) => {
    const references = REQUESTED.map((index) => `i${index}`);
    const { result, tables, excessiveSteps } = await examine(SCAN_OF_KIND, () =>
      ports.pinned.items(shelves[name], references),
    );
    expect(
      [...result].map(([reference, { questions, features }]) => [reference, questions[0]?.reference, features]).sort(),
    ).toEqual(REQUESTED.map((index) => [`i${index}`, `w${2 * index}`, [`w${2 * index + 1}`]]).sort());
    // The pool has the same items, so their documents are in the cache and are not read again.
    expect(tables).toEqual(expect.arrayContaining(['r', 'l', 'q', 'f', ...(name === 'now' ? ['d'] : [])]));
    expect(excessiveSteps).toEqual([]);
  });

  const SORTED = SHELVES.flatMap((name) => SORT_FIELDS.map((field) => ({ name, field })));

  it.each(SORTED)('reads few rows for the holders of some records, $name, by $field', async ({ name, field }) => {
    const holders = async (values: Pick<RecordQuery, 'kind' | 'holdsOneOf' | 'holdsAllOf'>) => {
      const query = { sort: { field, ascending: true }, limit: 50, ...values };
      const { result, tables, excessiveSteps } = await examine(SCAN_OF_SHELF, () =>
        ports.shelves.find(shelves[name], query),
      );
      expect(tables).toEqual(expect.arrayContaining(['l', 'r', 'd']));
      expect(excessiveSteps).toEqual([]);
      return result.entries.map(({ reference }) => reference).sort();
    };
    expect(await holders({ kind: 'item', holdsOneOf: ['w1000', 'w1001', 'w1900'] })).toEqual(['i500', 'i950']);
    expect(await holders({ kind: 'item', holdsAllOf: ['w1000', 'w1001'] })).toEqual(['i500']);
    expect(await holders({ kind: 'item', holdsAllOf: ['w1000', 'w1900'] })).toEqual([]);
    expect(await holders({ kind: 'activity', holdsOneOf: ['i100', 'i104', 'i505'] })).toEqual(['a101', 'a20']);
    expect(await holders({ kind: 'activity', holdsAllOf: ['i100', 'i102', 'i104'] })).toEqual(['a20']);
  });

  it.each(SORTED)('reads few rows for some records by reference, $name, by $field', async ({ name, field }) => {
    const references = REQUESTED.map((index) => `i${index}`);
    const query = { kind: 'item', references, sort: { field, ascending: true }, limit: 50 } as const;
    const { result, tables, excessiveSteps } = await examine(SCAN_OF_KIND, () =>
      ports.shelves.find(shelves[name], query),
    );
    expect(result.entries.map(({ reference }) => reference).sort()).toEqual([...references].sort());
    expect(tables).toEqual(expect.arrayContaining(['r', 'd']));
    expect(excessiveSteps).toEqual([]);
  });

  // A server that is restarted during a large import keeps the statistics of before until much has changed again.
  if (engine !== 'sqlite')
    it('begins with the named records, not with their documents, while the server takes the bank for empty', async () => {
      const run = async (...statements: string[]) => {
        for (const sql of statements) await ports.database.source.query(sql);
      };
      await run(
        'CREATE TABLE document_taken_for_empty LIKE document',
        'ALTER TABLE document_taken_for_empty STATS_AUTO_RECALC = 0',
        'ANALYZE TABLE document_taken_for_empty',
        'INSERT INTO document_taken_for_empty SELECT * FROM document',
        'RENAME TABLE document TO document_apart, document_taken_for_empty TO document',
      );
      try {
        const { organisation } = shelves.now;
        const references = REQUESTED.map((index) => `i${index}`);
        const { tables } = await examine(SCAN_OF_KIND, async () => {
          const locked = await ports.database.run(() => ports.records.lock(organisation, 'item', references));
          expect([...locked.keys()].sort()).toEqual([...references].sort());
          const wanted = [...locked.values()].map(({ reference, updatedAt }) => ({ reference, beganAt: updatedAt }));
          expect(await ports.history.whole(organisation, 'item', wanted)).toHaveLength(references.length);
          expect(await ports.history.revisions(organisation, 'item', references[0]!)).toHaveLength(1);
        });
        expect(tables.filter((table) => ['r', 'd'].includes(table))).toEqual(['r', 'd', 'r', 'd', 'r', 'd']);
      } finally {
        await run('DROP TABLE document', 'RENAME TABLE document_apart TO document');
      }
    });

  it.each(SORTED)('reads few rows for the records with a rare tag, $name, by $field', async ({ name, field }) => {
    const tags = { all: [{ type: 'Rare', name: 'yes' }], either: [], none: [{ type: 'Rare', name: 'no' }] };
    const query = { kind: 'item', tags, sort: { field, ascending: false }, limit: 50 } as const;
    const { result, tables, excessiveSteps } = await examine(SCAN_OF_KIND, () =>
      ports.shelves.find(shelves[name], query),
    );
    expect(result.entries.map(({ reference }) => reference).sort()).toEqual(
      REQUESTED.map((index) => `i${index}`).sort(),
    );
    expect(tables).toEqual(expect.arrayContaining(['r', 'd']));
    expect(excessiveSteps).toEqual([]);
  });

  it.each(SORT_FIELDS)('reads few rows for the media of the records with a rare tag, by %s', async (field) => {
    const tags = { all: [{ type: 'Rare', name: 'yes' }], either: [], none: [] };
    const query = { kind: 'item', tags, media: ['image'], sort: { field, ascending: true }, limit: 50 } as const;
    const { result, tables, excessiveSteps } = await examine(SCAN_OF_KIND, () =>
      ports.shelves.find(shelves.now, query),
    );
    expect(result.entries).toEqual([]);
    expect(tables).toEqual(expect.arrayContaining(['r', 'l', 'w', 'c']));
    expect(excessiveSteps).toEqual([]);
  });

  it.each(SORTED)('reads few rows for the widgets of some items, $name, by $field', async ({ name, field }) => {
    const references = REQUESTED.map((index) => `i${index}`);
    const query = { kind: 'question', sort: { field, ascending: true }, limit: 12 } as const;
    const page = async (after?: RecordQuery['after']) => {
      const { result, tables, excessiveSteps } = await examine(SCAN_OF_KIND, () =>
        ports.shelves.findHeld(shelves[name], { ...query, after }, references),
      );
      expect(tables).toEqual(expect.arrayContaining(['h', 'l', 'r', 'd']));
      expect(excessiveSteps).toEqual([]);
      return result;
    };
    const first = await page();
    const second = await page(first.after);
    expect(
      [...first.entries, ...second.entries].map(({ holder, record }) => `${record.reference} of ${holder}`).sort(),
    ).toEqual(REQUESTED.map((index) => `w${2 * index} of i${index}`).sort());
  });
}
