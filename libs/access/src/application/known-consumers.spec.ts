import { Fault } from '#kernel';
import { type Consumer } from '../domain/consumer';
import { SecretBox } from '../domain/secret-box';
import { KnownConsumers } from './known-consumers';
import { type ConsumerStore, type SealedSecret } from './ports/consumer-store';

const KEY = 'a-consumer';
const box = new SecretBox(Buffer.alloc(32, 7));

/** A store whose reads the test answers one by one. */
class HeldStore {
  readonly waiting: { answer: (domain: string | undefined) => Promise<void>; fail: () => Promise<void> }[] = [];

  find(): Promise<{ consumer: Consumer; secrets: SealedSecret[] } | undefined> {
    return new Promise((resolve, reject) => {
      const settled = () => new Promise<void>((done) => setImmediate(done));
      this.waiting.push({
        answer: (domain) => {
          resolve(domain === undefined ? undefined : { consumer: consumer(domain), secrets: [secret(domain)] });
          return settled();
        },
        fail: () => {
          reject(new Error('The database cannot be reached.'));
          return settled();
        },
      });
    });
  }
}

const consumer = (domain: string) => ({ key: KEY, domains: [domain] }) as unknown as Consumer;
const secret = (domain: string) => ({ id: '1', sealed: box.seal(`secret of ${domain}`, KEY), validUntil: null });

describe('A cached consumer', () => {
  let now: number;
  let store: HeldStore;
  let consumers: KnownConsumers;

  beforeEach(() => {
    now = 1_000;
    jest.spyOn(performance, 'now').mockImplementation(() => now);
    store = new HeldStore();
    consumers = new KnownConsumers(store as unknown as ConsumerStore, box);
  });

  afterEach(() => jest.restoreAllMocks());

  const found = async () => (await consumers.find(KEY)).consumer.domains[0];

  async function remembered(domain: string): Promise<void> {
    const first = found();
    await store.waiting.pop()!.answer(domain);
    await first;
  }

  it('is read once for concurrent calls', async () => {
    const calls = [consumers.find(KEY), consumers.find(KEY), consumers.find(KEY)];
    expect(store.waiting).toHaveLength(1);
    await store.waiting[0]!.answer('first.example');
    for (const { consumer, secrets } of await Promise.all(calls)) {
      expect(consumer.domains).toEqual(['first.example']);
      expect(secrets).toEqual([{ secret: 'secret of first.example', validUntil: null }]);
    }
  });

  it('is not read again within a second', async () => {
    await remembered('first.example');
    now += 999;
    expect(await found()).toBe('first.example');
    expect(store.waiting).toEqual([]);
  });

  it('is refreshed once in the background during the following second, and no call waits', async () => {
    await remembered('first.example');
    now += 1_000;
    expect(await found()).toBe('first.example');
    expect(await found()).toBe('first.example');
    expect(store.waiting).toHaveLength(1);
    await store.waiting.pop()!.answer('second.example');
    expect(await found()).toBe('second.example');
    expect(store.waiting).toEqual([]);
  });

  it('makes calls wait two seconds after its read began', async () => {
    const first = found();
    now += 500;
    await store.waiting.pop()!.answer('first.example');
    expect(await first).toBe('first.example');
    now += 1_500;
    const later = found();
    await store.waiting.pop()!.answer('second.example');
    expect(await later).toBe('second.example');
  });

  it('stays in use for at most two seconds when its refresh fails', async () => {
    await remembered('first.example');
    now += 1_500;
    expect(await found()).toBe('first.example');
    await store.waiting.pop()!.fail();
    now += 500;
    const late = expect(found()).rejects.toThrow('The database cannot be reached.');
    await store.waiting.pop()!.fail();
    await late;
    // A later call reads it again.
    const next = found();
    await store.waiting.pop()!.answer('second.example');
    expect(await next).toBe('second.example');
  });

  it('is removed when a read finds that it no longer exists', async () => {
    await remembered('first.example');
    now += 1_000;
    expect(await found()).toBe('first.example');
    await store.waiting.pop()!.answer(undefined);
    const gone = expect(found()).rejects.toThrow(Fault);
    await store.waiting.pop()!.answer(undefined);
    await gone;
  });
});

describe('The domains of all consumers', () => {
  const withDomains = (status: string, ...domains: string[]) => ({ status, domains }) as unknown as Consumer;
  let now = 1_000;
  let fails = false;
  let reads = 0;
  let all: Consumer[];
  let consumers: KnownConsumers;

  beforeEach(() => {
    jest.spyOn(performance, 'now').mockImplementation(() => now);
    [fails, reads, all] = [
      false,
      0,
      [withDomains('active', 'a', 'b'), withDomains('active', 'b'), withDomains('x', 'c')],
    ];
    const list = async () => {
      reads++;
      if (fails) throw new Error('The database cannot be reached.');
      return all;
    };
    consumers = new KnownConsumers({ list } as unknown as ConsumerStore, box);
  });

  afterEach(() => jest.restoreAllMocks());

  it('are those of active consumers, read once for concurrent calls and again after two seconds', async () => {
    const both = await Promise.all([consumers.domains(), consumers.domains()]);
    expect(both).toEqual([
      ['a', 'b'],
      ['a', 'b'],
    ]);
    expect(reads).toBe(1);
    all = [withDomains('active', 'd')];
    now += 1_999;
    expect(await consumers.domains()).toEqual(['a', 'b']);
    now += 2;
    expect(await consumers.domains()).toEqual(['d']);
  });

  it('are read again after a failure', async () => {
    fails = true;
    await expect(consumers.domains()).rejects.toThrow('The database cannot be reached.');
    fails = false;
    expect(await consumers.domains()).toEqual(['a', 'b']);
  });
});
