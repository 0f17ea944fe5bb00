import { type Consumer } from '#access';
import { type ConsumerStore } from '../../libs/access/src/application/ports/consumer-store';
import { newOrganisation, NOW, type Ports, signal } from './ports';

let consumers = 0;

function consumer(values: Partial<Consumer> = {}): Consumer {
  return {
    key: `consumer-${++consumers}`,
    label: 'A consumer',
    status: 'active',
    domains: ['localhost', '*.example.com'],
    features: ['offline'],
    rateLimits: { '*': 100, 'get itembank/items': 7 },
    legacySignatures: false,
    grants: [{ organisation: 1, access: 'write', primary: true }],
    ...values,
  };
}

/** Organisations, consumers and their encrypted secrets. */
export function consumerStoreContract(ports: Ports): void {
  let store: ConsumerStore;
  let database: Ports['database'];

  beforeAll(() => {
    ({ consumers: store, database } = ports);
  });

  const secret = (id: string, validUntil: number | null = null) => ({ id, sealed: `sealed ${id}`, validUntil });
  const sortedById = <T extends { id: string }>(entries: T[]) => entries.sort((a, b) => (a.id < b.id ? -1 : 1));

  it('finds nothing for an unknown key', async () => {
    expect(await store.find('no such consumer')).toBeUndefined();
  });

  it('returns all properties of a consumer', async () => {
    const first = newOrganisation();
    const second = newOrganisation();
    const wanted = consumer({
      label: 'Größe "1" 😀',
      legacySignatures: true,
      grants: [
        { organisation: first, access: 'read', primary: false },
        { organisation: second, access: 'write', primary: true },
      ],
    });
    await store.put([wanted], NOW);
    const found = (await store.find(wanted.key))!;
    found.consumer.grants.sort((a, b) => a.organisation - b.organisation);
    expect(found).toEqual({ consumer: wanted, secrets: [] });
  });

  it('returns a consumer without domains, features, limits and grants', async () => {
    const wanted = consumer({ status: 'disabled', domains: [], features: [], rateLimits: {}, grants: [] });
    await store.put([wanted], NOW);
    expect(await store.find(wanted.key)).toEqual({ consumer: wanted, secrets: [] });
  });

  it('distinguishes keys by case and by trailing blanks', async () => {
    const wanted = consumer();
    await store.put([wanted], NOW);
    for (const other of [wanted.key.toUpperCase(), `${wanted.key} `, wanted.key.slice(0, -1)])
      expect(await store.find(other)).toBeUndefined();
  });

  it('replaces all properties of a consumer except its secrets', async () => {
    const before = consumer({
      grants: [1, 2, 3].map((organisation) => ({ organisation, access: 'read', primary: false })),
    });
    await store.put([before], NOW);
    await store.putSecrets([{ key: before.key, ...secret('a') }]);
    const after: Consumer = {
      key: before.key,
      label: 'Another label',
      status: 'disabled',
      domains: [],
      features: ['something else'],
      rateLimits: {},
      legacySignatures: true,
      grants: [{ organisation: 3, access: 'write', primary: true }],
    };
    await store.put([after], NOW + 1);
    expect(await store.find(before.key)).toEqual({ consumer: after, secrets: [secret('a')] });
  });

  it('lists all consumers with their grants, oldest first', async () => {
    const [oldest, middle, newest] = ['oldest', 'middle', 'newest'].map((label, index) =>
      consumer({ label, grants: [{ organisation: index + 1, access: 'write', primary: true }] }),
    );
    // These are older than the consumers of other tests.
    await store.put([newest!], NOW - 1000);
    await store.put([oldest!], NOW - 3000);
    await store.put([middle!], NOW - 2000);
    // A changed consumer keeps its position.
    await store.put([{ ...oldest!, label: 'oldest, changed' }], NOW + 5000);
    const listed = await store.list();
    expect(listed.slice(0, 3)).toEqual([{ ...oldest, label: 'oldest, changed' }, middle, newest]);
    const unlisted = consumer();
    await store.put([unlisted], NOW + 10_000);
    expect(await store.list()).toEqual([...listed, unlisted]);
  });

  it('stores several secrets of a consumer with their ends, separately for each consumer', async () => {
    const [mine, other] = [consumer(), consumer()];
    await store.put([mine], NOW);
    await store.put([other], NOW);
    await store.putSecrets([{ key: mine.key, ...secret('a', NOW + 5) }]);
    await store.putSecrets([{ key: mine.key, ...secret('b') }]);
    await store.putSecrets([{ key: other.key, ...secret('a') }]);
    expect(sortedById((await store.find(mine.key))!.secrets)).toEqual([secret('a', NOW + 5), secret('b')]);
    expect((await store.find(other.key))!.secrets).toEqual([secret('a')]);
  });

  it('ends secrets without an end or with a later one; an earlier end stays', async () => {
    const [mine, other] = [consumer(), consumer()];
    for (const { key } of [mine, other]) {
      await store.putSecrets([{ key, ...secret('earlier', NOW - 1) }]);
      await store.putSecrets([{ key, ...secret('endless') }]);
      await store.putSecrets([{ key, ...secret('later', NOW + 1) }]);
    }
    await store.put([mine], NOW);
    await store.put([other], NOW);
    await store.endSecrets(mine.key, NOW);
    expect(sortedById((await store.find(mine.key))!.secrets)).toEqual([
      secret('earlier', NOW - 1),
      secret('endless', NOW),
      secret('later', NOW),
    ]);
    expect(sortedById((await store.find(other.key))!.secrets)).toEqual([
      secret('earlier', NOW - 1),
      secret('endless'),
      secret('later', NOW + 1),
    ]);
  });

  it('lists the organisations that were created', async () => {
    const ids = [newOrganisation(), newOrganisation()];
    for (const id of ids) await store.addOrganisations([{ id, name: `Schule ${id} 😀`, settings: {} }], NOW);
    const listed = (await store.organisations()).filter(({ id }) => ids.includes(id));
    expect(listed).toEqual(ids.map((id) => ({ id, name: `Schule ${id} 😀` })));
  });

  it('rejects an organisation whose id is taken, and keeps the first one unchanged', async () => {
    const id = newOrganisation();
    await store.addOrganisations([{ id, name: 'first', settings: {} }], NOW);
    await expect(store.addOrganisations([{ id, name: 'second', settings: {} }], NOW)).rejects.toThrow(
      /duplicate|unique/i,
    );
    expect((await store.organisations()).filter((organisation) => organisation.id === id)).toEqual([
      { id, name: 'first' },
    ]);
  });

  it('rejects a new consumer whose key is taken, and keeps the first one unchanged', async () => {
    const first = consumer();
    await store.add([first], NOW);
    const [other, second] = [consumer(), consumer({ key: first.key, label: 'second', grants: [] })];
    await expect(store.add([other, second], NOW)).rejects.toThrow(/duplicate|unique/i);
    expect(await store.find(first.key)).toEqual({ consumer: first, secrets: [] });
    expect(await store.find(other.key)).toBeUndefined();
  });

  it('writes many consumers and secrets in one call', async () => {
    const [known, unknown] = [consumer(), consumer({ grants: [{ organisation: 2, access: 'read', primary: true }] })];
    await store.add([known], NOW);
    const changed: Consumer = { ...known, grants: [{ organisation: 3, access: 'read', primary: false }] };
    await store.put([changed, unknown], NOW);
    await store.putSecrets([
      { key: known.key, ...secret('a') },
      { key: unknown.key, ...secret('b', NOW + 1) },
    ]);
    expect(await store.find(known.key)).toEqual({ consumer: changed, secrets: [secret('a')] });
    expect(await store.find(unknown.key)).toEqual({ consumer: unknown, secrets: [secret('b', NOW + 1)] });
    for (const write of [store.add, store.put]) await write.call(store, [], NOW);
    await store.putSecrets([]);
  });

  it('changes the end of existing secrets', async () => {
    const { key } = consumer();
    await store.put([consumer({ key })], NOW);
    await store.putSecrets([
      { key, ...secret('a') },
      { key, ...secret('b', NOW) },
      { key, ...secret('c', NOW) },
    ]);
    await store.putSecrets([
      { key, ...secret('a', NOW + 1) },
      { key, ...secret('b') },
    ]);
    expect(sortedById((await store.find(key))!.secrets)).toEqual([secret('a', NOW + 1), secret('b'), secret('c', NOW)]);
  });

  it('changes the name and the settings of organisations', async () => {
    const [known, unknown] = [newOrganisation(), newOrganisation()];
    await store.addOrganisations([{ id: known, name: 'known', settings: { a: 1, b: { c: 'ü"' } } }], NOW);
    expect(await store.settings(known)).toEqual({ a: 1, b: { c: 'ü"' } });
    expect(await store.settings(unknown)).toEqual({});
    await store.putOrganisations(
      [
        { id: known, name: 'renamed', settings: { a: 2 } },
        { id: unknown, name: 'unknown', settings: { d: true } },
      ],
      NOW,
    );
    const found = await database.run(() => store.lockOrganisations([unknown, newOrganisation(), known]));
    expect(found.sort((a, b) => a.id - b.id)).toEqual([
      { id: known, name: 'renamed', settings: { a: 2 } },
      { id: unknown, name: 'unknown', settings: { d: true } },
    ]);
    expect(await store.lockOrganisations([])).toEqual([]);
  });

  it('locks rows for other writers until the unit of work ends, but not for readers', async () => {
    const wanted = consumer();
    const id = newOrganisation();
    await store.put([wanted], NOW);
    await store.putSecrets([{ key: wanted.key, ...secret('a') }]);
    await store.addOrganisations([{ id, name: 'locked', settings: {} }], NOW);
    for (const lock of [() => store.lock([wanted.key, 'no such consumer']), () => store.lockOrganisations([id])]) {
      const [locked, go] = [signal(), signal()];
      const order: string[] = [];
      const first = database.run(async () => {
        expect(await lock()).toHaveLength(1);
        locked.give();
        await go.promise;
        order.push('first');
      });
      await locked.promise;
      const second = database.run(async () => {
        await lock();
        order.push('second');
      });
      expect(await store.find(wanted.key)).toEqual({ consumer: wanted, secrets: [secret('a')] });
      expect(await store.settings(id)).toEqual({});
      go.give();
      await Promise.all([first, second]);
      expect(order).toEqual(['first', 'second']);
    }
    expect(await database.run(() => store.lock([wanted.key]))).toEqual([{ consumer: wanted, secrets: [secret('a')] }]);
    expect(await store.lock([])).toEqual([]);
  });

  it("takes part in the caller's unit of work", async () => {
    const wanted = consumer();
    const work = async () => {
      await store.put([wanted], NOW);
      await store.putSecrets([{ key: wanted.key, ...secret('a') }]);
      throw new Error('no');
    };
    await expect(database.run(work)).rejects.toThrow('no');
    expect(await store.find(wanted.key)).toBeUndefined();
  });
}
