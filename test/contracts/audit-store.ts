import { type AuditPart, type AuditQuery, type AuditStore } from '../../libs/access/src/application/ports/audit-store';
import { plansOf } from './plans';
import { newDay, newOrganisation, NOW, type Ports, scopeOf } from './ports';

interface AuditRow {
  author_id: string | null;
  operation: string;
  subject: string;
  subject_key: string;
  detail: string;
}

/** The audit log of changes of data without revisions. The tests read its rows directly, as an operator does. */
export function auditStoreContract(ports: Ports): void {
  let store: AuditStore;
  let database: Ports['database'];
  let url: string;

  beforeAll(() => {
    ({ audit: store, database, url } = ports);
  });

  async function rows(organisation: number) {
    const found = await database.rows<AuditRow>(
      'SELECT author_id, operation, subject, subject_key, detail FROM audit WHERE organisation_id = ? ORDER BY id',
      [organisation],
    );
    return found.map(({ detail, ...row }) => ({ ...row, detail: JSON.parse(detail) as unknown }));
  }

  it('stores what changed, the author and the operation, in the order of the changes', async () => {
    const organisation = newOrganisation();
    await store.add(
      [
        { subject: 'tag', key: 'subject\nmaths 😀', detail: { after: { name: 'Maths "😀"' } } },
        { subject: 'consumer', key: 'key', detail: {} },
      ],
      scopeOf(organisation, NOW, { id: 'ada' }, 'set itembank/tagging/tags'),
    );
    await store.add([{ subject: 'organisation', key: '7', detail: { name: 'Seven' } }], scopeOf(organisation, NOW));
    const by = { author_id: 'ada', operation: 'set itembank/tagging/tags' };
    expect(await rows(organisation)).toEqual([
      { ...by, subject: 'tag', subject_key: 'subject\nmaths 😀', detail: { after: { name: 'Maths "😀"' } } },
      { ...by, subject: 'consumer', subject_key: 'key', detail: {} },
      {
        author_id: null,
        operation: 'set itembank/items',
        subject: 'organisation',
        subject_key: '7',
        detail: { name: 'Seven' },
      },
    ]);
  });

  it('separates organisations from each other and from the installation', async () => {
    const organisation = newOrganisation();
    const before = (await rows(0)).length;
    await store.add([{ subject: 'organisation', key: '1', detail: {} }], scopeOf(0));
    expect(await rows(organisation)).toEqual([]);
    expect(await rows(0)).toHaveLength(before + 1);
  });

  it('accepts a thousand changes, and an empty list', async () => {
    const organisation = newOrganisation();
    await store.add([], scopeOf(organisation));
    expect(await rows(organisation)).toEqual([]);
    const entries = Array.from({ length: 1000 }, (_, index) => ({
      subject: 'tag' as const,
      key: `${index}`,
      detail: {},
    }));
    await store.add(entries, scopeOf(organisation));
    expect((await rows(organisation)).map(({ subject_key }) => subject_key)).toEqual(entries.map(({ key }) => key));
  });

  it("takes part in the caller's unit of work", async () => {
    const organisation = newOrganisation();
    const work = async () => {
      await store.add([{ subject: 'tag', key: 'a', detail: {} }], scopeOf(organisation));
      throw new Error('no');
    };
    await expect(database.run(work)).rejects.toThrow('no');
    expect(await rows(organisation)).toEqual([]);
  });

  it('lists the entries of a subject in slices, and erases their content except author, time and operation', async () => {
    const organisation = newOrganisation();
    const entry = (key: string, step: number) => ({ subject: 'session' as const, key, detail: { step } });
    const scope = scopeOf(organisation, NOW, { id: 'ada' }, 'set sessions');
    await store.add([entry('a', 1), entry('b', 2), entry('a', 3), { ...entry('a', 4), subject: 'tag' }], scope);
    await store.add([entry('a', 5)], scopeOf(newOrganisation()));
    const about = async (keys: string[], limit: number, after?: string) =>
      (await store.about(organisation, 'session', keys, limit, after)).map(({ id, detail }) => ({ id, ...detail }));
    const all = await about(['a', 'b'], 9);
    expect(all.map(({ step }: Record<string, unknown>) => step)).toEqual([1, 2, 3]);
    expect(await about(['a', 'b'], 2, all[0]!.id)).toEqual(all.slice(1));
    expect(await store.about(organisation, 'session', ['b'], 9)).toEqual([
      { id: all[1]!.id, operation: 'set sessions', author: 'ada', ...entry('b', 2) },
    ]);

    expect(await store.forget(organisation, 'session', ['a', 'none'])).toBe(2);
    const by = { author_id: 'ada', operation: 'set sessions' };
    expect(await rows(organisation)).toEqual([
      { ...by, subject: 'session', subject_key: 'erased', detail: {} },
      { ...by, subject: 'session', subject_key: 'b', detail: { step: 2 } },
      { ...by, subject: 'session', subject_key: 'erased', detail: {} },
      { ...by, subject: 'tag', subject_key: 'a', detail: { step: 4 } },
    ]);
    expect(await about(['a'], 9)).toEqual([]);
  });

  it('lists entries newest first in slices, by subject, key, author, operation and time', async () => {
    const organisation = newOrganisation();
    const other = newOrganisation();
    const now = newDay();
    const add = (subject: 'tag' | 'pool', key: string, at: number, author?: string, operation = 'set') =>
      store.add(
        [{ subject, key, detail: { at } }],
        scopeOf(organisation, now + at, author ? { id: author } : undefined, operation),
      );
    await add('tag', 'a', 1, 'ada');
    await add('pool', 'a', 2, 'ben');
    await add('tag', 'b', 3, undefined, 'remove');
    await add('tag', 'a', 4, 'ben', 'remove');
    await store.add([{ subject: 'person', key: 'p', detail: { at: 5 } }], scopeOf(other, now + 5));
    const read = async (query: Omit<AuditQuery, 'limit'> & { limit?: number }) => {
      const { entries, after } = await store.newest({ limit: 9, ...query });
      return { at: entries.map(({ detail }) => detail.at), after };
    };
    const at = async (part: Omit<AuditPart, 'organisation'>, bounds = {}) =>
      (await read({ parts: [{ organisation, ...part }], ...bounds })).at;

    expect(await at({})).toEqual([4, 3, 2, 1]);
    expect(await at({ subject: 'tag' })).toEqual([4, 3, 1]);
    expect(await at({ subject: 'tag', keys: ['a'] })).toEqual([4, 1]);
    expect(await at({ keys: [] })).toEqual([]);
    expect(await at({ authors: ['ben'] })).toEqual([4, 2]);
    expect(await at({ authors: ['ada', null] })).toEqual([3, 1]);
    expect(await at({ authors: [null] })).toEqual([3]);
    expect(await at({ authors: [] })).toEqual([]);
    expect(await at({ operations: ['remove'], authors: ['ben'], subject: 'tag', keys: ['a', 'b'] })).toEqual([4]);
    expect(await at({}, { from: now + 2, to: now + 3 })).toEqual([3, 2]);
    expect(await read({ parts: [] })).toEqual({ at: [], after: undefined });
    const select = (value: string) => ({ sql: 'SELECT ?', parameters: [value] });
    expect(await at({ keysIn: select('a') })).toEqual([4, 2, 1]);
    expect(await at({ keysIn: select('a'), keys: ['a', 'b'], authorsIn: select('ben') })).toEqual([4, 2]);
    expect(await at({ authorsIn: select('nobody') })).toEqual([]);

    const parts = [
      { organisation, subject: 'tag' as const },
      { organisation: other, subject: 'person' as const, keys: ['p'] },
    ];
    const first = await read({ parts, limit: 2 });
    expect(first.at).toEqual([5, 4]);
    expect(await read({ parts, limit: 2, after: first.after })).toEqual({ at: [3, 1], after: undefined });
  });

  it('reads few rows of a large log, whatever the filter is', async () => {
    const organisation = newOrganisation();
    const many = Array.from({ length: 3_000 }, (_, index) => ({
      subject: 'session' as const,
      key: `s${index}`,
      detail: {},
    }));
    const now = newDay();
    const rare = [{ subject: 'tag' as const, key: 'rare', detail: {} }];
    await store.add(rare, scopeOf(organisation, now, { id: 'rare' }, 'rare'));
    await store.add(many, scopeOf(organisation, now + 1, { id: 'usual' }, 'usual'));
    if (database.dialect.engine !== 'sqlite') await database.source.query('ANALYZE TABLE audit');
    for (const part of [
      { subject: 'tag' as const },
      { authors: ['rare'] },
      { operations: ['rare'] },
      { subject: 'session' as const, keys: ['s7'] },
    ]) {
      const work = () => store.newest({ parts: [{ organisation, ...part }], limit: 50 });
      const { result, excessiveSteps } = await plansOf(
        { database, url },
        /^SCAN audit|audit .*\(organisation_id=\?\)$/,
        work,
      );
      expect(result.entries).toHaveLength(1);
      expect(excessiveSteps).toEqual([]);
    }
  });
}
