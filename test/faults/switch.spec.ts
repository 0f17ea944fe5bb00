import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { SystemClock } from '#kernel';
import { Database } from '#platform';
import { Journal } from '../load/journal';
import { migrateAndCreateConsumer } from '../load/load-installation';
import { API, Program, WORKER } from '../load/program';
import { SessionFollower } from '../load/session-follower';
import { brokenPromises } from '../load/soak-promises';
import { SoakWork } from '../load/soak-work';
import { SteadyCaller } from '../load/steady-caller';
import { several } from '../support/builders';
import { Client } from '../support/client';
import { emptyQueue, engines, queueEngines } from '../support/engines';
import { itembank } from '../support/processes';
import { ReplicatingServer } from '../support/servers/replicated';
import { TcpProxy } from '../support/tcp-proxy';
import { until } from '../support/until';
import { FULL, temporaryFolders } from './installation';

/** How long the load lasts before and after each switch, at least. */
const STEADY_MS = FULL ? 10_000 : 2_000;
const ACTORS = 6;
const NAME = 'itembank_switch';
const LIMITS = { maxAnswerMs: 300_000, maxOutageMs: 600_000 };
/** How many requests must succeed before and after each switch. */
const MIN_ANSWERED = 60;
const folder = temporaryFolders();

const isRequested = engines.includes('mysql') && queueEngines.includes('redis');
if (isRequested)
  describe('MySQL with a semi-synchronous replica, behind an address that leads to the primary', onMysql);
else
  it('a switch of the primary needs MySQL and Redis, which TEST_ENGINES leaves out', () =>
    expect(isRequested).toBe(false));

