import { type JsonObject, newId, type Shelf } from '#kernel';
import { type PinnedContent, type PinnedItem } from '../../libs/content/src/application/ports/pinned-content';
import { documentOf, prepare } from '../../libs/content/src/domain/document';
import { type FormerDocument, formerItem, formerQuestion } from '../../libs/content/src/domain/former';
import { SqlPinnedContent } from '../../libs/content/src/infrastructure/sql-pinned-content';
import { statementsDuring } from '../support/statements';
import { fillPool } from './fill-pool';
import { newDay, newOrganisation, NOW, type Ports } from './ports';
import { put, type Circumstances, type Wanted } from './writing';

const POOL = 'P'.padEnd(26, '0');

const several = <T>(count: number, make: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, index) => make(index));

const named = (references: readonly string[]) => references.map((reference) => ({ reference }));

const question = (reference: string, type = 'mcq'): Wanted => ({ kind: 'question', reference, type });
const feature = (reference: string): Wanted => ({ kind: 'feature', reference, type: 'calculator' });

/** An item that shows widgets in the given order. It holds the `listed` ones without showing them. */
function item(reference: string, shown: string[], more: Wanted['extras'] = {}, listed: string[] = []): Wanted {
  return {
    reference,
    status: 'published',
    holds: [...shown, ...listed].sort(),
    body: { definition: { widgets: named(shown) }, questions: named([...listed, ...shown]), me: reference },
    extras: more,
  };
}

function activity(reference: string, items: string[], body: JsonObject = { me: reference }): Wanted {
  return { kind: 'activity', reference, status: 'published', holds: items, body };
}

/** The hash of the document of a record. */
function hashOf(body: JsonObject, extras: JsonObject = {}): string {
  const prepared = (of: JsonObject) =>
    Object.fromEntries(Object.entries(of).map(([key, value]) => [key, prepare(value)]));
  return documentOf(prepared(body), prepared(extras)).hash;
}

