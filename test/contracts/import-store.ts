import { newId, timeOf } from '#kernel';
import { type ImportStore } from '../../libs/interchange/src/application/ports/import-store';
import { authorOf, type Import } from '../../libs/interchange/src/domain/import';
import { REVERT_IMPORT } from '../../libs/interchange/src/domain/operation-names';
import { newOrganisation, NOW, type Ports } from './ports';
import { put } from './writing';

/** Imports, their files, and the records that they wrote. */
export function importStoreContract(ports: Ports): void {
  let store: ImportStore;
  let organisation: number;
  beforeAll(() => {
    store = ports.imports;
  });
  beforeEach(() => (organisation = newOrganisation()));

  /** Adds an import with a file. Returns the import that reads must return. */
  async function addImport(more: Partial<Import> = {}): Promise<Import> {
    const [id, file] = [newId(NOW), newId(NOW)];
    const name = 'Bänk 😀.xml';
    await store.addFile(organisation, { id: file, name });
    const whole: Import = {
      id,
      status: 'planning',
      job: id,
      file,
      name,
      format: null,
      onCollision: 'fail',
      plan: null,
      totals: null,
      error: null,
      changedAt: NOW,
      ...more,
    };
    const { name: _, ...facts } = whole;
    await store.add(organisation, facts);
    return whole;
  }
  const read = async (id: string) => (await store.find(organisation, { references: [id], limit: 1 })).entries[0];
  const lockImport = (id: string) => ports.database.run(() => store.lock(organisation, id));
  /** Writes items as the import does, and records them for the import. */
  const writeItems = async (id: string, references: string[], now: number) =>
    ports.database.run(async () => {
      const wanted = references.map((reference) => ({ reference, body: { now } }));
      const ids = await put(ports, organisation, wanted, { now, author: { id: authorOf(id) } });
      await store.note(organisation, id, now);
      return ids;
    });
  const pending = (id: string, limit = 10, after = '') => store.pending(organisation, id, 'item', after, limit);

  it('reads imports as they were added, newest first, in slices', async () => {
    const all = [
      await addImport(),
      await addImport({ format: 'qti', onCollision: 'skip' }),
      await addImport(),
    ].reverse();
    const first = await store.find(organisation, { limit: 2 });
    expect(first).toEqual({ entries: all.slice(0, 2), after: [all[1]!.id] });
    expect(await store.find(organisation, { limit: 2, after: first.after })).toEqual({ entries: all.slice(2) });
    expect(await lockImport(all[0]!.id)).toEqual(all[0]);
    expect(await store.find(newOrganisation(), { limit: 2 })).toEqual({ entries: [] });
    expect(await store.file(organisation, all[0]!.file)).toEqual({ id: all[0]!.file, name: all[0]!.name });
    expect(await store.file(newOrganisation(), all[0]!.file)).toBeUndefined();
  });

  it('changes an import only for the job that works on it', async () => {
    const before = await addImport();
    const totals = {
      created: 1,
      replaced: 2,
      skipped: 3,
      refused: 4,
      notes: { lost: 5, approximated: 6, kept_aside: 7 },
    };
    const change = { status: 'planned', format: 'gift', plan: 'f'.repeat(64), totals, job: newId(NOW) } as const;
    expect(await store.move(organisation, before.id, newId(NOW), change, NOW + 1)).toBe(false);
    expect(await read(before.id)).toEqual(before);
    expect(await store.move(organisation, before.id, before.id, change, NOW + 1)).toBe(true);
    const after = { ...before, ...change, changedAt: NOW + 1 };
    expect(await read(before.id)).toEqual(after);
    const error = { code: 'x', message: 'y', at: 'z' };
    // This holds even when only the status changes.
    expect(await store.move(organisation, before.id, change.job, { status: 'refused', error }, NOW + 1)).toBe(true);
    expect(await store.move(organisation, before.id, change.job, { status: 'refused' }, NOW + 1)).toBe(true);
    expect(await read(before.id)).toEqual({ ...after, status: 'refused', error });
  });

  it('notes the records that the import wrote, with the last revision by others', async () => {
    const { id } = await addImport();
    await put(ports, organisation, [{ reference: 'old' }, { reference: 'other' }], { now: NOW });
    const [old, fresh] = await writeItems(id, ['old', 'new'], NOW + 10);
    await put(ports, organisation, [{ reference: 'other', body: { x: 1 } }], { now: NOW + 20 });
    const facts = { kind: 'item', isChanged: false, made: NOW + 10 };
    expect(await pending(id)).toEqual(
      [
        { ...facts, id: old, reference: 'old', before: NOW },
        { ...facts, id: fresh, reference: 'new', before: null },
      ].sort((a, b) => (a.id! < b.id! ? -1 : 1)),
    );
    // Somebody else changes the record in between, so a revert restores that change.
    await put(ports, organisation, [{ reference: 'new', body: { x: 2 } }], { now: NOW + 30 });
    await writeItems(id, ['new'], NOW + 40);
    expect((await pending(id)).find(({ reference }) => reference === 'new')).toMatchObject({
      before: NOW + 30,
      made: NOW + 40,
    });
  });

  it('lists records that have changed since, but not those that were reverted', async () => {
    const { id } = await addImport();
    await writeItems(id, ['a', 'b', 'c'], NOW + 10);
    await put(ports, organisation, [{ reference: 'b', to: 'd' }], { now: NOW + 20 });
    await put(ports, organisation, [{ reference: 'c' }], { now: NOW + 20, operation: REVERT_IMPORT });
    expect(await store.changed(organisation, id, 10)).toEqual([{ kind: 'item', reference: 'd' }]);
    const changed = (await pending(id)).map(({ reference, isChanged }) => `${reference} ${isChanged}`);
    expect(changed.sort()).toEqual(['a false', 'c false', 'd true']);
    expect(await store.changed(organisation, newId(NOW), 10)).toEqual([]);
  });

  it('does not count what a later import wrote, once that is reverted', async () => {
    const [{ id: first }, { id: second }] = [await addImport(), await addImport({ status: 'reverting' })];
    await put(ports, organisation, [{ reference: 'a' }], { now: NOW });
    await writeItems(first, ['a', 'b'], NOW + 10);
    await writeItems(second, ['a', 'b'], NOW + 20);
    const named = async () => (await store.changed(organisation, first, 10)).map(({ reference }) => reference);
    const changed = async () => (await pending(first)).flatMap((each) => (each.isChanged ? each.reference : []));
    expect([await named(), (await changed()).sort()]).toEqual([
      ['a', 'b'],
      ['a', 'b'],
    ]);
    const [one, other] = (await pending(second)).sort((x, y) => (x.reference < y.reference ? -1 : 1));
    await put(ports, organisation, [{ reference: 'a' }], { now: NOW + 30, operation: REVERT_IMPORT });
    await store.settle(organisation, second, [
      { ...one!, outcome: 'restored' },
      { ...other!, outcome: 'changed' },
    ]);
    expect([await named(), await changed()]).toEqual([['b'], ['b']]);
    await put(ports, organisation, [{ reference: 'a', body: { by: 'somebody' } }], { now: NOW + 40 });
    expect((await named()).sort()).toEqual(['a', 'b']);
  });

  it('stores the outcome of each record, which is then no longer pending', async () => {
    const { id } = await addImport();
    await writeItems(id, ['a', 'b', 'c'], NOW + 10);
    const [first, second] = await pending(id, 2);
    expect((await pending(id, 1, first!.id)).map(({ id: record }) => record)).toEqual([second!.id]);
    await store.settle(organisation, id, [
      { ...first!, outcome: 'archived' },
      { ...second!, outcome: 'changed' },
    ]);
    expect((await pending(id)).map(({ id: record }) => record)).not.toContain(first!.id);
    expect(await store.outcomes(organisation, id)).toEqual(
      new Map<string | null, number>([
        [null, 1],
        ['archived', 1],
        ['changed', 1],
      ]),
    );
  });

  it('removes old imports in parts, and then the files that no import uses', async () => {
    const old = await addImport();
    const recent = await addImport({ changedAt: NOW + 10 });
    await writeItems(old.id, ['a', 'b', 'c'], NOW);
    expect(await store.removeOld(organisation, NOW, 2)).toBe(0);
    expect(await store.removeOld(organisation, NOW + 1, 2)).toBe(2);
    expect(await read(old.id)).toMatchObject({ plan: null });
    for (const expected of [1, 1, 0]) expect(await store.removeOld(organisation, NOW + 1, 2)).toBe(expected);
    expect((await store.find(organisation, { limit: 5 })).entries).toEqual([recent]);
    const announced = timeOf(old.file);
    expect(await store.unusedFiles(organisation, announced, 5)).toEqual([]);
    expect(await store.unusedFiles(organisation, announced + 1, 5)).toEqual([old.file]);
    await store.removeFiles(organisation, [old.file]);
    expect(await store.file(organisation, old.file)).toBeUndefined();
    expect(await store.organisations()).toContain(organisation);
  });
}
