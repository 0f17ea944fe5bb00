import { createHash } from 'node:crypto';
import { newId } from '#kernel';
import { type SignInStore } from '../../libs/people/src/application/ports/sign-in-store';
import { newDay, type Ports } from './ports';

/** Sign-ins, links and failed attempts. */
export function signInStoreContract(ports: Ports): void {
  let store: SignInStore;
  let now: number;
  let person: string;
  let other: string;
  let count = 0;

  beforeAll(() => {
    ({ signIns: store } = ports);
  });
  beforeEach(() => {
    now = newDay();
    [person, other] = [newId(now), newId(now)];
  });

  const newHash = () => createHash('sha256').update(`${now} ${++count}`).digest('hex');
  const signIn = (more: object = {}) => ({
    person,
    browser: 'Browser 😀',
    createdAt: now,
    seenAt: now + 1,
    confirmedAt: now + 2,
    ...more,
  });
  const addSignIn = async (more: object = {}) => {
    const hash = newHash();
    await store.add(hash, signIn(more));
    return hash;
  };

  it('finds a sign-in by its hash alone', async () => {
    const hash = await addSignIn();
    expect(await store.find(hash)).toEqual(signIn());
    expect(await store.find(hash.toUpperCase())).toBeUndefined();
    expect(await store.find(newHash())).toBeUndefined();
  });

  it('changes the times of use and confirmation of one sign-in only', async () => {
    const [hash, another] = [await addSignIn(), await addSignIn()];
    await store.setSeen(hash, now + 10);
    await store.setConfirmed(hash, now + 20);
    expect(await store.find(hash)).toEqual(signIn({ seenAt: now + 10, confirmedAt: now + 20 }));
    expect(await store.find(another)).toEqual(signIn());
  });

  it('lists the last 100 sign-ins of a person by use, the latest first', async () => {
    await addSignIn({ person: other });
    for (let index = 0; index < 102; index++) await addSignIn({ seenAt: now + ((index * 7) % 102) });
    const listed = await store.ofPerson(person);
    expect(listed.map(({ seenAt }) => seenAt - now)).toEqual(Array.from({ length: 100 }, (_, index) => 101 - index));
    expect(await store.ofPerson(newId(now))).toEqual([]);
  });

  it('removes a sign-in, all of a person, or all but one', async () => {
    const [first, second, third, foreign] = [
      await addSignIn(),
      await addSignIn(),
      await addSignIn(),
      await addSignIn({ person: other }),
    ];
    const left = async () => {
      const all = await Promise.all([first, second, third, foreign].map((hash) => store.find(hash)));
      return all.map((found) => found !== undefined);
    };
    await store.remove(first);
    expect(await left()).toEqual([false, true, true, true]);
    await store.removeOthers(person, third);
    expect(await left()).toEqual([false, false, true, true]);
    await store.removeOthers(person);
    expect(await left()).toEqual([false, false, false, true]);
    await store.remove(first);
  });

  it('removes sign-ins that were not used since a moment', async () => {
    const [old, used] = [await addSignIn({ seenAt: now - 1 }), await addSignIn({ seenAt: now })];
    await store.removeUnused(now);
    expect(await store.find(old)).toBeUndefined();
    expect(await store.find(used)).toBeDefined();
  });

  it('stores a link until one of several callers uses it', async () => {
    const hash = newHash();
    const link = { person, purpose: 'reset', endsAt: now + 1 } as const;
    await store.addLink(hash, link);
    expect(await store.findLink(hash)).toEqual(link);
    expect(await store.findLink(newHash())).toBeUndefined();
    const taken = await Promise.all([1, 2, 3, 4].map(() => store.takeLink(hash)));
    expect(taken.filter(Boolean)).toHaveLength(1);
    expect(await store.findLink(hash)).toBeUndefined();
    expect(await store.takeLink(hash)).toBe(false);
  });

  it('removes all links of a person, and the expired links of everybody', async () => {
    const links: [string, string, number][] = [
      [newHash(), person, now + 1_000],
      [newHash(), other, now - 1],
      [newHash(), other, now],
    ];
    for (const [hash, of, endsAt] of links) await store.addLink(hash, { person: of, purpose: 'sign-in', endsAt });
    await store.removeLinks(person, now);
    const found = await Promise.all(links.map(([hash]) => store.findLink(hash)));
    expect(found.map((link) => link !== undefined)).toEqual([false, false, true]);
  });

  it('counts the failures of each address, even concurrent ones, and forgets them', async () => {
    const [hash, another] = [newHash(), newHash()];
    expect(await store.failures(hash)).toBeUndefined();
    expect(await store.addFailure(hash, now, now - 10)).toBe(1);
    expect(await store.addFailure(hash, now + 1, now - 10)).toBe(2);
    expect(await store.failures(hash)).toEqual({ failures: 2, failedAt: now + 1 });
    const counted = await Promise.all([1, 2, 3, 4].map(() => store.addFailure(hash, now + 2, now - 10)));
    expect(counted.sort()).toEqual([3, 4, 5, 6]);
    expect(await store.addFailure(another, now + 3, now - 10)).toBe(1);
    await store.clearFailures(hash);
    expect(await store.failures(hash)).toBeUndefined();
    expect(await store.failures(another)).toEqual({ failures: 1, failedAt: now + 3 });
    expect(await store.addFailure(hash, now + 20, now + 3)).toBe(1);
    expect(await store.failures(another)).toBeUndefined();
  });
}
