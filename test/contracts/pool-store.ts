import { newId, timeOf } from '#kernel';
import { type FilledPool, type PoolListing } from '../../libs/pools/src/application/ports/pool-store';
import { newOrganisation, NOW, type Ports, scopeOf } from './ports';

export function poolStoreContract(ports: Ports): void {
  let organisation: number;
  beforeEach(() => {
    organisation = newOrganisation();
  });

  const job = async (): Promise<string> => {
    const id = newId(NOW);
    const scope = scopeOf(organisation);
    await ports.jobs.add([{ organisation, id, type: 'fill', lane: 'bulk', input: '{}', scope }], NOW);
    return id;
  };
  const pool = async (reference: string, more: Partial<FilledPool> = {}): Promise<FilledPool> => ({
    id: newId(NOW),
    reference,
    name: `Name of ${reference}`,
    description: null,
    status: 'published',
    updatedAt: NOW,
    job: await job(),
    ...more,
  });
  const add = async (...pools: FilledPool[]) => ports.database.run(() => ports.pools.add(organisation, pools));
  const find = (more: Partial<PoolListing> = {}) =>
    ports.pools.find({ organisation, sort: { field: 'created', ascending: true }, limit: 50, ...more });
  const statusOf = async (reference: string) => (await find({ references: [reference] })).entries[0]!.status;
  const end = (id: string, status: string) =>
    ports.database.write('UPDATE job SET status = ? WHERE organisation_id = ? AND id = ?', [status, organisation, id]);

  it('compares references byte for byte, within one organisation', async () => {
    await add(await pool('a'), await pool('A'), await pool('ä'));
    expect((await find({ references: ['a', 'A ', 'Ä'] })).entries.map(({ reference }) => reference)).toEqual(['a']);
    const locked = await ports.database.run(() => ports.pools.lock(organisation, ['A', 'b', 'ä']));
    expect([...locked.keys()].sort()).toEqual(['A', 'ä']);
    expect(locked.get('A')).toMatchObject({
      name: 'Name of A',
      description: null,
      status: 'published',
      updatedAt: NOW,
    });
    expect(await ports.pools.shelf(newOrganisation(), 'a')).toBeUndefined();
  });

  it('rejects a second pool with the same reference, and keeps the first unchanged', async () => {
    const first = await pool('a');
    await add(first);
    const second = await pool('a', { name: 'Other' });
    const failing = ports.database.run(() => ports.pools.add(organisation, [second]));
    await expect(failing).rejects.toThrow();
    expect((await find()).entries).toMatchObject([{ id: first.id, name: first.name }]);
  });

  it('has the status of the job until the pool is filled', async () => {
    const made = await pool('a', { status: 'unpublished' });
    await add(made);
    expect(await statusOf('a')).toBe('pending');
    await end(made.job, 'running');
    expect(await statusOf('a')).toBe('pending');
    expect((await find()).entries).toMatchObject([{ statusAfterFill: 'unpublished' }]);
    await end(made.job, 'halted');
    expect(await statusOf('a')).toBe('halted');
    await ports.database.write('DELETE FROM job WHERE organisation_id = ? AND id = ?', [organisation, made.job]);
    expect(await statusOf('a')).toBe('halted');
    await ports.database.run(async () => {
      await ports.pools.stage(organisation, made.id, made.job);
      await ports.pools.show(organisation, made.id, made.job, 'f'.repeat(64), NOW + 5);
    });
    expect((await find()).entries).toMatchObject([
      {
        status: 'unpublished',
        statusAfterFill: 'unpublished',
        contentHash: 'f'.repeat(64),
        createdAt: timeOf(made.id),
        updatedAt: NOW + 5,
      },
    ]);
    const next = await job();
    await ports.database.run(() => ports.pools.replace(organisation, [{ ...made, status: 'published', job: next }]));
    expect(await statusOf('a')).toBe('pending');
    expect((await find({ status: ['pending'] })).entries).toHaveLength(1);
    expect((await find({ status: ['published', 'unpublished'] })).entries).toEqual([]);
    // An earlier fill that ends later does not change the status.
    await end(next, 'completed');
    expect(await statusOf('a')).toBe('published');
  });

  it('follows its last job, even when an earlier job is retried and fills it again', async () => {
    const made = await pool('a');
    await add(made);
    const last = await job();
    await ports.database.run(() => ports.pools.replace(organisation, [{ ...made, job: last }]));
    const fill = (id: string) =>
      ports.database.run(async () => {
        await ports.pools.stage(organisation, made.id, id);
        await ports.pools.show(organisation, made.id, id, 'f'.repeat(64), NOW);
        await end(id, 'completed');
      });
    for (const id of [last, made.job]) await fill(id);
    // Removes the expired jobs.
    await ports.database.write('DELETE FROM job WHERE organisation_id = ?', [organisation]);
    expect(await statusOf('a')).toBe('published');
    const next = await job();
    await ports.database.run(() => ports.pools.replace(organisation, [{ ...made, job: next }]));
    await fill(made.job);
    expect(await statusOf('a')).toBe('pending');
  });

  it('assigns the next generation to one job, and publishes it at once', async () => {
    const made = await pool('a');
    await add(made);
    const shelf = () => ports.pools.shelf(organisation, 'a');
    const run = <T>(work: () => Promise<T>) => ports.database.run(work);
    expect(await shelf()).toEqual({ id: made.id, generation: 0, oldest: 0 });
    const other = await job();
    const holds = (id: string) => run(() => ports.pools.holds(organisation, made.id, id));
    expect(await holds(made.job)).toBe(false);
    expect(await run(() => ports.pools.stage(organisation, made.id, made.job))).toEqual({
      generation: 1,
      shown: 0,
      oldestFill: 0,
    });
    expect([await holds(made.job), await holds(other)]).toEqual([true, false]);
    expect(await run(() => ports.pools.stage(organisation, made.id, other))).toMatchObject({ generation: 2, shown: 0 });
    expect([await holds(made.job), await holds(other)]).toEqual([false, true]);
    // A job without the current claim publishes nothing.
    await run(() => ports.pools.show(organisation, made.id, made.job, '0'.repeat(64), NOW));
    expect(await shelf()).toMatchObject({ generation: 0 });
    await run(() => ports.pools.show(organisation, made.id, other, '1'.repeat(64), NOW));
    expect(await shelf()).toEqual({ id: made.id, generation: 2, oldest: 0 });
    expect(await run(() => ports.pools.stage(organisation, made.id, made.job))).toEqual({
      generation: 3,
      shown: 2,
      oldestFill: 2,
    });
    expect(await shelf()).toEqual({ id: made.id, generation: 2, oldest: 2 });
  });

  it('keeps its last 50 fills, and lists those that followed each other', async () => {
    const made = await pool('a');
    await add(made);
    const fill = (at: number) =>
      ports.database.run(async () => {
        const stage = await ports.pools.stage(organisation, made.id, made.job);
        await ports.pools.show(organisation, made.id, made.job, String(at % 10).repeat(64), NOW + at);
        return stage;
      });
    const fills = async () => ports.pools.fills(organisation, (await ports.pools.shelf(organisation, 'a'))!);
    expect(await fills()).toEqual([]);
    for (let at = 1; at <= 50; at++) await fill(at);
    expect(await fills()).toHaveLength(50);
    expect((await fills()).at(-1)).toMatchObject({ generation: 1, previous: 0 });
    expect(await fill(51)).toMatchObject({ generation: 51, shown: 50, oldestFill: 1 });
    expect(await fill(52)).toMatchObject({ oldestFill: 2 });
    const [last, ...others] = await fills();
    expect(last).toEqual({
      generation: 52,
      previous: 51,
      job: made.job,
      contentHash: '2'.repeat(64),
      filledAt: NOW + 52,
    });
    expect([others.length, others.at(-1)!.generation]).toEqual([49, 3]);
    // An earlier release fills the pool, and keeps no fill.
    const bump = 'UPDATE pool SET generation = 53, staged = 53 WHERE organisation_id = ? AND id = ?';
    await ports.database.write(bump, [organisation, made.id]);
    expect(await fills()).toEqual([]);
    await fill(54);
    expect((await fills()).map(({ generation, previous }) => [generation, previous])).toEqual([[54, 53]]);
  });

  it('never moves the time of its last change back', async () => {
    const made = await pool('a', { updatedAt: NOW + 1000 });
    await add(made);
    await ports.database.run(async () => {
      await ports.pools.stage(organisation, made.id, made.job);
      await ports.pools.show(organisation, made.id, made.job, 'f'.repeat(64), NOW);
    });
    expect((await find()).entries).toMatchObject([{ updatedAt: NOW + 1001 }]);
  });

  it.each(['created', 'updated'] as const)('lists by time %s, in slices', async (field) => {
    const names = ['a', 'b', 'c', 'd', 'e'];
    for (const [index, name] of names.entries()) await add(await pool(name, { updatedAt: NOW + (index % 2) }));
    const expected = field === 'created' ? names : ['a', 'c', 'e', 'b', 'd'];
    for (const ascending of [true, false]) {
      const found: string[] = [];
      for (let after: PoolListing['after']; ;) {
        const slice = await find({ sort: { field, ascending }, limit: 2, after });
        found.push(...slice.entries.map(({ reference }) => reference));
        after = slice.after;
        if (!after) break;
      }
      expect(found).toEqual(ascending ? expected : [...expected].reverse());
    }
  });
}