/** Content by document ids, for sessions that must keep the content that learners saw. */
export function pinnedContentContract(ports: Ports): void {
  let pinned: PinnedContent;

  beforeAll(() => {
    ({ pinned } = ports);
  });

  const write = (organisation: number, wanted: Wanted[], circumstances?: Circumstances) =>
    put(ports, organisation, wanted, circumstances);

  /** Returns the ids of all documents of a record, oldest first. */
  const documentsOf = async (organisation: number, id: string): Promise<string[]> => {
    const rows = await ports.database.rows<{ document_id: string }>(
      'SELECT document_id FROM revision WHERE organisation_id = ? AND record_id = ? ORDER BY began_at',
      [organisation, id],
    );
    return rows.map(({ document_id }) => document_id);
  };

  const summary = ({ questions, features }: PinnedItem) =>
    [...questions.map(({ reference }) => reference), '|', ...features].join(' ');
  /** The content of the found items, in the order of their references. */
  const found = async (shelf: Shelf, ...references: string[]) => {
    const items = await pinned.items(shelf, references);
    for (const [key, { reference }] of items) expect(reference).toBe(key);
    return [...items].sort(([a], [b]) => (a < b ? -1 : 1)).map(([reference, each]) => `${reference}: ${summary(each)}`);
  };

  it('stores each document that no record has once', async () => {
    const organisation = newOrganisation();
    const asked = formerQuestion({ type: 'mcq', stimulus: '<b>Which?</b><script>x</script>' });
    const other = formerItem(['q']);
    const keep = (...documents: FormerDocument[]) => ports.database.run(() => pinned.keep(organisation, documents));
    await keep(asked);
    await keep(other, asked);
    const kept = await pinned.documents(organisation, [asked.document, other.document]);
    expect([...kept.keys()].sort()).toEqual([asked.document, other.document].sort());
    expect(kept.get(asked.document)).toMatchObject({ organisation, hash: asked.hash });
    expect(JSON.parse(kept.get(asked.document)!.body)).toEqual({
      type: 'mcq',
      data: { type: 'mcq', stimulus: '<b>Which?</b>' },
      metadata: null,
    });
    expect(formerQuestion({ type: 'mcq', stimulus: '<b>Which?</b>' }).document).toBe(asked.document);
    expect((await pinned.documents(newOrganisation(), [asked.document])).size).toBe(0);
  });

  describe('items', () => {
    it('returns documents of items and of their questions', async () => {
      const organisation = newOrganisation();
      const [q, f] = await write(organisation, [
        { ...question('q', 'shorttext'), body: { b: 1, a: [2] } },
        feature('f'),
      ]);
      const [plain, rich] = await write(organisation, [
        item('plain', ['q']),
        { ...item('rich', ['f', 'q'], { adaptive: { difficulty: 1 } }), status: 'archived' },
      ]);
      const [ofQ] = await documentsOf(organisation, q!);
      const [ofPlain] = await documentsOf(organisation, plain!);
      const [ofRich] = await documentsOf(organisation, rich!);
      const items = await pinned.items({ organisation }, ['rich', 'plain']);
      const held = {
        organisation,
        document: ofQ,
        hash: hashOf({ b: 1, a: [2] }),
        body: '{"b":1,"a":[2]}',
        reference: 'q',
        type: 'shorttext',
      };
      expect(items.size).toBe(2);
      expect(items.get('plain')).toEqual({
        organisation,
        record: plain,
        document: ofPlain,
        hash: hashOf(item('plain', ['q']).body!),
        body: JSON.stringify(item('plain', ['q']).body),
        reference: 'plain',
        status: 'published',
        extras: null,
        questions: [held],
        features: [],
      });
      expect(items.get('rich')).toEqual({
        organisation,
        record: rich,
        document: ofRich,
        hash: hashOf(item('rich', ['f', 'q']).body!, { adaptive: { difficulty: 1 } }),
        body: JSON.stringify(item('rich', ['f', 'q']).body),
        reference: 'rich',
        status: 'archived',
        extras: '{"adaptive":{"difficulty":1}}',
        questions: [held],
        features: ['f'],
      });
      expect([f, ofQ, ofPlain, ofRich]).toEqual(several(4, () => expect.stringMatching(/^[0-9A-Z]{26}$/)));
    });

    it('returns widgets in the order in which the item shows them, then those that it only lists', async () => {
      const organisation = newOrganisation();
      await write(organisation, [
        ...['q1', 'q2', 'q3', 'q4'].map((name) => question(name)),
        ...['f1', 'f2', 'f3'].map(feature),
      ]);
      const regions = {
        definition: {
          widgets: named(['q2', 'f2']),
          regions: [{ widgets: named(['f1', 'q4']) }, { widgets: named(['q1', 'q2']) }],
        },
        questions: named(['q1', 'q2', 'q3', 'q4']),
      };
      await write(organisation, [
        item('forth', ['f1', 'q1', 'f2', 'q2', 'q3', 'f3']),
        item('back', ['f3', 'q3', 'q2', 'f2', 'q1', 'f1']),
        item('listed', ['q4', 'q2'], {}, ['q3', 'q1', 'f3']),
        { reference: 'regions', holds: ['f1', 'f2', 'q1', 'q2', 'q3', 'q4'], body: regions },
        item('features', ['f2', 'f1']),
      ]);
      expect(await found({ organisation }, 'forth', 'back', 'listed', 'regions', 'features')).toEqual([
        'back: q3 q2 q1 | f3 f2 f1',
        'features: | f2 f1',
        'forth: q1 q2 q3 | f1 f2 f3',
        'listed: q4 q2 q3 q1 | f3',
        'regions: q2 q4 q1 q3 | f2 f1',
      ]);
    });

    it('returns a widget of several items with each of them', async () => {
      const organisation = newOrganisation();
      await write(organisation, [question('q1'), question('q2'), question('alone'), feature('f')]);
      await write(organisation, [
        item('a', ['q1', 'f']),
        item('b', ['q2', 'f', 'q1']),
        item('c', ['f']),
        // The same list as that of `a`.
        item('d', ['f', 'q1']),
      ]);
      expect(await found({ organisation }, 'a', 'b', 'c', 'd')).toEqual([
        'a: q1 | f',
        'b: q2 q1 | f',
        'c: | f',
        'd: q1 | f',
      ]);
      expect(await found({ organisation }, 'b')).toEqual(['b: q2 q1 | f']);
    });

    it('omits unknown items, and returns repeated ones once', async () => {
      const organisation = newOrganisation();
      await write(organisation, [question('q')]);
      await write(organisation, [item('a', ['q']), item('B', ['q']), item('c ', ['q']), item('same', ['q'])]);
      await write(organisation, [activity('x', ['a']), activity('same', ['a'])]);
      expect(await found({ organisation }, 'a', 'nothing', 'a', 'a')).toEqual(['a: q |']);
      expect(await found({ organisation }, 'A', 'b', 'c', 'a ', 'B', 'c ')).toEqual(['B: q |', 'c : q |']);
      expect(await found({ organisation }, 'q', 'x', 'same')).toEqual(['same: q |']);
      expect(await found({ organisation }, 'nothing')).toEqual([]);
      expect(await found({ organisation })).toEqual([]);
    });

    it('returns more items than fit into one statement', async () => {
      const organisation = newOrganisation();
      const numbers = several(703, (index) => index);
      await write(organisation, [feature('shared'), ...numbers.map((index) => question(`q${index}`))]);
      await write(
        organisation,
        numbers.map((index) => item(`i${index}`, [`q${index}`, 'shared'])),
      );
      const wanted = numbers.flatMap((index) => [`i${index}`, `unknown ${index}`, `i${702 - index}`]);
      const items = await pinned.items({ organisation }, wanted);
      expect(items.size).toBe(703);
      for (const index of numbers) expect(summary(items.get(`i${index}`)!)).toBe(`q${index} | shared`);
    });

    it('takes one statement for unchanged items, and sees each change of an item and its widgets', async () => {
      const organisation = newOrganisation();
      await write(organisation, [{ ...question('q1'), body: { n: 1 } }, question('q2'), feature('f')]);
      await write(organisation, [item('a', ['q1', 'f']), item('b', ['q1', 'q2']), item('c', ['q2'])]);
      const ask = async (...references: string[]) => {
        let items = new Map<string, PinnedItem>();
        const statements = await statementsDuring(ports.database, async () => {
          items = await pinned.items({ organisation }, references);
        });
        return { items, statements: statements.length };
      };
      const first = await ask('a', 'b', 'c');
      const second = await ask('a', 'b', 'c');
      expect(second.items).toEqual(first.items);
      expect([first.statements, second.statements]).toEqual([2, 1]);
      /** Reads with the cache, and checks that a reader without a cache returns the same. */
      const changed = async (...wanted: Wanted[]) => {
        await write(organisation, wanted);
        const { items, statements } = await ask('a', 'b', 'c', 'd');
        expect(items).toEqual(await new SqlPinnedContent(ports.database).items({ organisation }, ['a', 'b', 'c', 'd']));
        expect(statements).toBeLessThanOrEqual(2);
        return items;
      };
      const body = (items: Map<string, PinnedItem>) => items.get('a')!.questions[0]!.body;
      expect(body(await changed({ ...question('q1'), body: { n: 2 } }))).toBe('{"n":2}');
      expect((await changed({ ...item('a', ['q1', 'f']), status: 'archived' })).get('a')!.status).toBe('archived');
      expect((await changed(item('a', ['f', 'q2', 'q1']))).get('a')!.questions).toMatchObject([
        { reference: 'q2' },
        {},
      ]);
      const rich = await changed(item('a', ['f', 'q2', 'q1'], { adaptive: { difficulty: 3 } }));
      expect(rich.get('a')!.extras).toBe('{"adaptive":{"difficulty":3}}');
      expect((await changed({ ...feature('f'), to: 'f2' })).get('a')!.features).toEqual(['f2']);
      expect((await changed({ ...question('q1', 'gridded'), body: { n: 2 } })).get('b')!.questions[0]!.type).toBe(
        'gridded',
      );
      expect([...(await changed({ ...item('c', ['q2']), to: 'd' })).keys()].sort()).toEqual(['a', 'b', 'd']);
    });

    it('returns the current content, by the current references', async () => {
      const organisation = newOrganisation();
      await write(organisation, [question('q1'), question('q2')]);
      const [id] = await write(organisation, [item('a', ['q1']), item('b', ['q1'])]);
      await write(organisation, [
        { ...question('q1', 'gridded'), body: { n: 2 }, to: 'q3' },
        { ...item('a', ['q2', 'q1']), to: 'c' },
      ]);
      expect(await found({ organisation }, 'a', 'b', 'c')).toEqual(['b: q3 |', 'c: q2 q3 |']);
      const items = await pinned.items({ organisation }, ['b', 'c']);
      expect(items.get('c')!.document).toBe((await documentsOf(organisation, id!)).at(-1));
      expect(items.get('b')!.questions).toMatchObject([{ reference: 'q3', type: 'gridded', body: '{"n":2}' }]);
    });

    it('separates organisations', async () => {
      const [one, two, three] = [newOrganisation(), newOrganisation(), newOrganisation()];
      await write(one, [{ ...question('q'), body: { of: 'one' } }]);
      await write(two, [{ ...question('q'), body: { of: 'two' } }, question('more')]);
      await write(one, [item('a', ['q']), item('b', ['q'])]);
      await write(two, [item('a', ['more', 'q'])]);
      expect(await found({ organisation: one }, 'a', 'b')).toEqual(['a: q |', 'b: q |']);
      expect(await found({ organisation: two }, 'a', 'b')).toEqual(['a: more q |']);
      expect(await found({ organisation: three }, 'a', 'b')).toEqual([]);
      const items = await pinned.items({ organisation: one }, ['a']);
      expect(items.get('a')).toMatchObject({
        organisation: one,
        questions: [{ organisation: one, body: '{"of":"one"}' }],
      });
    });
  });

  describe('activity', () => {
    it('returns the document of an activity', async () => {
      const organisation = newOrganisation();
      await write(organisation, [question('q')]);
      await write(organisation, [item('i', ['q'])]);
      const [id] = await write(organisation, [activity('a', ['i'], { n: 1 }), activity('i', ['i'])]);
      await write(organisation, [activity('a', ['i'], { n: 2 })]);
      const expected = {
        organisation,
        document: (await documentsOf(organisation, id!))[1],
        hash: hashOf({ n: 2 }),
        body: '{"n":2}',
      };
      expect(await pinned.activity({ organisation }, 'a')).toEqual(expected);
      await write(organisation, [{ ...activity('a', ['i'], { n: 2 }), to: 'b' }]);
      expect(await pinned.activity({ organisation }, 'b')).toEqual(expected);
      expect(await pinned.activity({ organisation }, 'i')).toMatchObject({ body: '{"me":"i"}' });
      for (const other of ['a', 'B', 'b ', 'q', ''])
        expect(await pinned.activity({ organisation }, other)).toBeUndefined();
    });

    it('separates organisations', async () => {
      const [one, two] = [newOrganisation(), newOrganisation()];
      await write(one, [activity('a', [], { of: 'one' }), activity('b', [])]);
      await write(two, [activity('a', [], { of: 'two' })]);
      expect(await pinned.activity({ organisation: two }, 'a')).toMatchObject({
        organisation: two,
        body: '{"of":"two"}',
      });
      expect(await pinned.activity({ organisation: two }, 'b')).toBeUndefined();
    });
  });

  describe('on the shelf of a pool', () => {
    it('returns the content at the time when the pool was filled', async () => {
      const organisation = newOrganisation();
      const now = newDay();
      const stage = { organisation, pool: POOL, generation: 1, shown: 0, oldestFill: 0, asOf: now };
      await write(organisation, [{ ...question('q1'), body: { n: 1 } }, question('q2'), feature('f')], { now });
      await write(organisation, [item('a', ['f', 'q2', 'q1'], { adaptive: { d: 1 } }), item('b', ['q1'])], { now });
      await write(organisation, [activity('x', ['a'], { n: 1 })], { now });
      const pool = await fillPool(ports, stage, { activity: { references: ['x'] } });
      const later = { now: now + 10 };
      await write(organisation, [{ ...question('q1', 'gridded'), body: { n: 2 }, to: 'q1 now' }], later);
      await write(organisation, [{ ...item('a', ['q2']), to: 'a now' }, item('c', ['q2'])], later);
      await write(organisation, [activity('x', ['a now'], { n: 2 }), activity('y', ['c'])], later);
      const shelf = { organisation, pool };
      expect(await found(shelf, 'a', 'b', 'c', 'a now', 'q2', 'x')).toEqual(['a: q2 q1 | f']);
      expect(await found({ organisation }, 'a', 'b', 'c', 'a now')).toEqual(['a now: q2 |', 'b: q1 now |', 'c: q2 |']);
      const was = (await pinned.items(shelf, ['a'])).get('a')!;
      expect(was).toMatchObject({
        organisation,
        hash: hashOf(item('a', ['f', 'q2', 'q1']).body!, { adaptive: { d: 1 } }),
        extras: '{"adaptive":{"d":1}}',
        questions: [{ reference: 'q2' }, { reference: 'q1', type: 'mcq', body: '{"n":1}', hash: hashOf({ n: 1 }) }],
      });
      expect(await pinned.activity(shelf, 'x')).toMatchObject({
        organisation,
        body: '{"n":1}',
        hash: hashOf({ n: 1 }),
      });
      expect(await pinned.activity(shelf, 'y')).toBeUndefined();
      expect(await pinned.activity({ organisation }, 'x')).toMatchObject({ body: '{"n":2}' });
      // The documents of that time are still found by their ids.
      const ids = [was, ...was.questions].map(({ document }) => document);
      expect([...(await pinned.hashes(organisation, ids)).keys()].sort()).toEqual([...ids].sort());
    });

    it('returns one generation of one pool of one organisation', async () => {
      const [organisation, other] = [newOrganisation(), newOrganisation()];
      const now = newDay();
      for (const each of [organisation, other]) {
        await write(each, [question('q'), question('r')], { now });
        await write(each, [item('a', ['q']), item('b', ['q'])], { now });
        await write(each, [activity('x', ['a'], { n: each })], { now });
      }
      const stage = { organisation, pool: POOL, generation: 1, shown: 0, oldestFill: 0, asOf: now };
      const first = await fillPool(ports, stage, { activity: {} });
      const theirs = await fillPool(ports, { ...stage, organisation: other }, { item: { references: ['b'] } });
      await write(organisation, [item('a', ['r', 'q'])], { now: now + 10 });
      const refilled = { ...stage, generation: 2, shown: 1, oldestFill: 0, asOf: now + 10 };
      const second = await fillPool(ports, refilled, { item: {} }, { empty: true });
      expect(await found({ organisation, pool: first }, 'a', 'b')).toEqual(['a: q |']);
      expect(await found({ organisation, pool: second }, 'a', 'b')).toEqual(['a: r q |', 'b: q |']);
      expect(await found({ organisation: other, pool: theirs }, 'a', 'b')).toEqual(['b: q |']);
      expect(await found({ organisation, pool: { ...second, id: 'Q'.padEnd(26, '0') } }, 'a', 'b')).toEqual([]);
      expect(await pinned.activity({ organisation, pool: first }, 'x')).toMatchObject({
        body: `{"n":${organisation}}`,
      });
      expect(await pinned.activity({ organisation, pool: second }, 'x')).toBeUndefined();
      expect(await pinned.activity({ organisation: other, pool: theirs }, 'x')).toBeUndefined();
    });
  });

  describe('documents and hashes', () => {
    it('are returned by id, including former documents', async () => {
      const organisation = newOrganisation();
      const [q, i] = await write(organisation, [
        { ...question('q'), body: { n: 1 } },
        { reference: 'i', body: { me: 'i' }, extras: { x: 1 } },
      ]);
      await write(organisation, [{ ...question('q'), body: { n: 2 } }]);
      const [old, present] = (await documentsOf(organisation, q!)) as [string, string];
      const [ofItem] = (await documentsOf(organisation, i!)) as [string];
      const expected = [
        { organisation, document: old, hash: hashOf({ n: 1 }), body: '{"n":1}' },
        { organisation, document: present, hash: hashOf({ n: 2 }), body: '{"n":2}' },
        { organisation, document: ofItem, hash: hashOf({ me: 'i' }, { x: 1 }), body: '{"me":"i"}' },
      ];
      const ids = [ofItem, newId(NOW), old, present, old];
      expect(await pinned.documents(organisation, ids)).toEqual(new Map(expected.map((each) => [each.document, each])));
      expect(await pinned.hashes(organisation, ids)).toEqual(
        new Map(expected.map(({ document, hash }) => [document, hash])),
      );
      expect(await pinned.documents(organisation, [])).toEqual(new Map());
      expect(await pinned.hashes(organisation, [])).toEqual(new Map());
    });

    it('are returned in thousands', async () => {
      const organisation = newOrganisation();
      await write(
        organisation,
        several(1_203, (index) => ({ ...question(`q${index}`), body: { n: index } })),
      );
      const rows = await ports.database.rows<{ id: string; hash: string }>(
        'SELECT id, hash FROM document WHERE organisation_id = ?',
        [organisation],
      );
      const hashes = new Map(rows.map(({ id, hash }) => [id, hash]));
      const wanted = [...hashes.keys()].flatMap((id) => [id, newId(NOW), id]);
      expect(await pinned.hashes(organisation, wanted)).toEqual(hashes);
      const documents = await pinned.documents(organisation, wanted);
      expect(new Map([...documents].map(([id, { hash }]) => [id, hash]))).toEqual(hashes);
    });

    it('of other organisations are not returned', async () => {
      const [one, two] = [newOrganisation(), newOrganisation()];
      const [of] = await write(one, [question('q')]);
      await write(two, [question('q')]);
      const ids = await documentsOf(one, of!);
      expect((await pinned.documents(one, ids)).size).toBe(1);
      expect(await pinned.documents(two, ids)).toEqual(new Map());
      expect(await pinned.hashes(two, ids)).toEqual(new Map());
    });
  });

  describe('ever', () => {
    const ONE = { n: 1 };
    const TWO = { n: 2 };

    it('returns the latest document with a hash, current or former', async () => {
      const organisation = newOrganisation();
      const put = (body: JsonObject, type = 'mcq', extras?: JsonObject) =>
        write(organisation, [{ ...question('q', type), body, extras }]);
      const [id] = await put(ONE);
      await put(TWO, 'gridded');
      await put(ONE, 'shorttext');
      await put({ n: 3 }, 'mcq', { adaptive: { d: 1 } });
      const [, second, third, fourth] = await documentsOf(organisation, id!);
      const ever = async (...hashes: string[]) =>
        pinned.ever(
          organisation,
          'question',
          hashes.map((hash) => ({ reference: 'q', hash })),
        );
      const one = {
        organisation,
        record: id,
        document: third,
        hash: hashOf(ONE),
        body: '{"n":1}',
        reference: 'q',
        type: 'shorttext',
        extras: null,
      };
      const two = { ...one, document: second, hash: hashOf(TWO), body: '{"n":2}', type: 'gridded' };
      const three = {
        ...one,
        document: fourth,
        hash: hashOf({ n: 3 }, { adaptive: { d: 1 } }),
        body: '{"n":3}',
        type: 'mcq',
        extras: '{"adaptive":{"d":1}}',
      };
      const byBody = (a: { body: string }, b: { body: string }) => (a.body < b.body ? -1 : 1);
      expect(await ever(hashOf(ONE))).toEqual([one]);
      expect((await ever(hashOf(TWO), hashOf(ONE), three.hash, hashOf(TWO))).sort(byBody)).toEqual([one, two, three]);
      expect(await ever(hashOf({ n: 3 }))).toEqual([]);
      expect(await ever()).toEqual([]);
    });

    it('finds nothing for a text that is not a hash, whatever its characters', async () => {
      const organisation = newOrganisation();
      await write(organisation, [{ ...question('q'), body: ONE }]);
      const ever = (...hashes: string[]) =>
        pinned.ever(
          organisation,
          'question',
          hashes.map((hash) => ({ reference: 'q', hash })),
        );
      expect(await ever('\u202E', 'Ä'.repeat(64), '')).toEqual([]);
      expect(await ever('\u202E', hashOf(ONE), 'Ä')).toHaveLength(1);
    });

    it('returns only the requested hashes of each record', async () => {
      const organisation = newOrganisation();
      await write(organisation, [
        { ...question('a'), body: ONE },
        { ...question('b'), body: TWO },
        { ...feature('c'), body: ONE },
        { reference: 'a', body: ONE },
      ]);
      const ever = async (kind: 'question' | 'feature' | 'item' | 'activity', ...wanted: [string, JsonObject][]) =>
        (
          await pinned.ever(
            organisation,
            kind,
            wanted.map(([reference, body]) => ({ reference, hash: hashOf(body) })),
          )
        )
          .map(({ reference, type, body }) => `${reference} ${type} ${body}`)
          .sort();
      expect(await ever('question', ['a', ONE], ['b', ONE], ['b', TWO], ['c', ONE])).toEqual([
        'a mcq {"n":1}',
        'b mcq {"n":2}',
      ]);
      expect(await ever('question', ['a', TWO], ['b', ONE])).toEqual([]);
      expect(await ever('question', ['A', ONE], ['a ', ONE])).toEqual([]);
      expect(await ever('feature', ['a', ONE], ['c', ONE])).toEqual(['c calculator {"n":1}']);
      expect(await ever('item', ['a', ONE])).toEqual(['a null {"n":1}']);
      expect(await ever('activity', ['a', ONE])).toEqual([]);
    });

    it('finds a record by its former references', async () => {
      const organisation = newOrganisation();
      const [id] = await write(organisation, [{ ...question('a'), body: ONE }]);
      await write(organisation, [{ ...question('a'), to: 'b', body: TWO }]);
      // Another record gets the reference, with its own document.
      const [other] = await write(organisation, [{ ...question('a', 'gridded'), body: { n: 3 } }]);
      const [first, second] = await documentsOf(organisation, id!);
      const [third] = await documentsOf(organisation, other!);
      const ever = async (reference: string, body: JsonObject) =>
        (await pinned.ever(organisation, 'question', [{ reference, hash: hashOf(body) }])).map((each) => [
          each.reference,
          each.document,
        ]);
      for (const name of ['a', 'b']) {
        expect(await ever(name, ONE)).toEqual([[name, first]]);
        expect(await ever(name, TWO)).toEqual([[name, second]]);
      }
      expect(await ever('a', { n: 3 })).toEqual([['a', third]]);
      expect(await ever('b', { n: 3 })).toEqual([]);
      // Both records have had the document; the later one counts.
      await write(organisation, [{ ...question('b'), body: { n: 3 } }], { now: NOW + 1_000 });
      expect(await ever('a', { n: 3 })).toEqual([['a', (await documentsOf(organisation, id!)).at(-1)]]);
    });

    it('accepts more than fit into one statement', async () => {
      const organisation = newOrganisation();
      const all = several(1_203, (index) => index);
      await write(
        organisation,
        all.map((n) => ({ ...question(`q${n}`), body: { n } })),
      );
      const wanted = all.flatMap((n) =>
        [n, (n + 1) % 7].map((of) => ({ reference: `q${n}`, hash: hashOf({ n: of }) })),
      );
      const records = await pinned.ever(organisation, 'question', wanted);
      const summaries = records.map(({ reference, body }) => `${reference} ${body}`).sort();
      expect(summaries).toEqual(all.map((n) => `q${n} {"n":${n}}`).sort());
    });

    it('separates organisations', async () => {
      const [one, two] = [newOrganisation(), newOrganisation()];
      await write(one, [{ ...question('q'), body: ONE }]);
      await write(one, [{ ...question('q'), to: 'r', body: ONE }]);
      await write(two, [{ ...question('q'), body: TWO }]);
      const wanted = ['q', 'r'].flatMap((reference) => [ONE, TWO].map((body) => ({ reference, hash: hashOf(body) })));
      const of = async (organisation: number) =>
        (await pinned.ever(organisation, 'question', wanted)).map(
          (each) => `${each.organisation} ${each.reference} ${each.body}`,
        );
      expect((await of(one)).sort()).toEqual([`${one} q {"n":1}`, `${one} r {"n":1}`]);
      expect(await of(two)).toEqual([`${two} q {"n":2}`]);
    });
  });

  describe('wasEverDynamic', () => {
    const DYNAMIC = { dynamic_content_data: { cols: ['a'] } };

    it('returns whether an item has, or had, content that is generated for each learner', async () => {
      const organisation = newOrganisation();
      const wanted: Record<string, Wanted> = {
        now: item('now', [], DYNAMIC),
        then: item('then', [], { adaptive: { d: 1 }, ...DYNAMIC }),
        later: item('later', []),
        never: item('never', [], { adaptive: { d: 1 } }),
        empty: item('empty', [], { dynamic_content_data: {} }),
        body: { reference: 'body', body: DYNAMIC },
        old: item('old', [], DYNAMIC),
      };
      const ids = await write(organisation, Object.values(wanted));
      await write(organisation, [item('then', []), item('later', [], DYNAMIC), { ...item('old', []), to: 'new' }]);
      // Another record gets the reference.
      const [other] = await write(organisation, [item('old', [])]);
      const dynamic = [];
      for (const [index, name] of Object.keys(wanted).entries())
        if (await pinned.wasEverDynamic(organisation, ids[index]!)) dynamic.push(name);
      expect(dynamic).toEqual(['now', 'then', 'later', 'old']);
      expect(await pinned.wasEverDynamic(organisation, other!)).toBe(false);
      expect(await pinned.wasEverDynamic(newOrganisation(), ids[0]!)).toBe(false);
    });
  });

  describe('pastOf', () => {
    it('returns the former references and documents of a record and its current reference', async () => {
      const organisation = newOrganisation();
      const [id] = await write(organisation, [item('a', [])]);
      await write(organisation, [{ ...item('a', [], { adaptive: { d: 1 } }), to: 'b' }]);
      const [other] = await write(organisation, [item('a', [])]);
      const documents = await documentsOf(organisation, id!);
      expect(documents).toHaveLength(2);
      expect(await pinned.pastOf(organisation, id!)).toEqual({
        references: new Set(['a', 'b']),
        documents: new Set(documents),
      });
      expect(await pinned.itemsOnceCalled(organisation, ['a', 'b', 'A', 'a '])).toEqual(new Map([['a', ['b']]]));
      expect(await pinned.itemsOnceCalled(newOrganisation(), ['a'])).toEqual(new Map());
      expect((await pinned.pastOf(organisation, other!)).references).toEqual(new Set(['a']));
      expect((await pinned.pastOf(newOrganisation(), id!)).documents).toEqual(new Set());
    });
  });
}
