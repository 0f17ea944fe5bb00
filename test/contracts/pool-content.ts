import { type Stage } from '../../libs/content/src/application/ports/pool-content';
import { fillPool } from './fill-pool';
import { newDay, newOrganisation, type Ports } from './ports';
import { put, tag } from './writing';

export function poolContentContract(ports: Ports): void {
  let organisation: number;
  let now: number;
  beforeEach(async () => {
    organisation = newOrganisation();
    now = newDay();
    await put(ports, organisation, [{ kind: 'question', reference: 'q', type: 'mcq' }], { now });
  });

  const stageOf = (more: Partial<Stage> = {}): Stage => ({
    organisation,
    pool: 'P'.padEnd(26, '0'),
    generation: 1,
    shown: 0,
    oldestFill: 0,
    asOf: now,
    ...more,
  });
  const item = (reference: string, more: object = {}) => ({
    reference,
    status: 'published' as const,
    holds: ['q'],
    ...more,
  });
  const set = (...wanted: Parameters<typeof put>[2]) => put(ports, organisation, wanted, { now });
  const skippedIn = async (stage: Stage) => {
    const all: string[] = [];
    for await (const some of ports.picks.skipped(stage))
      all.push(...some.map(({ kind, reference, why }) => `${kind} ${reference}: ${why}`));
    return all;
  };
  const contentOf = async (stage: Stage) => {
    const all: string[] = [];
    for await (const some of ports.generations.entries(stage))
      all.push(...some.map(({ kind, reference }) => `${kind} ${reference}`));
    return all;
  };
  const rowsOf = async (table: 'pool_record' | 'pool_tag' | 'pool_change') => {
    const [row] = await ports.database.rows<{ n: number | string }>(
      `SELECT COUNT(*) AS n FROM ${table} WHERE organisation_id = ?`,
      [organisation],
    );
    return Number(row!.n);
  };

  it('reads banks as they are now, also the writes of a process whose clock is ahead', async () => {
    const presentMoment = (banks: number[], at: number) => ports.shelves.presentMoment(banks, at);
    expect(await presentMoment([newOrganisation()], 0)).toBe(0);
    expect(await presentMoment([organisation], 0)).toBe(now);
    expect(await presentMoment([organisation], now + 1)).toBe(now + 1);
    await put(ports, organisation, [item('a')], { now: now + 5_000 });
    expect(await presentMoment([newOrganisation(), organisation], now + 1)).toBe(now + 5_000);
  });

  it('stores the bank as it was at a moment, with the questions of that time', async () => {
    await set(item('a', { tags: [tag('T:old')], title: 'old' }), item('b'));
    const stage = stageOf();
    now += 10;
    await set({ kind: 'question', reference: 'q', type: 'gridded' });
    await set({ kind: 'question', reference: 'later', type: 'mcq' });
    await set(item('a', { tags: [tag('T:new')], holds: ['later'] }), item('b', { status: 'archived' }), item('c'));
    const pool = await fillPool(ports, stage, { item: {} });
    const query = { sort: { field: 'created', ascending: true }, limit: 50 } as const;
    const shelf = { organisation, pool };
    const items = await ports.shelves.find(shelf, { kind: 'item', ...query });
    expect(items.entries.map(({ reference, status, tags }) => [reference, status, tags])).toEqual([
      ['a', 'published', [tag('T:old')]],
      ['b', 'published', []],
    ]);
    const questions = await ports.shelves.find(shelf, { kind: 'question', ...query });
    expect(questions.entries.map(({ reference, type }) => [reference, type])).toEqual([['q', 'mcq']]);
    expect(await ports.picks.unknown(stage, 'item', ['a', 'c', 'b', 'c'])).toEqual(['c']);
    expect(await ports.generations.stored(stage)).toEqual({ activity: 0, item: 2, question: 1, feature: 0 });
  });

  it('omits activities whose items are not in the pool under their present references', async () => {
    await set(item('a'), item('b'));
    await set({ kind: 'activity', reference: 'x', status: 'published', holds: ['a', 'b'] });
    await fillPool(ports, stageOf(), { item: { references: ['a', 'b'] } });
    now += 10;
    await set(item('a', { to: 'a2' }));
    const later = stageOf({ generation: 2, shown: 1 });
    await fillPool(ports, later, { activity: {} });
    expect(await skippedIn(later)).toEqual(['activity x: items-missing']);
    expect(await contentOf(later)).toEqual(['item a', 'item b', 'question q']);
    const refreshed = stageOf({ generation: 3, shown: 2 });
    await fillPool(ports, refreshed, { activity: {} }, { overlap: 'refresh' });
    expect(await skippedIn(refreshed)).toEqual([]);
    expect(await contentOf(refreshed)).toEqual(['activity x', 'item a2', 'item b', 'question q']);
  });

  it('drops at a refresh the widgets that no item of the pool holds any more', async () => {
    await set(...['r', 's', 't'].map((reference) => ({ kind: 'question' as const, reference, type: 'mcq' })));
    await set({ kind: 'feature', reference: 'f', type: 'sharedpassage' });
    await set(
      item('a', { holds: ['q', 'r', 'f'] }),
      item('b', { holds: ['r', 's'] }),
      item('c', { holds: ['f', 's'] }),
    );
    await fillPool(ports, stageOf(), { item: {} });
    now += 10;
    await set(item('a', { holds: ['t'] }), item('b', { to: 'b2', holds: ['q'] }));
    await set(item('b', { holds: ['t'] }));
    const later = stageOf({ generation: 2, shown: 1 });
    // The new item gets the reference of the other one, which leaves the pool.
    await fillPool(ports, later, { item: { references: ['a', 'b'] } }, { overlap: 'refresh' });
    expect(await contentOf(later)).toEqual(['item a', 'item b', 'item c', 'feature f', 'question s', 'question t']);
    expect(await contentOf({ ...later, generation: 1 })).toEqual([
      'item a',
      'item b',
      'item c',
      'feature f',
      'question q',
      'question r',
      'question s',
    ]);
  });

  it('lists the records that differ between two generations, and no others', async () => {
    await set(
      item('same', { tags: [tag('T:a')] }),
      item('edited', { body: { n: 1 } }),
      item('renamed', { body: { n: 1 } }),
      item('tagged', { tags: [tag('T:a')] }),
      item('gone'),
    );
    await set({ kind: 'activity', reference: 'act', status: 'published', holds: ['same'] });
    const all = (...references: string[]) => ({ item: { references }, activity: { references: ['act'] } });
    const between = (from: number, to: number) => ({ ...stageOf(), from, to });
    const listOf = async (from: number, to: number, limit = 10) => {
      const listed = await ports.generations.differences(between(from, to), limit);
      return listed.map(({ change, kind, reference }) => `${kind} ${change}: ${reference}`);
    };
    const first = stageOf();
    await fillPool(ports, first, all('same', 'edited', 'renamed', 'tagged', 'gone'));
    const none = { activity: 0, item: 0, question: 0, feature: 0 };
    const { changed, removed, added } = await ports.generations.countDifferences(between(0, 1));
    expect({ changed, removed, added }).toEqual({
      added: { activity: 1, item: 5, question: 1, feature: 0 },
      changed: none,
      removed: none,
    });
    expect(await listOf(0, 1, 3)).toEqual(['activity added: act', 'item added: edited', 'item added: gone']);
    now += 10;
    await set(
      item('edited', { body: { n: 2 } }),
      item('renamed', { to: 'named', body: { n: 1 } }),
      item('tagged', { tags: [tag('T:b')], keepDocument: true }),
      item('new'),
    );
    const second = stageOf({ generation: 2, shown: 1, asOf: now });
    await fillPool(ports, second, all('same', 'edited', 'named', 'tagged', 'new'), { empty: true });
    const counts = await ports.generations.countDifferences(between(1, 2));
    expect(counts).toEqual({
      added: { ...none, item: 1 },
      changed: { ...none, item: 3 },
      removed: { ...none, item: 1 },
    });
    const listed = await listOf(1, 2);
    expect(listed).toEqual([
      'item added: new',
      'item changed: edited',
      'item changed: named',
      'item changed: tagged',
      'item removed: gone',
    ]);
    expect(await listOf(1, 2, 2)).toEqual(listed.slice(0, 2));
    // Generation 3 is never shown.
    now += 10;
    const unseen = stageOf({ generation: 3, shown: 2, asOf: now });
    await fillPool(ports, unseen, all('edited'), { empty: true });
    now += 10;
    await set(item('edited', { body: { n: 1 } }), item('named', { to: 'renamed', body: { n: 1 } }));
    const fourth = stageOf({ generation: 4, shown: 2, oldestFill: 1, asOf: now });
    await fillPool(ports, fourth, all('same', 'edited', 'renamed', 'tagged', 'gone'), { empty: true });
    expect(await listOf(2, 4)).toEqual([
      'item added: gone',
      'item changed: edited',
      'item changed: renamed',
      'item removed: new',
    ]);
    // Records that came and went in between do not differ, nor those that are again as they were.
    expect(await listOf(1, 4)).toEqual(['item changed: tagged']);
    expect(await ports.generations.countDifferences(between(1, 4))).toEqual({
      added: none,
      changed: { ...none, item: 1 },
      removed: none,
    });
    expect([await listOf(1, 2), await listOf(4, 4)]).toEqual([listed, []]);
    const rows = await rowsOf('pool_change');
    await fillPool(ports, stageOf({ generation: 5, shown: 4, oldestFill: 2, asOf: now }), {});
    // The changes of generation 2 are forgotten.
    expect(await rowsOf('pool_change')).toBe(rows - listed.length);
    expect(await listOf(2, 4)).toHaveLength(4);
  });

  it('counts the pools that show a tag', async () => {
    await set(item('a', { tags: [tag('T:a'), tag('T:b')] }), item('b', { tags: [tag('T:b')] }));
    const ids = await ports.tagStore.ids(organisation, [tag('T:a'), tag('T:b')]);
    const [a, b] = [ids.get('t\na')!, ids.get('t\nb')!];
    const made = {
      name: '',
      description: null,
      status: 'published',
      updatedAt: now,
      job: 'J'.padEnd(26, '0'),
    } as const;
    for (const [reference, references] of [
      ['one', ['a', 'b']],
      ['two', ['b']],
      ['staged', ['a']],
    ] as const) {
      const pool = `P${reference}`.toUpperCase().padEnd(26, '0');
      await ports.database.run(() => ports.pools.add(organisation, [{ ...made, id: pool, reference }]));
      await fillPool(ports, stageOf({ pool }), { item: { references: [...references] } });
      if (reference !== 'staged')
        await ports.database.write('UPDATE pool SET generation = 1 WHERE organisation_id = ? AND id = ?', [
          organisation,
          pool,
        ]);
    }
    const found = await ports.pools.tagged(organisation, [a, b, 'X'.padEnd(26, '0')]);
    expect([...found].sort()).toEqual(
      [
        [a, 1],
        [b, 2],
      ].sort(),
    );
  });

  it('removes the rows of other stages, and rows that no reader can see', async () => {
    await set(item('a', { tags: [tag('T:1')] }), item('b', { tags: [tag('T:1'), tag('T:2')] }));
    await fillPool(ports, stageOf(), { item: {} });
    const whole = [await rowsOf('pool_record'), await rowsOf('pool_tag')];
    expect(whole).toEqual([3, 3]);
    // Generation 2 is prepared but never published, so generation 1 stays.
    await fillPool(ports, stageOf({ generation: 2, shown: 1 }), { item: {} }, { empty: true });
    await fillPool(ports, stageOf({ generation: 3, shown: 1 }), { item: { references: ['a'] } }, { empty: true });
    // Nothing of generation 2 is left. Generation 1 is still published, and 3 contains the item with its question.
    expect([await rowsOf('pool_record'), await rowsOf('pool_tag')]).toEqual([3 + 2, 3 + 1]);
    const stage = stageOf({ generation: 4, shown: 3 });
    await fillPool(ports, stage, {});
    expect(await contentOf(stage)).toEqual(['item a', 'question q']);
    expect([await rowsOf('pool_record'), await rowsOf('pool_tag')]).toEqual([2, 1]);
  });

  it('stores records that have been published since, and returns the others', async () => {
    await set(
      item('u', { status: 'unpublished' }),
      item('v', { status: 'unpublished' }),
      item('w', { status: 'archived' }),
    );
    const stage = stageOf();
    for (const kind of ['item', 'activity'] as const) await ports.database.run(() => ports.picks.pick(stage, kind, {}));
    const { references, after } = await ports.picks.unpublished(stage, 'item', 1);
    expect([references, typeof after]).toEqual([['u'], 'string']);
    expect((await ports.picks.unpublished(stage, 'item', 1, after)).references).toEqual(['v']);
    const current = await ports.database.run(() => ports.records.lock(organisation, 'item', ['u']));
    await ports.database.run(() => ports.picks.published(stage, 'item', [current.get('u')!.id]));
    await ports.database.run(() => ports.poolContent.storeItems(stage, 'none'));
    expect(await contentOf(stage)).toEqual(['item u', 'question q']);
    expect(await skippedIn(stage)).toEqual(['item v: unpublished', 'item w: archived']);
    expect(await ports.picks.count(stage)).toBe(3);
    await ports.database.run(() => ports.picks.forget(stage, 'item', 'stored'));
    expect(await skippedIn(stage)).toHaveLength(2);
    await ports.database.run(() => ports.picks.forget(stage, 'item', 'all'));
    expect(await ports.picks.count(stage)).toBe(0);
  });
}
