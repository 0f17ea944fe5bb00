import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Json, type JsonObject } from '#kernel';
import { commandHere } from '../support/command-line';
import { anEngine } from '../support/engines';
import { expectSuccess } from '../support/failure';
import { itembank, json } from '../support/processes';
import { until } from '../support/until';
import { type Answer, InterceptingProxy, Installation, setLastPullToNow } from './support/two-installations';
import { workflow } from '../support/builders';

/* The full run: PULL_ITEMS=100000 PULL_KILLS=50 npx jest test/interchange/pull.spec --testTimeout 7200000 */
const KILLS = Number(process.env.PULL_KILLS ?? 5);
const ITEMS = Number(process.env.PULL_ITEMS ?? 160);
/** Spreads the kills over the pages of a large bank. */
const CALLS_BETWEEN_KILLS = Math.floor(ITEMS / 50 / KILLS / 2);
const PNG = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex');

interface Report {
  import: string | null;
  created: number;
  replaced: number;
  skipped: number;
  refused: number;
  entries: { source: string; reference: string; result: string; notes: { code: string; was: string }[] }[];
}

describe.each(anEngine(__filename))('a pull from another server on %s', (engine) => {
  let there: Installation;
  let here: Installation;
  let proxy: InterceptingProxy;
  beforeAll(async () => {
    [there, here] = await Promise.all([Installation.start(engine), Installation.start(engine)]);
    proxy = await InterceptingProxy.start(there.service.url);
    await fill(there);
  });
  afterAll(async () => {
    await proxy?.stop();
    await there?.stop();
    await here?.stop();
  });
  beforeEach(() => (proxy.answer = () => undefined));

  const args = (...more: string[]) => [
    'pull',
    proxy.url,
    '--key',
    there.puller.key,
    '--organisation',
    '1',
    '--files-from',
    there.service.url,
    '--json',
    ...more,
  ];
  const settings = () => ({ ...here.settings, ITEMBANK_PULL_SECRET: there.puller.secret });
  const pulled = (...more: string[]) => json<Report>(commandHere(args(...more), { settings: settings() }));
  const failed = async (options: string[], secret = there.puller.secret) => {
    const result = await commandHere(options, { settings: { ...here.settings, ITEMBANK_PULL_SECRET: secret } });
    expect(result.code).toBe(1);
    expect(result.stderr.trim().split('\n')).toHaveLength(1);
    const { error } = JSON.parse(result.stdout) as { error: { message: string } };
    expect(result.stderr).toBe(`itembank: ${error.message}\n`);
    return result.stderr;
  };

  describe('refuses, with one line that says why,', () => {
    it('a wrong key, a wrong secret and a bank that the key may not read', async () => {
      const at = args();
      const other = at.map((word) => (word === there.puller.key ? 'nobody' : word));
      expect(await failed(other)).toContain('(41002)');
      expect(await failed(at, 'wrong')).toContain('(41003)');
      expect(await failed(args('--from-organisation', '2'))).toContain('(40003)');
      expect(await failed(at.map((word) => (word === '1' ? '77' : word)))).toContain('There is no organisation 77');
      expect(await failed(at, '')).toContain('ITEMBANK_PULL_SECRET');
      expect(await failed(args('--session-metadata', 'x'))).toContain('--session-metadata needs --sessions');
    });

    it('an address without a server', async () => {
      const gone = await InterceptingProxy.start(there.service.url);
      await gone.stop();
      const at = args().map((word) => (word === proxy.url ? gone.url : word));
      expect(await failed(at)).toContain(`${gone.url}/v1/itembank/items does not answer (ECONNREFUSED)`);
    });

    it.each<[string, Answer, string]>([
      ['a page of HTML', { status: 200, body: '<html>Welcome</html>' }, 'is not answered by a server of this API'],
      ['JSON of another service', { status: 200, body: '{"ok":true}' }, 'is not answered by a server of this API'],
      [
        'records that are none',
        { status: 200, body: '{"meta":{"status":true},"data":[1]}' },
        'something other than records',
      ],
      ['another address', { status: 302, headers: { location: 'https://example.org/' } }, 'Use that address instead'],
      [
        'a refusal without end',
        { status: 429, headers: { 'retry-after': '0' } },
        'allows no more calls, also after 8 tries',
      ],
      ['a long wait', { status: 429, headers: { 'retry-after': '3600' } }, 'allows no more calls'],
      ['a failure without end', { status: 503 }, 'fails (HTTP 503), also after 3 tries'],
      [
        'pages without end',
        { status: 200, body: '{"meta":{"status":true,"next":"again"},"data":[{"type":"A","name":"b"}]}' },
        'the same page again and again',
      ],
    ])('a server that answers with %s', async (_, answer, message) => {
      proxy.answer = () => answer;
      expect(await failed(args())).toContain(message);
    });
  });

  it('ends while the server of its files fails, because later pulls would not read these files', async () => {
    const [host, proxied] = [there.service.url, proxy.url].map((url) => new URL(url).host);
    proxy.rewrite = (_, answer) => JSON.parse(JSON.stringify(answer).replaceAll(host!, proxied!)) as JsonObject;
    proxy.answer = (path) =>
      path.startsWith('/assets/') ? { status: 503, headers: { 'retry-after': '0' } } : undefined;
    const message = await failed(args('--dry-run', '--files-from', proxy.url)).finally(
      () => (proxy.rewrite = undefined),
    );
    expect(message).toMatch(/map%201\.png fails \(HTTP 503\), also after 8 tries\. Run the same command later/);
  });

  it('plans without storing anything', async () => {
    const { entries, import: id } = await pulled('--dry-run');
    expect(id).toBeNull();
    expect(entries.length).toBeGreaterThan(ITEMS);
    expect(new Set(entries.map(({ result }) => result))).toEqual(new Set(['created']));
    expect(await bankOf(here)).toMatchObject({ items: [], activities: [], questions: [], workflows: [] });
  });

  it('copies everything once, although it is killed in between', async () => {
    // Some calls are refused or fail before they are answered.
    let calls = 0;
    for (let kill = 1; kill <= KILLS; kill++) {
      let left = CALLS_BETWEEN_KILLS + 4 + ((kill * 7) % 5);
      const ended = itembank(args(), {
        settings: settings(),
        started: (pid) =>
          (proxy.answer = () => {
            if (--left === 0) process.kill(pid, 'SIGKILL');
            if (++calls % 11 === 0) return { status: 429, headers: { 'retry-after': '0' } };
            return calls % 17 === 0 ? { status: 502, body: '<html>Bad gateway</html>' } : undefined;
          }),
      });
      expect((await ended).code).toBeNull();
    }
    proxy.answer = () => undefined;
    const { refused, entries } = await pulled();
    expect([refused, entries.flatMap(({ notes }) => notes)]).toEqual([0, []]);
    await until(async () => (await poolsOf(here)).every(({ status }) => status === 'published') || undefined);

    expect(await bankOf(here)).toEqual(await bankOf(there));
    const history = await here.client.get('itembank/history', { kind: 'item', references: ['item-1'] });
    expect(history.data).toHaveLength(1);
    expect(history.data[0].created_by).toMatch(/^import-/);
  });

  it('copies only changes when it is repeated', async () => {
    // Makes the changes later than the first pull, including the margin by which it reads back.
    setLastPullToNow(here);
    const calls = proxy.count;
    expect(await pulled()).toMatchObject({ created: 0, replaced: 0, refused: 0 });
    expect(proxy.count - calls).toBeLessThan(20);

    setLastPullToNow(here);
    expectSuccess(await there.client.set('itembank/questions', { questions: [question('q-1', 'Changed')] }));
    expectSuccess(await there.client.set('itembank/items', { items: [{ ...item(2), title: 'Changed' }] }));
    const { entries } = await pulled();
    const changed = entries.filter(({ result }) => result !== 'skipped');
    expect(changed.map(({ reference, result }) => `${reference} ${result}`)).toEqual([
      'item-2 replaced',
      'q-1 replaced',
    ]);
    expect(await bankOf(here)).toEqual(await bankOf(there));
  });

  it('leaves existing records unchanged with skip and fail, and replaces them on request', async () => {
    expectSuccess(await here.client.set('itembank/items', { items: [{ ...item(3), title: 'Ours' }] }));
    const results = async (rule: string) => {
      const { entries } = await pulled('--all', '--on-collision', rule);
      return entries.filter(({ result, notes }) => result !== 'skipped' || notes.length > 0);
    };
    expect(await results('skip')).toEqual([]);
    const [refused, ...others] = await results('fail');
    expect(refused).toMatchObject({ reference: 'item-3', result: 'refused', notes: [{ code: 'entry-exists' }] });
    expect(others).toEqual([]);
    const kept = (await here.client.get('itembank/items', { references: ['item-3'] })).data;
    expect(kept[0].title).toBe('Ours');
    expect((await results('replace')).map(({ reference }) => reference)).toEqual(['item-3']);
  });

  it('does not confuse a refused activity with an item of the same reference', async () => {
    const data = {
      items: [
        { reference: 'x', organisation_id: 1 },
        { reference: 'y', organisation_id: 7 },
      ],
    };
    proxy.rewrite = (path, answer) =>
      path === '/v1/itembank/activities' && Array.isArray(answer.data)
        ? { ...answer, data: [{ reference: 'item-1', data }, ...answer.data] }
        : answer;
    const { entries } = await pulled('--all').finally(() => (proxy.rewrite = undefined));
    const others = entries.filter(({ result, notes }) => result !== 'skipped' || notes.length > 0);
    expect(others.map(({ source, result }) => `${source.split('#')[1]} ${result}`)).toEqual([
      // Each page begins with it, also the one of the pool.
      '/activities/item-1 refused',
      '/activities/item-1 refused',
      '/pools/autumn skipped',
    ]);
  });

  it('with fail, leaves an activity alone if it names an item that has other content here', async () => {
    expectSuccess(await here.client.set('itembank/items', { items: [{ ...item(4), title: 'Ours' }] }));
    const { entries } = await pulled('--all', '--on-collision', 'fail');
    const others = entries.filter(({ result, notes }) => result !== 'skipped' || notes.length > 0);
    expect(others.map(({ reference, result }) => `${reference} ${result}`)).toEqual(['item-4 refused']);
    await pulled('--all');
  });

  it('completes activities and pools when an item that was refused comes later', async () => {
    const into = (...more: string[]) => pulled('--organisation', '2', ...more);
    proxy.rewrite = (path, answer) => {
      const { data } = answer;
      if (path !== '/v1/itembank/questions' || Array.isArray(data)) return answer;
      return { ...answer, data: { ...(data as JsonObject), 'item-1': [], 'item-3': [] } };
    };
    const first = await into().finally(() => (proxy.rewrite = undefined));
    const incomplete = first.entries.filter(({ notes }) => notes.length > 0);
    expect(incomplete.slice(0, 3).map(({ reference, result }) => `${reference} ${result}`)).toEqual([
      'item-1 refused',
      'item-3 refused',
      'test-1 created',
    ]);
    expect(incomplete.at(-1)!.reference).toBe('autumn');

    setLastPullToNow(here);
    expectSuccess(await there.client.set('itembank/items', { items: [item(1), item(3)] }));
    const { entries } = await into();
    const changed = entries.filter(({ result }) => result !== 'skipped').map(({ source }) => source.split('#')[1]!);
    expect(changed.sort()).toEqual(incomplete.map(({ source }) => source.split('#')[1]!).sort());
    expect(entries.flatMap(({ notes }) => notes)).toEqual([]);
    setLastPullToNow(here);
    expect(await into()).toMatchObject({ created: 0, replaced: 0, refused: 0 });
  });

  describe('when a pool is being filled on the other server', () => {
    const statusAfterPull = async () => {
      const pending = ({ data }: JsonObject) => (data as JsonObject[]).map((pool) => ({ ...pool, status: 'pending' }));
      proxy.rewrite = (path, answer) => (path === '/v1/itembank/pools' ? { ...answer, data: pending(answer) } : answer);
      await pulled('--all').finally(() => (proxy.rewrite = undefined));
      return until(async () => {
        const [pool] = await poolsOf(here);
        return pool!.status === 'pending' ? undefined : pool!.status;
      });
    };
    const setStatus = async (status: string) =>
      expectSuccess(await there.client.update('itembank/pools', { pools: [{ reference: 'autumn', status }] }));

    it('gives it the status that it will have there', async () => {
      await setStatus('unpublished');
      expect(await statusAfterPull()).toBe('unpublished');
      await setStatus('published');
      expect(await statusAfterPull()).toBe('published');
    });

    it('publishes it, if the server does not return that status', async () => {
      proxy.answer = (path, body) =>
        path === '/v1/itembank/pools' && body.includes('status_after_fill')
          ? { status: 400, body: '{"meta":{"status":false,"code":20004,"message":"Unknown member"}}' }
          : undefined;
      expect(await statusAfterPull()).toBe('published');
    });
  });
});

