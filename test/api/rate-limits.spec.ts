import timers from 'node:timers/promises';
import { Config } from '#platform';
import { REFUSAL_HELD_MS } from '../../apps/api/src/http/dispatcher.controller';
import { listen, type Service } from '../../apps/api/src/service';
import { apiWith } from '../support/applications';
import { type Answer, Client } from '../support/client';
import { anEngine, emptyQueue, queueEngines } from '../support/engines';
import { expectFailure, expectSuccess } from '../support/failure';
import { serviceOfSuite, startService, type TestService } from '../support/service';
import { SECOND } from '../support/time';
import { until } from '../support/until';

const ITEMS = 'itembank/items';
const TAGS = 'itembank/tagging/tags';

describe.each(anEngine(__filename))('rate limits on %s', (engine) => {
  const service = serviceOfSuite(() => startService(engine));

  const three = () => service.consumer({ rateLimits: { 'get itembank/items': 3 } });
  const ask = (client: Client) => client.get(ITEMS, { limit: 1 });
  const expectRejection = (answer: Answer, limit: number, seconds: number) => {
    expectFailure(answer, 429, 42000, new RegExp(`More than ${limit} .* within 5 seconds.* ${seconds} s`));
    expect(headersOf(answer)).toEqual([String(limit), '0', String(seconds)]);
    // The vendor's own tools wait for this time.
    expect(answer.headers.get('retry-after')).toBe(String(seconds));
  };
  const headersOf = ({ headers }: Answer) =>
    ['limit', 'remaining', 'reset'].map((name) => headers.get(`ratelimit-${name}`));

  it('allow their number of requests within 5 seconds, and report the remaining number', async () => {
    const client = await three();
    for (const left of ['2', '1', '0']) {
      const answer = await ask(client);
      expectSuccess(answer);
      expect(headersOf(answer)).toEqual(['3', left, '5']);
      expect(answer.headers.get('retry-after')).toBeNull();
    }
    expectRejection(await ask(client), 3, 5);
  });

  it('delay only refusals, to slow down clients that ignore them', async () => {
    const client = await three();
    // Refusals are held until the test lets them go.
    let letGo!: () => void;
    const held = new Promise<void>((resolve) => (letGo = resolve));
    const wait = timers.setTimeout;
    jest
      .spyOn(timers, 'setTimeout')
      .mockImplementation((ms, ...rest) => (ms === REFUSAL_HELD_MS ? held : wait(ms, ...rest)));
    const answered: number[] = [];
    const asked = Array.from({ length: 5 }, async () => answered.push((await ask(client)).status));
    await until(async () => answered.length === 3);
    for (let each = 0; each < 3; each++) expectSuccess(await ask(service.client));
    expect(answered).toEqual([200, 200, 200]);
    letGo();
    await Promise.all(asked);
    expect(answered.slice(3)).toEqual([429, 429]);
  });

  it('count each request for 5 seconds from its own time', async () => {
    const client = await three();
    expectSuccess(await ask(client));
    service.clock.advance(2 * SECOND);
    expectSuccess(await ask(client));
    service.clock.advance(2 * SECOND);
    expectSuccess(await ask(client));
    expectRejection(await ask(client), 3, 1);
    service.clock.advance(SECOND - 1);
    expectRejection(await ask(client), 3, 1);
    service.clock.advance(1);
    // The first request left the window; the other two are still in it.
    const fourth = await ask(client);
    expectSuccess(fourth);
    expect(headersOf(fourth)).toEqual(['3', '0', '2']);
    expectRejection(await ask(client), 3, 2);
    service.clock.advance(5 * SECOND);
    for (let each = 0; each < 3; each++) expectSuccess(await ask(client));
    expectRejection(await ask(client), 3, 5);
  });

  it('do not count refused requests', async () => {
    const client = await three();
    for (let each = 0; each < 3; each++) expectSuccess(await ask(client));
    service.clock.advance(4 * SECOND);
    for (let each = 0; each < 20; each++) expectRejection(await ask(client), 3, 1);
    service.clock.advance(SECOND);
    expectSuccess(await ask(client));
  });

  it('are separate for each consumer', async () => {
    const [one, other] = [await three(), await three()];
    for (let each = 0; each < 3; each++) expectSuccess(await ask(one));
    expectRejection(await ask(one), 3, 5);
    expectSuccess(await ask(other));
  });

  it('are separate for each endpoint: path and action', async () => {
    const client = await service.consumer({ rateLimits: { '*': 1 } });
    const tags = [{ type: 'Rate', name: 'x' }];
    expectSuccess(await client.get(ITEMS));
    expectSuccess(await client.get('itembank/questions'));
    expectSuccess(await client.get(TAGS));
    expectSuccess(await client.set(TAGS, { tags }));
    expectRejection(await client.get(ITEMS), 1, 5);
    expectRejection(await client.get(TAGS), 1, 5);
    expectRejection(await client.set(TAGS, { tags }), 1, 5);
  });

  it('treat every version and form of a path as the same endpoint', async () => {
    const client = await three();
    for (const path of ['/v1/itembank/items', '/v2023.1.LTS/itembank/items/', '/latest/itembank/items'])
      expectSuccess(await client.post(path, client.fields('{}', 'get')));
    expectRejection(await client.post('/developer/itembank/items', client.fields('{}', 'get')), 3, 5);
    // An absent action means get.
    expectRejection(await client.post(ITEMS, client.fields('{}', undefined)), 3, 5);
  });

  it('count requests that are rejected for their content', async () => {
    const client = await three();
    for (let each = 0; each < 3; each++) expectFailure(await client.get(ITEMS, { limit: 0 }), 400, 20004);
    expectRejection(await client.get(ITEMS, { limit: 0 }), 3, 5);
  });

  it('do not count unauthenticated requests', async () => {
    const client = await three();
    const forged = client.fields('{}', 'get', { signature: `$02$${'0'.repeat(64)}` });
    for (let each = 0; each < 5; each++) expectFailure(await client.post(ITEMS, forged), 403, 41003);
    expect(headersOf(await ask(client))).toEqual(['3', '2', '5']);
  });

  it('change nothing when they refuse a write', async () => {
    const client = await service.consumer({ rateLimits: { 'set *': 1 } });
    expectSuccess(await client.set(TAGS, { tags: [{ type: 'Once', name: 'first' }] }));
    expectRejection(await client.set(TAGS, { tags: [{ type: 'Once', name: 'second' }] }), 1, 5);
    const { data } = await client.get(TAGS, { types: ['Once'] });
    expect((data as { name: string }[]).map(({ name }) => name)).toEqual(['first']);
  });

  it('apply to concurrent requests', async () => {
    const client = await service.consumer({ rateLimits: { 'get itembank/items': 10 } });
    const answers = await Promise.all(Array.from({ length: 30 }, () => ask(client)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(10);
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(20);
  });

  // The published limits, for consumers without their own.
  it.each([
    ['get', ITEMS, '1000'],
    ['set', ITEMS, '50'],
    ['update', 'itembank/items/tags', '50'],
    ['set', 'itembank/items/tags', '50'],
    ['get', TAGS, '1000'],
    ['set', TAGS, '50'],
  ])('apply by default: %s %s %s', async (action, path, limit) => {
    const client = await service.consumer({ rateLimits: {} });
    const answer = await client.call(path, action, {});
    expect(headersOf(answer)).toEqual([limit, String(Number(limit) - 1), '5']);
  });

  it('refuse the 51st write by default', async () => {
    const client = await service.consumer({ rateLimits: {} });
    for (let each = 0; each < 50; each++) expectFailure(await client.set(ITEMS, {}), 400, 20000);
    expectRejection(await client.set(ITEMS, {}), 50, 5);
    service.clock.advance(5 * SECOND);
    expectFailure(await client.set(ITEMS, {}), 400, 20000);
  });

  it('may be raised or lowered for a consumer, by the most specific pattern', async () => {
    const client = await service.consumer({
      rateLimits: { '*': 7, 'get *': 9, 'get itembank/*': 11, 'get itembank/items': 13, 'set itembank/items': 0 },
    });
    const limits = async (action: string, path: string) => headersOf(await client.call(path, action, {}))[0];
    expect(await limits('get', ITEMS)).toBe('13');
    expect(await limits('get', TAGS)).toBe('11');
    expect(await limits('set', TAGS)).toBe('7');
    expectRejection(await client.set(ITEMS, {}), 0, 5);
  });
});

/** Starts a second service on the same database and the same Redis server. */
async function startBeside({ settings, clock }: TestService, queueUrl: string): Promise<Service> {
  const config = Config.read({ ...settings, QUEUE_URL: queueUrl, PORT: '0', LOG_LEVEL: 'silent' });
  return listen(await apiWith(config, { clock }), config);
}

const [anyEngine] = anEngine(__filename);
for (const queueEngine of queueEngines.filter((each) => each !== 'in process'))
  describe(`rate limits of two API processes on ${anyEngine} and ${queueEngine}`, () => {
    let service: TestService;
    let other: Service;
    const queueUrl = emptyQueue(queueEngine).url!;
    beforeAll(async () => {
      service = await startService(anyEngine!, { QUEUE_URL: queueUrl });
      other = await startBeside(service, queueUrl);
    });
    afterAll(async () => {
      await other?.close();
      await service?.close();
    });

    it('count the requests of both', async () => {
      const one = await service.consumer({ rateLimits: { 'get itembank/items': 5 } });
      const two = new Client(other.baseUrl, one.key, one.secret, service.clock);
      const leftOf = async (client: Client) => Number((await client.get(TAGS)).headers.get('ratelimit-remaining'));
      // On a slow machine, Redis may answer the first calls too late for them.
      await until(async () => (await leftOf(one)) === (await leftOf(two)) + 1);
      const answers: Answer[] = [];
      for (let each = 0; each < 7; each++) answers.push(await (each % 2 ? two : one).get(ITEMS));
      expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200, 429, 429]);
      expect(answers.map(({ headers }) => headers.get('ratelimit-remaining'))).toEqual([
        '4',
        '3',
        '2',
        '1',
        '0',
        '0',
        '0',
      ]);
      service.clock.advance(5 * SECOND);
      expectSuccess(await two.get(ITEMS));
    });
  });

describe('rate limits with an unreachable Redis', () => {
  it('apply to each process, and no request fails because of Redis', async () => {
    const service = await startService(anyEngine!, { QUEUE_URL: 'redis://127.0.0.1:1' });
    try {
      const client = await service.consumer({ rateLimits: { 'get itembank/items': 5 } });
      const answers = await Promise.all(Array.from({ length: 12 }, () => client.get(ITEMS)));
      expect(answers.map(({ status }) => status).sort()).toEqual([
        ...new Array<number>(5).fill(200),
        ...new Array<number>(7).fill(429),
      ]);
    } finally {
      await service.close();
    }
  });
});
