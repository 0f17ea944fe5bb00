import { Fault } from '#kernel';
import { type JobHandler, JobRunner, Jobs, type RunningJob } from '#jobs';
import { type Client } from '../support/client';
import { anEngine, engines } from '../support/engines';
import { expectFailure, expectSuccess } from '../support/failure';
import { startService, type TestService } from '../support/service';
import { SECOND } from '../support/time';
import { until } from '../support/until';

const ALL = ['reference', 'type', 'status', 'dt_created', 'dt_completed', 'progress', 'results'];

interface WireJob {
  reference: string;
  status: string;
  [member: string]: unknown;
}

/** Handlers of the jobs in these tests. */
const handlers: JobHandler[] = [
  { type: 'echo', run: async ({ input }) => JSON.stringify(input) },
  {
    type: 'count-to-two',
    run: async (job: RunningJob<object>) => {
      for (const done of [1, 2]) await job.batch(async () => ({ state: {}, progress: { done, total: 2 } }));
      return null;
    },
  },
  {
    type: 'refuse',
    run: async () => {
      throw new Fault('reference-unknown', 'There is no pool "p".');
    },
  },
];

describe.each(anEngine(__filename))('jobs on %s', (engine) => {
  let service: TestService;
  let client: Client;
  /** Ids never run backwards in a process, so each engine gets its own years. */
  const year = 2060 + engines.indexOf(engine);

  beforeAll(async () => {
    service = await startService(engine, { JOB_CONCURRENCY: '1' });
    client = service.client;
    service.clock.advance(Date.UTC(year, 0, 2, 3, 4, 5, 250) - service.clock.now());
    for (const handler of [...handlers, holding]) service.get(JobRunner).register(handler);
  });
  afterAll(async () => {
    released = Infinity;
    await service?.close();
  });

  let [held, released] = [0, 0];
  /** Runs until the test releases it, which may come before the handler begins. */
  const holding: JobHandler = {
    type: 'hold',
    run: async () => {
      const number = ++held;
      await until(async () => released >= number);
      return null;
    },
  };
  const release = () => released++;

  const start = (type: string, input: unknown = null, organisation = 1, lane: 'short' | 'bulk' = 'short') => {
    return service.get(Jobs).start({ type, lane, input: JSON.stringify(input) }, service.scope(organisation));
  };
  const allOrganisations = () => service.consumerOf([1, 'write'], [2, 'read']);
  const read = async (reference: string, as = client): Promise<WireJob | undefined> => {
    const answer = await as.get('jobs', { references: [reference] });
    expectSuccess(answer);
    return (answer.data as WireJob[])[0];
  };
  const inStatus = (reference: string, status: string, as = client) =>
    until(async () => {
      const job = await read(reference, as);
      return job?.status === status ? job : undefined;
    });
  const completed = async (type: string, input: unknown = null, organisation = 1, as = client) => {
    const reference = await start(type, input, organisation);
    await inStatus(reference, 'completed', as);
    return reference;
  };
  const references = async (request: object, as = client): Promise<string[]> => {
    const answer = await as.get('jobs', request);
    expectSuccess(answer);
    return (answer.data as WireJob[]).map(({ reference }) => reference);
  };

  it('show their results', async () => {
    const results = { stored: ['ü ☃ "x"'], skipped: [] };
    const reference = await completed('echo', results);
    expect(await read(reference)).toEqual({
      reference,
      type: 'echo',
      status: 'completed',
      dt_created: `${year}-01-02 03:04:05`,
      dt_completed: `${year}-01-02 03:04:05`,
      progress: { done: 0, total: null },
      results,
    });
    const counted = await completed('count-to-two');
    expect(await read(counted)).toMatchObject({ progress: { done: 2, total: 2 }, results: null });
  });

  it('show why they were halted, but nothing about bugs', async () => {
    const reference = await start('refuse');
    expect(await inStatus(reference, 'halted')).toMatchObject({
      dt_completed: `${year}-01-02 03:04:05`,
      results: null,
      error: { code: 30001, message: 'There is no pool "p".' },
    });
    // A bug leaves a job in this state.
    await service.database.write('UPDATE job SET error_kind = NULL WHERE id = ?', [reference]);
    expect(await read(reference)).toMatchObject({ error: { code: 10000 } });
  });

  it('are found by any of several statuses, and by default in all', async () => {
    service.clock.advance(SECOND);
    const mintime = new Date(service.clock.now()).toISOString();
    const done = await completed('echo');
    const halted = await start('refuse');
    await inStatus(halted, 'halted');
    const running = await start('hold', null, 1, 'bulk');
    await inStatus(running, 'running');
    const queued = await start('echo', null, 1, 'bulk');
    const found = (status?: string[]) => references({ mintime, status });
    expect(await found()).toEqual([queued, running, halted, done]);
    expect(await found(['queued'])).toEqual([queued]);
    expect(await found(['running', 'halted'])).toEqual([running, halted]);
    expect(await found(['completed', 'completed'])).toEqual([done]);
    expect(await found([])).toEqual([]);
    expect(await found(new Array<string>(70_000).fill('queued'))).toEqual([queued]);
    expect(await read(running)).toMatchObject({ dt_completed: null, results: null });
    release();
    await inStatus(queued, 'completed');
    expectFailure(await client.get('jobs', { status: ['completed', 'lost'] }), 400, 20004, /status.*queued, running/);
  });

  it('are filtered by one or more types, also together with other filters', async () => {
    service.clock.advance(SECOND);
    const mintime = new Date(service.clock.now()).toISOString();
    const echo = await completed('echo');
    const counted = await completed('count-to-two');
    const refused = await start('refuse');
    await inStatus(refused, 'halted');
    const found = (type: string[], others: object = {}) => references({ mintime, type, ...others });
    expect(await found(['echo'])).toEqual([echo]);
    expect(await found(['refuse', 'echo', 'echo'])).toEqual([refused, echo]);
    expect(await found(['refuse', 'count-to-two'], { status: ['completed'] })).toEqual([counted]);
    expect(await found(['no-such-type'])).toEqual([]);
    expect(await found([])).toEqual([]);
    const { meta, data } = await client.get('jobs', { mintime, type: ['refuse', 'echo'], limit: 1 });
    expect(data).toMatchObject([{ reference: refused }]);
    expect(await found(['refuse', 'echo'], { limit: 1, next: meta.next })).toEqual([echo]);
    expectFailure(await client.get('jobs', { type: ['echo'], next: meta.next }), 400, 20004, /next/);
    expectFailure(await client.get('jobs', { type: 'echo' }), 400, 20003, /type/);
  });

  it('are found by the time of their creation, including both bounds', async () => {
    service.clock.advance(10 * SECOND);
    const made: { reference: string; at: number }[] = [];
    for (let count = 0; count < 3; count++) {
      service.clock.advance(SECOND);
      made.push({ reference: await completed('echo'), at: service.clock.now() });
    }
    const [first, second, third] = made as [(typeof made)[0], (typeof made)[0], (typeof made)[0]];
    const unix = (at: number) => Math.floor(at / SECOND);
    const iso = (at: number) => new Date(at).toISOString();
    expect(await references({ mintime: unix(second.at) })).toEqual([third.reference, second.reference]);
    expect(await references({ mintime: iso(second.at) })).toEqual([third.reference, second.reference]);
    expect(await references({ mintime: iso(second.at + 1) })).toEqual([third.reference]);
    const since = { mintime: unix(first.at) };
    expect(await references({ ...since, maxtime: unix(second.at) })).toEqual([second.reference, first.reference]);
    expect(await references({ ...since, maxtime: iso(second.at) })).toEqual([second.reference, first.reference]);
    expect(await references({ ...since, maxtime: iso(second.at - 1) })).toEqual([first.reference]);
    expect(await references({ mintime: unix(third.at), maxtime: unix(first.at) })).toEqual([]);
    // The time of completion does not count.
    const held = await start('hold');
    await inStatus(held, 'running');
    const at = service.clock.now();
    service.clock.advance(5 * SECOND);
    release();
    await inStatus(held, 'completed');
    expect(await references({ mintime: iso(at + SECOND) })).toEqual([]);
  });

  it('are found by exact references', async () => {
    const [one, other] = [await completed('echo'), await completed('echo')];
    expect(await references({ references: [one, other, one] })).toEqual([other, one]);
    const near = [
      `${one} `,
      ` ${one}`,
      one.toLowerCase(),
      one.slice(0, 25),
      `${one}%`,
      '',
      `${one}\t`,
      'Ａ'.repeat(26),
    ];
    expect(await references({ references: near })).toEqual([]);
    expect(await references({ references: [] })).toEqual([]);
    const many = [...new Array<string>(999).fill('x'), one];
    expect(await references({ references: many })).toEqual([one]);
    expectFailure(await client.get('jobs', { references: [...many, 'x'] }), 400, 20002, /references.*1000.*1001/);
  });

  it('show the properties in include, and ignore unknown names', async () => {
    const reference = await completed('echo', 7);
    const shown = async (include: unknown) => {
      const { data } = await client.get('jobs', { references: [reference], include });
      return (data as object[])[0];
    };
    const names = async (include: unknown) => Object.keys((await shown(include))!);
    expect(await shown(['status'])).toEqual({ status: 'completed' });
    expect(await shown(['results', 'reference', 'results', 'data'])).toEqual({ reference, results: 7 });
    for (const include of [undefined, null, [], ['data'], ['__proto__', 'constructor', 'toString', '']])
      expect([include, await names(include)]).toEqual([include, ALL]);
    for (const name of ALL) expect(await names([name])).toEqual([name]);
    expect(await shown(['error'])).toEqual({ error: null });
    const halted = await start('refuse');
    await inStatus(halted, 'halted');
    const { data } = await client.get('jobs', { references: [halted], include: ['error'] });
    expect(data).toEqual([{ error: { code: 30001, message: expect.any(String) } }]);
    expectFailure(await client.get('jobs', { include: { jobs: ['status'] } }), 400, 20003, /include/);
    expectFailure(await client.get('jobs', { include: ['status', 7] }), 400, 20003, /include\[1\]/);
  });

  describe('jobs of several organisations', () => {
    let both: Client;
    let second: Client;
    let [ofOne, ofTwo]: [string, string] = ['', ''];
    beforeAll(async () => {
      both = await allOrganisations();
      second = await service.consumerOf([2, 'read']);
      service.clock.advance(60 * SECOND);
      ofOne = await completed('echo');
      ofTwo = await completed('echo', null, 2, second);
    });

    it('are all shown to a caller who may read them, when none is named', async () => {
      const request = { references: [ofOne, ofTwo] };
      expect(await references(request, both)).toEqual([ofTwo, ofOne]);
      expect(await references({ ...request, organisation_id: null }, both)).toEqual([ofTwo, ofOne]);
      expect(await references(request, client)).toEqual([ofOne]);
      expect(await references(request, second)).toEqual([ofTwo]);
      expect(await references({}, second)).toEqual([ofTwo]);
    });

    it('are shown only for the named one', async () => {
      const request = { references: [ofOne, ofTwo] };
      expect(await references({ ...request, organisation_id: 1 }, both)).toEqual([ofOne]);
      expect(await references({ ...request, organisation_id: '2' }, both)).toEqual([ofTwo]);
      for (const organisation_id of [2, 3])
        expectFailure(await client.get('jobs', { ...request, organisation_id }), 403, 40003, /no access/);
    });

    it('can be read without a primary organisation', async () => {
      const none = await service.consumer({ grants: [{ organisation: 2, access: 'read', primary: false }] });
      expect(await references({ references: [ofOne, ofTwo] }, none)).toEqual([ofTwo]);
      expectFailure(await none.get('itembank/items'), 403, 40002);
    });

    it('are paged, each once, while others are started', async () => {
      const made: string[] = [];
      for (let count = 0; count < 9; count++) {
        const organisation = 1 + (count % 2);
        made.push(await start('echo', null, organisation));
        if (count % 3 === 0) service.clock.advance(SECOND);
      }
      const last = made.at(-1)!;
      await inStatus(last, 'completed', both);
      const mintime = new Date(service.clock.now() - 30 * SECOND).toISOString();
      const request = { mintime, limit: 2 };
      const pages: string[][] = [];
      for (let next: string | undefined; ;) {
        const answer = await both.get('jobs', { ...request, next });
        expectSuccess(answer);
        expect(answer.meta.records).toBe(answer.data.length);
        pages.push((answer.data as WireJob[]).map(({ reference }) => reference));
        await completed('echo', null, 2, both);
        next = answer.meta.next;
        if (next === undefined) break;
      }
      expect(pages.slice(0, -1).map(({ length }) => length)).toEqual(new Array(pages.length - 1).fill(2));
      expect(pages.flat().filter((reference) => made.includes(reference))).toEqual(made.reverse());
      expect(new Set(pages.flat()).size).toBe(pages.flat().length);
    });

    it('are paged by a token that is valid only with the same filters', async () => {
      const { meta } = await both.get('jobs', { limit: 1 });
      expectSuccess(await both.get('jobs', { limit: 5, next: meta.next }));
      for (const other of [{ organisation_id: 1 }, { status: ['completed'] }, { include: ['type'] }])
        expectFailure(await both.get('jobs', { next: meta.next, ...other }), 400, 20004, /next/);
      // The same token shows less to a caller who may read less.
      expect(await references({ limit: 50, next: meta.next }, second)).not.toContain(ofOne);
      const { meta: items } = await both.get('itembank/tagging/tags', { limit: 1, next: meta.next });
      expect(items.code).toBe(20004);
    });
  });

  it('are available under every form of the version in the path', async () => {
    const reference = await completed('echo');
    for (const version of ['v1', 'v2022.1.LTS', 'v2025.3.lts', 'v1.85.0', 'latest', 'latest-lts', 'developer'])
      for (const end of ['', '/']) {
        const answer = await client.get(`/${version}/jobs${end}`, { references: [reference] });
        expect([version, answer.status, answer.data]).toEqual([version, 200, [expect.objectContaining({ reference })]]);
      }
  });
});