function onMysql() {
  let first: ReplicatingServer;
  let second: ReplicatingServer;
  let proxy: TcpProxy;
  let url: string;
  const programs: Program[] = [];
  beforeAll(async () => {
    first = await ReplicatingServer.start('mysql', 1);
    second = await ReplicatingServer.start('mysql', 2);
    await second.follow(first);
    await first.ask(`CREATE DATABASE ${NAME}`);
    const { hostname, port, username } = new URL(first.url);
    proxy = await TcpProxy.open(hostname, Number(port));
    url = `mysql://${username}@${proxy.address}/${NAME}`;
  }, 600_000);
  afterAll(async () => {
    await Promise.all(programs.map((program) => program.end('SIGKILL')));
    await proxy?.close();
    await second?.stop();
    await first?.stop();
  });

  const redirectTo = (server: ReplicatingServer) => {
    const { hostname, port } = new URL(server.url);
    proxy.redirectTo(hostname, Number(port));
  };

  it('closes connections to a server that accepts no more writes', async () => {
    const database = await Database.open(url, 1);
    const port = async () => String((await database.row<{ port: number }>('SELECT @@port AS port'))!.port);
    try {
      await database.write('CREATE TABLE written (number INT PRIMARY KEY)');
      await first.refuseWrites();
      const failing = [
        () => database.write('INSERT INTO written VALUES (1)'),
        () => database.run(() => database.write('INSERT INTO written VALUES (1)')),
      ];
      for (const write of failing) {
        const [before] = await first.ask('SHOW STATUS LIKE "Connections"');
        await expect(write()).rejects.toMatchObject({ kind: 'unavailable' });
        await port();
        const [after] = await first.ask('SHOW STATUS LIKE "Connections"');
        // The second SHOW STATUS opens one connection, and the service opens another.
        expect(Number(after!.Value) - Number(before!.Value)).toBe(2);
      }
      await expect(database.write('INSERT INTO written VALUES (1)')).rejects.toThrow('cannot be reached');
      await second.waitForAllOf(first);
      redirectTo(second);
      expect(await port()).toBe(new URL(second.url).port);
    } finally {
      redirectTo(first);
      await first.ask('SET GLOBAL read_only = OFF');
      await database.close();
      await first.ask(`DROP TABLE ${NAME}.written`);
    }
  });

  it(
    'loses no acknowledged write and never answers 500, after a planned switch and after the death of the primary',
    async () => {
      const settings = {
        DATABASE_URL: url,
        DATA_DIR: folder(),
        SECRETS_KEY: randomBytes(32).toString('hex'),
        HOST: '127.0.0.1',
        ITEM_UPDATE_LIMIT: '1000000',
        QUEUE_URL: emptyQueue('redis').url!,
      };
      const { key, secret } = await migrateAndCreateConsumer(settings);
      programs.push(await Program.start({ ...API, built: false, settings }));
      const worker = { ...WORKER, main: 'test/faults/worker', built: false };
      programs.push(await Program.start({ ...worker, settings: { ...settings, LEASE_MS: '4000' } }));
      const client = new Client(programs[0]!.url, key, secret, new SystemClock());
      const journal = new Journal();
      const caller = new SteadyCaller(client, journal, LIMITS);
      const work = new SoakWork(caller, 7);
      const follower = new SessionFollower(caller);
      await work.seed();

      let over = false;
      const faults: string[] = [];
      const jobs: Promise<unknown>[] = [];
      const recordFaults = (loop: () => Promise<unknown>) =>
        loop().catch((error: unknown) => void faults.push(String(error)));
      const actor = async () => {
        while (!over) {
          const { job } = await work.begin(Date.now());
          if (job) jobs.push(recordFaults(() => job));
          while (work.jobs.outstanding > 40) await sleep(20);
        }
      };
      const following = recordFaults(() => follower.follow());
      const load = Promise.all(several(ACTORS, () => recordFaults(actor)));
      const answered = () => journal.figures().reduce((sum, figures) => sum + figures.answered, 0);
      const underLoad = async () => {
        const before = answered();
        await sleep(STEADY_MS);
        await until(async () => faults.length > 0 || answered() - before >= MIN_ANSWERED, 600_000);
      };

      /** Waits until requests fail, because a switch without failures would prove nothing. */
      const waitUntilRefused = (what: string) =>
        until(async () => faults.length > 0 || journal.failuresDuring(what) > 0, 600_000);

      try {
        await underLoad();
        await journal.during('planned switch', 5_000, false, async () => {
          await first.refuseWrites();
          await waitUntilRefused('planned switch');
          await second.waitForAllOf(first);
          await second.becomePrimary();
          redirectTo(second);
          await first.server.restart!('SIGKILL');
          await first.follow(second);
          await waitUntilReady();
        });
        await underLoad();
        await until(() => second.isSemiSynchronous(), 600_000);
        await journal.during('death of the primary', 5_000, false, async () => {
          await second.stop();
          await waitUntilRefused('death of the primary');
          await first.applyReceived();
          await first.becomePrimary();
          redirectTo(first);
          await waitUntilReady();
        });
        await underLoad();
      } finally {
        over = true;
      }
      await load;
      await Promise.all(jobs);
      await follower.stop();
      await following;

      const database = await Database.open(url, 2);
      const promises = await brokenPromises({ client, database } as never, work, follower);
      await database.close();
      report(journal, promises);
      expect({ faults, unexpected: journal.unexpectedFailures() }).toEqual({ faults: [], unexpected: [] });
      expect(promises.filter(({ broken }) => broken.length > 0)).toEqual([]);
      const { code, stdout } = await itembank(['verify'], { settings });
      expect({ code, stdout: code === 0 ? '' : stdout }).toEqual({ code: 0, stdout: '' });
    },
    FULL ? 3_600_000 : 1_800_000,
  );

  const waitUntilReady = () =>
    until(async () => (await fetch(`${programs[0]!.url}/health/ready`)).status === 200, 600_000);
}

function report(journal: Journal, promises: Awaited<ReturnType<typeof brokenPromises>>): void {
  const lines = [
    ...journal
      .figures()
      .map(({ kind, answered, failures, p50 }) => `${kind}: ${answered} answered, ${failures} refused, p50 ${p50} ms`),
    ...journal.windows.map(
      ({ what, from, to }) =>
        `${what}: ${((to - from) / 1000 - 5).toFixed(1)} s, ${journal.failuresDuring(what)} refused`,
    ),
    ...promises.map(({ promise, checked, broken }) => `${promise}: ${checked} checked, ${broken.length} broken`),
  ];
  process.stderr.write(`${lines.join('\n')}\n`);
}
