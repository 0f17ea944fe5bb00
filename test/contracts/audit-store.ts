import { type AuditStore } from '../../libs/access/src/application/ports/audit-store';
import { newOrganisation, NOW, type Ports, scopeOf } from './ports';

interface AuditRow {
  author_id: string | null;
  operation: string;
  subject: string;
  subject_key: string;
  detail: string;
}

/** The audit log of changes of things without revisions. The tests read its rows directly, as an operator does. */
export function auditStoreContract(open: () => Promise<Pick<Ports, 'audit' | 'database'>>): void {
  let store: AuditStore;
  let database: Ports['database'];

  beforeAll(async () => {
    ({ audit: store, database } = await open());
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

  it('lists the entries of a thing in slices, and erases their content except for who, when and how', async () => {
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
}