const question = (reference: string, stimulus: string): JsonObject => ({
  reference,
  type: 'mcq',
  data: {
    type: 'mcq',
    stimulus,
    options: [
      { label: 'A', value: 'a' },
      { label: 'B', value: 'b' },
    ],
    validation: { scoring_type: 'exactMatch', valid_response: { score: 1, value: ['a'] } },
  },
  metadata: { name: `Name of ${reference}` },
});

const item = (number: number): JsonObject => ({
  reference: `item-${number}`,
  title: `Item ${number} «é»`,
  status: ['published', 'unpublished', 'archived'][number % 3]!,
  definition: {
    template: 'dynamic',
    widgets: [
      { reference: `q-${number}` },
      ...(number % 2 ? [{ reference: `r-${number}` }] : []),
      ...(number % 5 ? [] : [{ reference: 'passage' }]),
    ],
  },
  questions: [{ reference: `q-${number}` }, ...(number % 2 ? [{ reference: `r-${number}` }] : [])],
  features: number % 5 ? [] : ['passage'],
  tags: [
    { type: 'Subject', name: number % 2 ? 'Maths' : 'Latin' },
    { type: 'Level', name: String(number % 7) },
  ],
  ...(number % 4 === 0 && { metadata: { scoring_type: 'dependent', acknowledgements: '<b>Thanks</b>' } }),
  ...(number % 6 === 0 && { adaptive: { difficulty: 0.5 }, note: 'A note', source: 'A book', description: 'For you' }),
  ...(number % 8 === 0 && { dynamic_content_data: { cols: ['a'], rows: { '0': { values: ['1'], index: 0 } } } }),
  ...(number % 9 === 0 && { authoring_workflow: { reference: 'review', state: 'draft' } }),
});

