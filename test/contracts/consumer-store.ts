import { type Consumer } from '#access';
import { type ConsumerStore } from '../../libs/access/src/application/ports/consumer-store';
import { newOrganisation, NOW, type Ports } from './ports';

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

/** Organisations, consumers and their sealed secrets. */
export function consumerStoreContract(open: () => Promise<Pick<Ports, 'consumers' | 'database'>>): void {
  let store: ConsumerStore;
  let database: Ports['database'];

  beforeAll(async () => {
    ({ consumers: store, database } = await open());
  });

  const secret = (id: string, validUntil: number | null = null) => ({ id, sealed: `sealed ${id}`, validUntil });
  const sortedById = <T extends { id: string }>(entries: T[]) => entries.sort((a, b) => (a.id < b.id ? -1 : 1));

  it('finds nothing for an unknown key', async () => {
    expect(await store.find('no such consumer')).toBeUndefined();
  });

  it('gives back everything about a consumer', async () => {
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
    await store.put(wanted, NOW);
    const found = (await store.find(wanted.key))!;
    found.consumer.grants.sort((a, b) => a.organisation - b.organisation);
    expect(found).toEqual({ consumer: wanted, secrets: [] });
  });

  it('gives back a consumer without domains, features, limits and grants', async () => {
    const wanted = consumer({ status: 'disabled', domains: [], features: [], rateLimits: {}, grants: [] });
    await store.put(wanted, NOW);
    expect(await store.find(wanted.key)).toEqual({ consumer: wanted, secrets: [] });
  });

  it('tells keys apart by case and by trailing blanks', async () => {
    const wanted = consumer();
    await store.put(wanted, NOW);
    for (const other of [wanted.key.toUpperCase(), `${wanted.key} `, wanted.key.slice(0, -1)])
      expect(await store.find(other)).toBeUndefined();
  });

  it('replaces everything about a consumer but its secrets', async () => {
    const before = consumer({
      grants: [1, 2, 3].map((organisation) => ({ organisation, access: 'read', primary: false })),
    });
    await store.put(before, NOW);
    await store.addSecret(before.key, secret('a'));
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
    await store.put(after, NOW + 1);
    expect(await store.find(before.key)).toEqual({ consumer: after, secrets: [secret('a')] });
  });

  it('lists all consumers, oldest first, with their own grants each', async () => {
    const [oldest, middle, newest] = ['oldest', 'middle', 'newest'].map((label, index) =>
      consumer({ label, grants: [{ organisation: index + 1, access: 'write', primary: true }] }),
    );
    // Older than the consumers of other tests.
    await store.put(newest!, NOW - 1000);
    await store.put(oldest!, NOW - 3000);
    await store.put(middle!, NOW - 2000);
    // One that is changed keeps its place.
    await store.put({ ...oldest!, label: 'oldest, changed' }, NOW + 5000);
    const listed = await store.list();
    expect(listed.slice(0, 3)).toEqual([{ ...oldest, label: 'oldest, changed' }, middle, newest]);
    const unlisted = consumer();
    await store.put(unlisted, NOW + 10_000);
    expect(await store.list()).toEqual([...listed, unlisted]);
  });

  it('keeps several secrets of a consumer, each with its end, apart from those of others', async () => {
    const [mine, other] = [consumer(), consumer()];
    await store.put(mine, NOW);
    await store.put(other, NOW);
    await store.addSecret(mine.key, secret('a', NOW + 5));
    await store.addSecret(mine.key, secret('b'));
    await store.addSecret(other.key, secret('a'));
    expect(sortedById((await store.find(mine.key))!.secrets)).toEqual([secret('a', NOW + 5), secret('b')]);
    expect((await store.find(other.key))!.secrets).toEqual([secret('a')]);
  });

  it('ends the secrets that have no end yet or a later one; an earlier end stays', async () => {
    const [mine, other] = [consumer(), consumer()];
    for (const { key } of [mine, other]) {
      await store.addSecret(key, secret('earlier', NOW - 1));
      await store.addSecret(key, secret('endless'));
      await store.addSecret(key, secret('later', NOW + 1));
    }
    await store.put(mine, NOW);
    await store.put(other, NOW);
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
    for (const id of ids) await store.addOrganisation({ id, name: `Schule ${id} 😀` }, NOW);
    const listed = (await store.organisations()).filter(({ id }) => ids.includes(id));
    expect(listed).toEqual(ids.map((id) => ({ id, name: `Schule ${id} 😀` })));
  });

  it('refuses an organisation whose id is taken, and leaves the first as it was', async () => {
    const id = newOrganisation();
    await store.addOrganisation({ id, name: 'first' }, NOW);
    await expect(store.addOrganisation({ id, name: 'second' }, NOW)).rejects.toThrow(/duplicate|unique/i);
    expect((await store.organisations()).filter((organisation) => organisation.id === id)).toEqual([
      { id, name: 'first' },
    ]);
  });

  it('takes part in the unit of work around it', async () => {
    const wanted = consumer();
    const work = async () => {
      await store.put(wanted, NOW);
      await store.addSecret(wanted.key, secret('a'));
      throw new Error('no');
    };
    await expect(database.run(work)).rejects.toThrow('no');
    expect(await store.find(wanted.key)).toBeUndefined();
  });
}
