import { type Author } from '#kernel';
import { type AuthorStore } from '../../libs/access/src/application/ports/author-store';
import { newOrganisation, NOW, type Ports } from './ports';

/** The authors, named in `meta.user`. */
export function authorStoreContract(ports: Ports): void {
  let store: AuthorStore;
  let database: Ports['database'];

  beforeAll(() => {
    ({ authors: store, database } = ports);
  });

  const ada: Author = { id: 'ada', firstname: 'Ada', lastname: 'Lovelace', email: 'ada@example.com' };
  const sorted = (authors: Author[]) => authors.sort((a, b) => (a.id < b.id ? -1 : 1));

  it('finds the known authors among the ids', async () => {
    const organisation = newOrganisation();
    const ben: Author = { id: 'ben', firstname: 'Ben 😀', lastname: undefined, email: undefined };
    await store.put(organisation, ada, NOW);
    await store.put(organisation, { id: 'ben', firstname: 'Ben 😀' }, NOW);
    expect(sorted(await store.find(organisation, ['ada', 'ben', 'nobody']))).toEqual([ada, ben]);
    expect(await store.find(organisation, ['ben'])).toEqual([ben]);
    expect(await store.find(organisation, ['nobody'])).toEqual([]);
    expect(await store.find(organisation, [])).toEqual([]);
  });

  it('distinguishes ids by case, accents and blanks', async () => {
    const organisation = newOrganisation();
    const ids = ['ada', 'Ada', 'áda', 'ada ', ' ada'];
    for (const id of ids) await store.put(organisation, { id, firstname: `I am "${id}"` }, NOW);
    for (const id of ids)
      expect(await store.find(organisation, [id])).toMatchObject([{ id, firstname: `I am "${id}"` }]);
  });

  it('replaces the given names and leaves the others', async () => {
    const organisation = newOrganisation();
    await store.put(organisation, ada, NOW);
    await store.put(organisation, { id: 'ada', lastname: 'King', email: '' }, NOW + 1);
    expect(await store.find(organisation, ['ada'])).toEqual([{ ...ada, lastname: 'King', email: '' }]);
    await store.put(organisation, { id: 'ada' }, NOW + 2);
    expect(await store.find(organisation, ['ada'])).toEqual([{ ...ada, lastname: 'King', email: '' }]);
  });

  it('stores the names of concurrent writers', async () => {
    const organisation = newOrganisation();
    await Promise.all([
      store.put(organisation, { id: 'ada', firstname: 'Ada' }, NOW),
      store.put(organisation, { id: 'ada', lastname: 'Lovelace' }, NOW),
      store.put(organisation, { id: 'ada', email: 'ada@example.com' }, NOW),
    ]);
    expect(await store.find(organisation, ['ada'])).toEqual([ada]);
  });

  it('finds an author in all organisations, and removes the names and the address of one author everywhere', async () => {
    const [one, two] = [newOrganisation(), newOrganisation()];
    const columns = ['id', 'name', 'settings', 'created_at'];
    await database.insert('organisation', columns, [
      [one, 'One', '{}', NOW],
      [two, 'Two', '{}', NOW],
    ]);
    const id = `everywhere-${one}`;
    await store.put(one, { ...ada, id }, NOW);
    await store.put(two, { id, firstname: 'Adele' }, NOW);
    await store.put(two, ada, NOW);
    expect(await store.everywhere(id)).toEqual([
      { ...ada, organisation: one, id },
      { organisation: two, id, firstname: 'Adele', lastname: undefined, email: undefined },
    ]);
    await store.forget(id);
    const forgotten = { id, firstname: undefined, lastname: undefined, email: undefined };
    expect(await store.everywhere(id)).toEqual([one, two].map((organisation) => ({ organisation, ...forgotten })));
    expect(await store.find(two, ['ada'])).toEqual([ada]);
    expect(await store.everywhere('nobody at all')).toEqual([]);
  });

  it('separates the authors of organisations', async () => {
    const [one, two] = [newOrganisation(), newOrganisation()];
    await store.put(one, ada, NOW);
    await store.put(two, { ...ada, firstname: 'Adele' }, NOW);
    expect(await store.find(one, ['ada'])).toEqual([ada]);
    expect(await store.find(two, ['ada'])).toEqual([{ ...ada, firstname: 'Adele' }]);
  });

  it('accepts ids and names of the maximum length', async () => {
    const organisation = newOrganisation();
    const long: Author = {
      id: '😀'.repeat(25),
      firstname: 'é'.repeat(50),
      lastname: 'ß'.repeat(50),
      email: `${'x'.repeat(243)}@example.com`,
    };
    await store.put(organisation, long, NOW);
    expect(await store.find(organisation, [long.id])).toEqual([long]);
  });
}