const listOf = <T>(count: number, make: (number: number) => T): T[] =>
  Array.from({ length: count }, (_, index) => make(index + 1));

/** A bank with records of all kinds. */
async function fill({ client, settings, service }: Installation): Promise<void> {
  const inBatches = async (list: string, records: JsonObject[]) => {
    for (let at = 0; at < records.length; at += 50)
      expectSuccess(await client.set(`itembank/${list}`, { [list]: records.slice(at, at + 50) }));
  };
  const { data } = await client.get('itembank/upload/assets', { subkeys: ['Karten/map 1.png'] });
  const [asset] = data as { upload: string; public: string; content_type: string }[];
  const put = await fetch(asset!.upload, {
    method: 'PUT',
    body: PNG,
    headers: { 'content-type': asset!.content_type },
  });
  expect(put.status).toBe(200);

  const hierarchies = [{ reference: 'curriculum', tag_types: [{ name: 'Subject', description: 'What' }, 'Level'] }];
  const description = { organisations: [{ id: 1, name: 'Bank 1', tag_hierarchies: hierarchies }] };
  writeFileSync(join(settings.DATA_DIR!, 'bank.json'), JSON.stringify(description));
  const provision = await commandHere(['provision', join(settings.DATA_DIR!, 'bank.json')], { settings });
  expect(provision.stderr).toBe('');
  const tags = [
    { type: 'Subject', name: 'Maths', description: 'Numbers', sort_key: 2 },
    { type: 'Unused', name: 'Nobody' },
  ];
  expectSuccess(await client.set('itembank/tagging/tags', { tags }));
  const review = workflow('review', { draft: ['done'], done: [] }, (state) => state.toUpperCase());
  const workflows = [{ ...review, description: 'Two steps' }];
  expectSuccess(await client.set('itembank/workflows', { request: { workflows } }));
  await inBatches('features', [
    {
      reference: 'passage',
      type: 'sharedpassage',
      data: { type: 'sharedpassage', content: `<img src="${asset!.public}">` },
    },
    { reference: 'loose', type: 'audioplayer', data: { type: 'audioplayer' } },
  ]);
  const questions = listOf(ITEMS, (number) => [
    question(`q-${number}`, number % 20 ? 'Which?' : `<img src="https:${asset!.public}"> of https://example.org/x.png`),
    question(`r-${number}`, 'And which?'),
  ]).flat();
  await inBatches('questions', questions);
  await inBatches('items', listOf(ITEMS, item));
  await inBatches(
    'activities',
    listOf(60, (number): JsonObject => ({
      reference: `test-${number}`,
      title: `Test ${number}`,
      description: 'For class',
      tags: [{ type: 'Subject', name: 'Maths' }],
      metadata: { number },
      status: number % 2 ? 'published' : 'archived',
      ...(number % 3 === 0 && { base_template_id: 'practice' }),
      ...(number % 4 === 0 && { adaptive: { difficulty: 1 } }),
      data:
        number % 2
          ? { items: ['item-1', `item-${number + 1}`], config: { navigation: { show_next: true } } }
          : { sections: [{ items: [{ reference: `item-${number}`, organisation_id: 1 }] }], rendering_type: 'assess' },
    })),
  );
  const content = { item_tags: [{ type: 'Subject', name: 'Maths' }], activity_references: ['test-1'] };
  const pool = { reference: 'autumn', name: 'Autumn', description: 'Of maths', content };
  expectSuccess(await client.set('itembank/pools', { pools: [pool] }));
  await until(async () => (await poolsOf({ client })).every(({ status }) => status === 'published') || undefined);
  expect(service.stderr).toBe('');
}

