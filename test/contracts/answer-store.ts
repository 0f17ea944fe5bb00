import {
  type AnswerName,
  type AnswerStore,
  type KeptAnswer,
} from '../../libs/access/src/application/ports/answer-store';
import { several } from '../support/builders';
import { DAY } from '../support/time';
import { newOrganisation, NOW, type Ports, signal } from './ports';

const HASH = 'a'.repeat(64);
const OTHER_HASH = 'b'.repeat(64);

/** The stored answers of calls with an idempotency key. */
export function answerStoreContract(ports: Ports): void {
  let store: AnswerStore;
  let database: Ports['database'];

  beforeAll(() => {
    ({ answers: store, database } = ports);
  });

  const newName = (values: Partial<AnswerName> = {}): AnswerName => ({
    organisation: newOrganisation(),
    consumer: 'consumer',
    key: 'key',
    ...values,
  });

  /** Makes a call. Returns the stored answer; if there is none, stores the given one and returns undefined. */
  const call = (name: AnswerName, answer: string, request: { hash?: string; now?: number; since?: number } = {}) =>
    database.run(async () => {
      const { hash = HASH, now = NOW, since = now - DAY } = request;
      const found = await store.claim(name, hash, now, since);
      if (!found) await store.keep(name, answer);
      return found;
    });
  const storedAnswer = (answer: string, requestHash = HASH): KeptAnswer => ({ requestHash, answer });

  async function keysOf(organisation: number): Promise<string[]> {
    const rows = await database.rows<{ idempotency_key: string }>(
      'SELECT idempotency_key FROM kept_answer WHERE organisation_id = ? ORDER BY idempotency_key',
      [organisation],
    );
    return rows.map((row) => row.idempotency_key);
  }

  it('stores an answer with the hash of its request, and returns it to later calls', async () => {
    const name = newName();
    expect(await call(name, 'first')).toBeUndefined();
    expect(await call(name, 'second', { now: NOW + 1 })).toEqual(storedAnswer('first'));
    expect(await call(name, 'third', { hash: OTHER_HASH, now: NOW + 2 })).toEqual(storedAnswer('first'));
  });

  it('distinguishes names by organisation, consumer and key, byte for byte', async () => {
    const name = newName();
    const names = [
      name,
      newName(),
      { ...name, consumer: 'Consumer' },
      { ...name, consumer: 'consumer ' },
      ...['Key', 'kéy', 'ke\u0301y', 'key ', ' key', 'ke', "key'--", 'key\\', '😀'].map((key) => ({ ...name, key })),
    ];
    for (const [index, each] of names.entries()) expect(await call(each, `${index}`)).toBeUndefined();
    for (const [index, each] of names.entries()) expect(await call(each, 'again')).toEqual(storedAnswer(`${index}`));
  });

  it('accepts names and answers of the maximum length', async () => {
    const name = newName({ consumer: 'c'.repeat(64), key: '😀'.repeat(255) });
    const answer = JSON.stringify({ data: '"\\ \u2028 é😀'.repeat(200_000) });
    expect(await call(name, answer)).toBeUndefined();
    expect((await call(name, 'again'))!.answer === answer).toBe(true);
  });

  it('frees the name when the unit of work fails', async () => {
    const name = newName();
    const failing = database.run(async () => {
      expect(await store.claim(name, HASH, NOW, NOW - DAY)).toBeUndefined();
      await store.keep(name, 'lost');
      throw new Error('no');
    });
    await expect(failing).rejects.toThrow('no');
    expect(await keysOf(name.organisation)).toEqual([]);
    expect(await call(name, 'kept', { hash: OTHER_HASH })).toBeUndefined();
    expect(await call(name, 'again')).toEqual(storedAnswer('kept', OTHER_HASH));
  });

  it('ignores an answer that is too old, and stores the new one in its place', async () => {
    const name = newName();
    await call(name, 'old');
    expect(await call(name, 'early', { since: NOW - 1 })).toEqual(storedAnswer('old'));
    expect(await call(name, 'new', { hash: OTHER_HASH, now: NOW + DAY })).toBeUndefined();
    // The new answer expires by its own time.
    expect(await call(name, 'later', { now: NOW + 2 * DAY - 1 })).toEqual(storedAnswer('new', OTHER_HASH));
    expect(await keysOf(name.organisation)).toEqual(['key']);
  });

  it('restores an ignored answer when the unit of work fails', async () => {
    const name = newName();
    await call(name, 'old');
    const failing = database.run(async () => {
      expect(await store.claim(name, OTHER_HASH, NOW + DAY, NOW)).toBeUndefined();
      throw new Error('no');
    });
    await expect(failing).rejects.toThrow('no');
    expect(await call(name, 'again', { since: NOW - 1 })).toEqual(storedAnswer('old'));
  });

  describe.each(['free', 'expired'])('two concurrent claims of a name that is %s', (which) => {
    const later = { now: NOW + DAY };

    /** Makes two calls. The second one claims the name while the first one pauses after its claim. */
    async function claimConcurrently(end: 'keeps' | 'fails') {
      const name = newName();
      if (which === 'expired') await call(name, 'old');
      const claimed = signal();
      const mayEnd = signal();
      let isOver = false;
      const first = database.run(async () => {
        const before = await store.claim(name, HASH, later.now, NOW);
        claimed.give();
        await mayEnd.promise;
        if (end === 'fails') throw new Error('no');
        await store.keep(name, 'first');
        isOver = true;
        return before;
      });
      const outcome = first.catch((error: Error) => error.message);
      await claimed.promise;
      const second = call(name, 'second', later).then((before) => ({ before, wasOver: isOver }));
      // Calls with other names are not blocked. They give the second call time to reach its claim.
      if (database.dialect.engine !== 'sqlite')
        for (let others = 0; others < 3; others++)
          expect(await call({ ...name, key: `other ${others}` }, 'other', later)).toBeUndefined();
      mayEnd.give();
      return { first: await outcome, second: await second, name };
    }

    it('give the name to the first; the second waits for its answer', async () => {
      const { first, second } = await claimConcurrently('keeps');
      expect([first, second]).toEqual([undefined, { before: storedAnswer('first'), wasOver: true }]);
    });

    it('give the name to the second when the first fails', async () => {
      const { first, second, name } = await claimConcurrently('fails');
      expect([first, second]).toEqual(['no', { before: undefined, wasOver: false }]);
      expect(await call(name, 'third', later)).toEqual(storedAnswer('second'));
    });
  });

  it('stores one answer when many concurrent calls have the same name', async () => {
    for (const before of ['free', 'expired']) {
      const name = newName();
      if (before === 'expired') await call(name, 'old');
      const answers = several(20, (index) => `answer ${index}`);
      const found = await Promise.all(answers.map((answer) => call(name, answer, { now: NOW + DAY })));
      const winner = found.findIndex((each) => each === undefined);
      expect(found).toEqual(answers.map((_, index) => (index === winner ? undefined : storedAnswer(answers[winner]!))));
    }
  });

  it('frees the name when many concurrent calls all fail', async () => {
    const name = newName();
    const fail = (what: string) =>
      database.run(async () => {
        if (await store.claim(name, HASH, NOW, NOW - DAY)) return 'found';
        throw new Error(what);
      });
    const outcomes = await Promise.allSettled(several(10, (index) => fail(`no ${index}`)));
    expect(outcomes).toEqual(outcomes.map((_, index) => ({ status: 'rejected', reason: new Error(`no ${index}`) })));
    expect(await keysOf(name.organisation)).toEqual([]);
  });

  it('removes the expired answers of every organisation, and no others', async () => {
    await sweepAll(NOW + 10 * DAY);
    const [one, two, three] = [newOrganisation(), newOrganisation(), newOrganisation()];
    for (const organisation of [one, two])
      for (const [key, now] of [
        ['old', NOW - 1],
        ['due', NOW],
        ['new', NOW + 1],
      ] as const)
        await call(newName({ organisation, key }), 'answer', { now });
    await call(newName({ organisation: three, key: 'new' }), 'answer', { now: NOW + 1 });
    expect(await sweepAll(NOW)).toEqual([4]);
    expect(await Promise.all([one, two, three].map(keysOf))).toEqual([['new'], ['new'], ['new']]);
    expect(await store.sweep(NOW, 500)).toBe(0);
  });

  it('removes answers in batches, the oldest first', async () => {
    await sweepAll(NOW + 10 * DAY);
    const organisation = newOrganisation();
    for (let n = 0; n < 25; n++)
      await call(newName({ organisation, key: String.fromCharCode(97 + n) }), 'answer', { now: NOW - n });
    expect(await store.sweep(NOW, 10)).toBe(10);
    expect((await keysOf(organisation)).join('')).toBe('abcdefghijklmno');
    expect(await sweepAll(NOW - 3, 10)).toEqual([10, 2]);
    expect((await keysOf(organisation)).join('')).toBe('abc');
  });

  it('keeps an expired name that is being claimed again', async () => {
    await sweepAll(NOW + 10 * DAY);
    const name = newName();
    await call(name, 'old');
    const claimed = signal();
    const mayEnd = signal();
    const claim = database.run(async () => {
      await store.claim(name, HASH, NOW + DAY, NOW);
      claimed.give();
      await mayEnd.promise;
      await store.keep(name, 'new');
    });
    await claimed.promise;
    const swept = store.sweep(NOW, 500);
    mayEnd.give();
    await claim;
    expect(await swept).toBe(0);
    expect(await call(name, 'again', { now: NOW + DAY })).toEqual(storedAnswer('new'));
  });

  /** Returns the number of removed answers of each batch. */
  async function sweepAll(until: number, most = 500): Promise<number[]> {
    const steps: number[] = [];
    for (let removed; (removed = await store.sweep(until, most)) > 0;) steps.push(removed);
    return steps;
  }

  it('reads answers in batches by name; replaces an answer once, and frees the name of a removed one', async () => {
    const { organisation } = newName();
    const names = [
      ['a', '1'],
      ['a', '2'],
      ['b', '1'],
      ['b', '3'],
    ].map(([consumer, key]) => newName({ organisation, consumer, key }));
    for (const name of names) await call(name, `of ${name.consumer}${name.key}`);
    const all = await store.kept(organisation, 9);
    expect(all).toEqual(names.map((name) => ({ ...name, answer: `of ${name.consumer}${name.key}` })));
    for (const at of names.keys())
      expect(await store.kept(organisation, 2, all[at])).toEqual(all.slice(at + 1, at + 3));

    expect(await store.replace(names[0]!, 'of a1', 'other')).toBe(true);
    expect(await store.replace(names[0]!, 'of a1', 'another')).toBe(false);
    expect(await call(names[0]!, 'x')).toEqual(storedAnswer('other'));
    await store.remove(names[1]!);
    expect(await call(names[1]!, 'new')).toBeUndefined();
    expect((await store.kept(organisation, 9)).map(({ answer }) => answer)).toEqual(['other', 'new', 'of b1', 'of b3']);
  });
}
