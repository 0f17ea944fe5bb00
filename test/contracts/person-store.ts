import { newId } from '#kernel';
import { type Person } from '#people';
import { type PersonStore } from '../../libs/people/src/application/ports/person-store';
import { newDay, type Ports } from './ports';

let count = 0;

function newPerson(more: Partial<Person> = {}): Person {
  const createdAt = newDay();
  return {
    id: newId(createdAt),
    email: `Contract-${++count}@Example.org`,
    firstname: 'Ada 😀',
    lastname: 'Lovelace',
    status: 'active',
    roles: new Map([[1, ['author', 'viewer']]]),
    createdAt,
    signedInAt: null,
    hasPassword: false,
    ...more,
  };
}

/** The accounts of people. */
export function personStoreContract(ports: Ports): void {
  let store: PersonStore;
  let database: Ports['database'];

  beforeAll(() => {
    ({ people: store, database } = ports);
  });

  const key = ({ email }: Person) => email.toLowerCase();
  const addPerson = async (more: Partial<Person> = {}) => {
    const person = newPerson(more);
    await store.add(person);
    return person;
  };

  it('finds a person by id, by folded address and by identity, and nobody else', async () => {
    const person = await addPerson({
      roles: new Map([
        [1, ['author', 'viewer']],
        [7, ['operator']],
      ]),
    });
    const identity = { issuer: 'https://id.example', subject: person.id };
    await store.addIdentity(person.id, identity);
    const found = { ...person, password: null };
    expect(await store.find(person.id)).toEqual(found);
    expect(await database.run(() => store.lock(['nobody', person.id]))).toEqual(new Map([[person.id, found]]));
    expect(await store.findByEmail(key(person))).toEqual(found);
    expect(await store.findByIdentity(identity)).toEqual(found);
    expect(await store.find(person.id.toLowerCase())).toBeUndefined();
    expect(await store.findByEmail(person.email)).toBeUndefined();
    expect(await store.findByEmail(`${key(person)} `)).toBeUndefined();
    expect(await store.findByIdentity({ ...identity, subject: `${person.id} ` })).toBeUndefined();
    expect(await store.findByIdentity({ issuer: person.id, subject: identity.issuer })).toBeUndefined();
  });

  it('lists everybody by address, with their roles and without passwords', async () => {
    const [second, first] = [
      await addPerson({ email: 'b@list.example' }),
      await addPerson({ email: 'A@list.example', roles: new Map() }),
    ];
    await store.setPassword(second.id, 'hash');
    const listed = (await store.list()).filter(({ email }) => email.endsWith('@list.example'));
    expect(listed).toEqual([first, { ...second, hasPassword: true }]);
  });

  it('refuses a second person with the same address, and stores nothing about them', async () => {
    const person = await addPerson();
    const other = newPerson({ email: person.email.toUpperCase() });
    await expect(store.add(other)).rejects.toThrow();
    expect(await store.find(other.id)).toBeUndefined();
    expect(await database.rows('SELECT role FROM person_role WHERE person_id = ?', [other.id])).toEqual([]);
  });

  it('replaces the roles in the organisations that are named, and in no others', async () => {
    const person = await addPerson({
      roles: new Map([
        [1, ['author']],
        [2, ['viewer']],
        [3, ['marker']],
      ]),
    });
    const other = await addPerson();
    await store.setRoles(
      person.id,
      new Map([
        [1, ['operator', 'reviewer']],
        [2, []],
        [4, ['analyst']],
      ]),
    );
    expect((await store.find(person.id))!.roles).toEqual(
      new Map([
        [1, ['operator', 'reviewer']],
        [3, ['marker']],
        [4, ['analyst']],
      ]),
    );
    await store.setRoles(person.id, new Map());
    expect((await store.find(person.id))!.roles.size).toBe(3);
    expect((await store.find(other.id))!.roles).toEqual(other.roles);
  });

  it('stores status, password and the time of the last sign-in', async () => {
    const person = await addPerson();
    await store.setStatus(person.id, 'disabled');
    await store.setPassword(person.id, '$argon2id$v=19$m=19456,t=2,p=1$abc$def');
    await store.setSignedIn(person.id, person.createdAt + 1);
    expect(await store.find(person.id)).toEqual({
      ...person,
      status: 'disabled',
      password: '$argon2id$v=19$m=19456,t=2,p=1$abc$def',
      hasPassword: true,
      signedInAt: person.createdAt + 1,
    });
  });

  it('gives an identity to one person only', async () => {
    const [person, other] = [await addPerson(), await addPerson()];
    const identity = { issuer: 'https://id.example', subject: `one-${person.id}` };
    await store.addIdentity(person.id, identity);
    await expect(store.addIdentity(other.id, identity)).rejects.toThrow();
    await store.addIdentity(person.id, { ...identity, issuer: 'https://another.example' });
    expect(await store.identities(person.id)).toEqual([{ ...identity, issuer: 'https://another.example' }, identity]);
    expect(await store.identities(other.id)).toEqual([]);
  });

  it('removes a person with roles, identities, links and sign-ins, and leaves others', async () => {
    const [person, other] = [await addPerson(), await addPerson()];
    await store.addIdentity(person.id, { issuer: 'https://id.example', subject: `gone-${person.id}` });
    for (const { id } of [person, other]) {
      await database.insert(
        'person_link',
        ['hash', 'person_id', 'purpose', 'ends_at'],
        [[hash(`l${id}`), id, 'reset', 1]],
      );
      const columns = ['hash', 'person_id', 'browser', 'created_at', 'seen_at', 'confirmed_at'];
      await database.insert('sign_in', columns, [[hash(`s${id}`), id, '', 1, 1, 1]]);
    }
    await store.remove(person.id);
    expect(await store.find(person.id)).toBeUndefined();
    for (const table of ['person_role', 'person_identity', 'person_link', 'sign_in'])
      expect(await database.rows(`SELECT person_id FROM ${table} WHERE person_id = ?`, [person.id])).toEqual([]);
    expect(await store.find(other.id)).toEqual({ ...other, password: null });
    expect(await database.rows('SELECT hash FROM sign_in WHERE person_id = ?', [other.id])).toHaveLength(1);
  });

  it('stores addresses and names of the maximum length', async () => {
    const person = await addPerson({
      email: `${'ä'.repeat(64)}@${'é'.repeat(190)}`,
      firstname: '😀'.repeat(50),
      lastname: 'é'.repeat(50),
    });
    expect(await store.find(person.id)).toEqual({ ...person, password: null });
  });
}

const hash = (text: string): string => text.toLowerCase().padEnd(64, '0');