const poolsOf = ({ client }: Pick<Installation, 'client'>): Promise<JsonObject[]> => client.all('itembank/pools');

/** Everything that reads show of a bank, except times, ids and addresses of files. */
async function bankOf({ client }: Installation): Promise<Record<string, Json>> {
  const all = async (path: string, request: JsonObject = {}): Promise<JsonObject[]> => {
    const records: JsonObject[] = await client.all(`itembank/${path}`, request);
    return Promise.all(records.map(async (record) => withFiles(withoutIds(record)) as Promise<JsonObject>));
  };
  const byReference = (records: JsonObject[]) =>
    records.sort((one, other) => (JSON.stringify(one) < JSON.stringify(other) ? -1 : 1));
  const status = ['published', 'unpublished', 'archived'];
  const items = { items: ['adaptive', 'authoring_workflow', 'dynamic_content_data', 'max_score'] };
  const activities = { activities: ['title', 'metadata', 'activity_id'] };
  const read = {
    tags: await all('tagging/tags'),
    hierarchies: (await client.get('itembank/tagging/hierarchies')).data as JsonObject[],
    workflows: await all('workflows'),
    items: await all('items', { status, include: items }),
    questions: await all('questions'),
    features: await all('features'),
    activities: await all('activities', { status, include: activities }),
    pools: await all('pools'),
  };
  const pooled = await Promise.all(
    ['items', 'activities', 'questions'].map((path) => all(path, { item_pool_id: 'autumn' }).catch(() => [])),
  );
  return {
    ...Object.fromEntries(Object.entries(read).map(([name, list]) => [name, byReference(list)])),
    pooled: pooled.map(byReference),
  };
}

const IDS = ['id', 'dt_created', 'dt_updated', 'content_hash'];

function withoutIds(value: Json): Json {
  if (Array.isArray(value)) return value.map(withoutIds);
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).filter(([name]) => !IDS.includes(name));
  return Object.fromEntries(members.map(([name, member]) => [name, withoutIds(member)]));
}

/** The value with the content of files in place of their addresses. */
async function withFiles(value: Json): Promise<Json> {
  let text = JSON.stringify(value);
  for (const [address] of text.matchAll(/(?:https?:)?\/\/127\.0\.0\.1:\d+\/[^"\\ ]+/g)) {
    const response = await fetch(address.startsWith('//') ? `http:${address}` : address.replace('https:', 'http:'));
    expect(response.status).toBe(200);
    text = text.replace(address, Buffer.from(await response.arrayBuffer()).toString('hex'));
  }
  return JSON.parse(text) as Json;
}
