import { setTimeout as sleep } from 'node:timers/promises';
import { Fault } from '#kernel';
import { Config, Database } from '#platform';
import { sayFailure } from '#runtime';
import { type Answer } from '../support/client';
import { emptyDatabase, type Engine } from '../support/engines';
import { item, question, several } from '../support/builders';
import { expectFailure } from '../support/failure';
import { TcpProxy } from '../support/tcp-proxy';
import { until } from '../support/until';
import { faultsOn, FULL, Installation, temporaryFolders } from './installation';

const CUT_MS = FULL ? 10_000 : 2_500;
const WRITERS = 4;
/** Entries in each `set` request. */
const ENTRIES = 10;
const JOBS = 30;

const folder = temporaryFolders();

const VARIABLES = { mariadb: 'TEST_MARIADB_URL', mysql: 'TEST_MYSQL_URL', sqlite: '' } satisfies Record<Engine, string>;

faultsOn('all', `cutting off the database for ${CUT_MS / 1000} s under load`, (engine) => {
  const variable = VARIABLES[engine];
  const direct = process.env[variable];
  let proxy: TcpProxy;
  let installation: Installation;
  beforeAll(async () => {
    const address = new URL(direct!);
    proxy = await TcpProxy.open(address.hostname, Number(address.port || 3306));
    address.host = proxy.address;
    // Makes every connection to this server go through the proxy.
    process.env[variable] = address.href;
    installation = await Installation.start(engine, folder(), { leaseMs: 2_000 });
  });
  afterAll(async () => {
    process.env[variable] = direct;
    await installation?.end();
    await proxy?.close();
  });

  it('fails a unit of work as unavailable when its connection breaks between two statements', async () => {
    const empty = await emptyDatabase(engine);
    const database = await Database.open(empty.url, 1);
    try {
      const failed = database.run(async () => {
        await database.rows('SELECT 1');
        await proxy.cut();
        // The driver sees the end of the connection before the next statement.
        await sleep(100);
        await database.rows('SELECT 1');
      });
      await expect(failed).rejects.toThrow(Fault);
      await expect(failed).rejects.toMatchObject({ kind: 'unavailable' });
      // A command names the server, because its user sends no requests.
      const config = Config.read({ DATABASE_URL: empty.url, SECRETS_KEY: 'ef'.repeat(32) });
      const said = sayFailure(await failed.catch((error: unknown) => error), config);
      expect(said).toMatch(new RegExp(`^The database server ${proxy.address} cannot be reached \\(.+\\); start it, `));
    } finally {
      await proxy.restore();
      await database.close();
      await empty.drop();
    }
  });

  it('makes requests fail cleanly, leaves nothing half-written, and lets jobs continue afterwards', async () => {
    const { client } = installation.api;
    const widget = question();
    expect((await client.set('itembank/questions', { questions: [widget] })).status).toBe(200);
    await installation.startWorker();
    await installation.startWorker();
    for (let job = 0; job < JOBS; job++)
      await installation.startJob(
        { steps: 25, pauseMs: 40 },
        { lane: job % 3 ? 'short' : 'bulk', serialKey: job % 5 ? undefined : 'key' },
      );

    let over = false;
    let begun = 0;
    const answers: { began: number; set?: number; answer: Answer }[] = [];
    const call = async (calling: () => Promise<Answer>, set?: number) => {
      const began = Date.now();
      const answer = await calling();
      answers.push({ began, set, answer });
      // Limits the rate of requests while the service refuses them at once.
      await sleep(20);
    };
    const write = async () => {
      while (!over) {
        const set = ++begun;
        const items = several(ENTRIES, (entry) =>
          item([widget.reference], { reference: `${set}-${entry}`, tags: { Set: [String(set)] } }),
        );
        await call(() => client.set('itembank/items', { items }), set);
      }
    };
    const read = async () => {
      while (!over) await call(() => client.get('itembank/items', { limit: 10 }));
    };
    const load = Promise.all([...several(WRITERS, write), read(), read()]);
    await sleep(1_500);
    await proxy.cut();
    const cutAt = Date.now();
    await sleep(CUT_MS);
    // Waits for enough requests, because a slow machine needs longer for them.
    const begunAfter = (time: number) => answers.filter(({ began }) => began > time);
    await until(async () => begunAfter(cutAt).length > 20);
    const during = begunAfter(cutAt);
    await proxy.restore();
    const restoredAt = Date.now();
    await until(async () => begunAfter(restoredAt + 1_000).length > 10);
    over = true;
    await load;

    const failed = answers.filter(({ answer }) => !answer.meta.status);
    for (const { answer } of failed) {
      expectFailure(answer, 503, 10000, /database cannot be reached/);
      expect(answer.headers.get('retry-after')).toBe('1');
    }
    expect(during.filter(({ answer }) => answer.meta.status).length).toBe(0);
    // Requests succeed again soon after the repair.
    expect(begunAfter(restoredAt + 1_000).filter(({ answer }) => !answer.meta.status)).toEqual([]);

    const stored = (await client.all('itembank/items')) as { tags: { Set: string[] } }[];
    const counts = new Map<number, number>();
    for (const { tags } of stored) counts.set(Number(tags.Set[0]), 1 + (counts.get(Number(tags.Set[0])) ?? 0));
    expect([...counts.values()].filter((count) => count !== ENTRIES)).toEqual([]);
    const answered = answers.filter(({ set, answer }) => set !== undefined && answer.meta.status);
    expect(answered.filter(({ set }) => !counts.has(set!))).toEqual([]);

    const { jobsByStatus, faults } = await installation.waitForOutcome();
    expect({ jobsByStatus, faults }).toEqual({ jobsByStatus: { completed: JOBS }, faults: [] });
    process.stderr.write(
      `database cut off: ${failed.length} of ${answers.length} requests failed, all of them cleanly\n`,
    );
  }, 600_000);
});
