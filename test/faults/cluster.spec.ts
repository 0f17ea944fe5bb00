import { randomBytes, randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { createConnection, type RowDataPacket } from 'mysql2/promise';
import { SystemClock } from '#kernel';
import { Database, migrate } from '#platform';
import { Journal } from '../load/journal';
import { migrateAndCreateConsumer } from '../load/load-installation';
import { API, Program, WORKER } from '../load/program';
import { SessionFollower } from '../load/session-follower';
import { brokenPromises } from '../load/soak-promises';
import { SoakWork } from '../load/soak-work';
import { SteadyCaller } from '../load/steady-caller';
import { several } from '../support/builders';
import { Client } from '../support/client';
import { emptyQueue } from '../support/engines';
import { itembank } from '../support/processes';
import { type GaleraNode, startGalera } from '../support/servers/galera';
import { until } from '../support/until';
import { FULL, temporaryFolders } from './installation';

/** Rounds of faults. */
const ROUNDS = FULL ? 3 : 1;
/** The time with load between two faults. */
const QUIET_MS = FULL ? 10_000 : 3_000;
const ACTORS = 6;
/** All writers set the same items, through all nodes. */
const HOT = several(4, (index) => `hot-${index}`);
const HOT_WRITERS = 3;
/** The test goes on until this many sets of them are acknowledged, even on a slow machine. */
const MIN_HOT_SETS = 30;
/** A stopped server answers nothing, and a slow machine needs minutes until a node is back. */
const LIMITS = { maxAnswerMs: 300_000, maxOutageMs: 600_000 };
const MAX_RECOVERY_MS = 600_000;
const NAME = 'itembank_cluster';
const folder = temporaryFolders();

describe('three nodes of MariaDB Galera with an API each, two workers and Redis', () => {
  let cluster: Awaited<ReturnType<typeof startGalera>>;
  let nodes: GaleraNode[];
  const programs: Program[] = [];
  const databases: Database[] = [];
  const addressOf = (node: GaleraNode) => `${node.url}/${NAME}`;

  beforeAll(async () => {
    cluster = await startGalera();
    ({ nodes } = cluster);
    const connection = await createConnection(nodes[0]!.url);
    await connection.query(`CREATE DATABASE ${NAME}`);
    await connection.end();
    for (const node of nodes) databases.push(await Database.open(addressOf(node), 3));
  }, 1_200_000);
  afterAll(async () => {
    await Promise.all(programs.map((program) => program.end('SIGKILL')));
    for (const database of databases) await database.close();
    await cluster?.stop();
  });

  it('migrates once when a process migrates through each node at the same time', async () => {
    const ran = await Promise.all(databases.map((database) => migrate(database, undefined, PACE)));
    const migrated = ran.filter((names) => names.length > 0);
    expect(migrated).toHaveLength(1);
  }, 600_000);

  it('migrates although a killed process has left its lock', async () => {
    await databases[0]!.write(`UPDATE migration_lock SET holder = 'killed', beat = beat + 1 WHERE id = 1`);
    const waits: string[] = [];
    await expect(migrate(databases[1]!, () => void waits.push('waits'), PACE)).resolves.toEqual([]);
    expect(waits).toEqual(['waits']);
  });

  it(
    'loses nothing, does nothing twice and never answers 500 while nodes are killed, stopped, cut off and restored',
    async () => {
      const settings = {
        DATA_DIR: folder(),
        SECRETS_KEY: randomBytes(32).toString('hex'),
        HOST: '127.0.0.1',
        ITEM_UPDATE_LIMIT: '1000000',
        QUEUE_URL: emptyQueue('redis').url!,
      };
      const onNode = (node: GaleraNode) => ({ ...settings, DATABASE_URL: addressOf(node) });
      const { key, secret } = await migrateAndCreateConsumer(onNode(nodes[0]!));
      for (const node of nodes) programs.push(await Program.start({ ...API, built: false, settings: onNode(node) }));
      const clients = programs.map(({ url }) => new Client(url, key, secret, new SystemClock()));
      for (const node of nodes.slice(1))
        programs.push(
          await Program.start({
            ...WORKER,
            main: 'test/faults/worker',
            built: false,
            settings: { ...onNode(node), LEASE_MS: '4000' },
          }),
        );

      let requests = 0;
      // Each attempt goes to the next node, even if it repeats a request.
      const next = () => clients[requests++ % clients.length]!;
      const rotating: Pick<Client, 'fields' | 'send' | 'key' | 'secret' | 'baseUrl'> = {
        key,
        secret,
        fields: (...args) => clients[0]!.fields(...args),
        send: (...args) => next().send(...args),
        get baseUrl() {
          return next().baseUrl;
        },
      };
      const journal = new Journal();
      const caller = new SteadyCaller(rotating, journal, LIMITS);
      // With so many writers of one row, 503 is allowed at any time.
      const hotJournal = new Journal();
      const hotCaller = new SteadyCaller(rotating, hotJournal, LIMITS);
      const work = new SoakWork(caller, 24);
      const follower = new SessionFollower(caller);
      await work.seed();

      let over = false;
      const faults: string[] = [];
      const jobs: Promise<void>[] = [];
      const actor = async () => {
        while (!over) {
          const { job } = await work.begin(Date.now());
          if (job) jobs.push(job.catch((error: unknown) => void faults.push(String(error))));
          while (work.jobs.outstanding > 40) await sleep(20);
        }
      };
      const acknowledged = new Map(HOT.map((reference) => [reference, 0]));
      const hotWriter = async () => {
        while (!over) {
          const title = randomUUID();
          const meta = { user: { id: 'hot', firstname: 'Hot' }, idempotency_key: title };
          const items = HOT.map((reference) => ({
            reference,
            title,
            status: 'published',
            definition: { widgets: [{ reference: 'soak-question-0' }] },
            tags: { Hot: [title.slice(0, 2)] },
          }));
          await hotCaller.call('set hot items', 'set', 'itembank/items', { items, meta });
          for (const reference of HOT) acknowledged.set(reference, acknowledged.get(reference)! + 1);
          await sleep(20);
        }
      };
      const recordFaults = (loop: () => Promise<unknown>) =>
        loop().catch((error: unknown) => void faults.push(String(error)));
      const following = recordFaults(() => follower.follow());
      const load = Promise.all([
        ...several(ACTORS, () => recordFaults(actor)),
        ...several(HOT_WRITERS, () => recordFaults(hotWriter)),
      ]);

      const faultsOf: [string, (round: number) => Promise<void>][] = [
        ['kill -9 of a node', async (round) => endAndStart(nodes[round % 3]!, 'SIGKILL')],
        ['clean stop of a node', async (round) => endAndStart(nodes[(round + 1) % 3]!, 'SIGTERM')],
        ['two of three nodes cut off', async (round) => isolateNode(round % 3)],
      ];
      try {
        for (let round = 0; round < ROUNDS; round++)
          for (const [what, fault] of faultsOf) {
            await sleep(QUIET_MS);
            await journal.during(what, 5_000, false, async () => {
              await fault(round);
              await until(isAllReady, MAX_RECOVERY_MS);
            });
          }
        await sleep(QUIET_MS);
        await until(async () => faults.length > 0 || acknowledged.get(HOT[0]!)! >= MIN_HOT_SETS, MAX_RECOVERY_MS);
      } finally {
        over = true;
      }
      await load;
      await Promise.all(jobs);
      await follower.stop();
      await following;

      const promises = await brokenPromises({ client: clients[2]!, database: databases[0]! } as never, work, follower);
      const history: { reference: string }[] = await clients[1]!.all('itembank/history', {
        kind: 'item',
        references: HOT,
      });
      const revisions = new Map(HOT.map((hot) => [hot, history.filter(({ reference }) => reference === hot).length]));
      report([journal, hotJournal], promises, acknowledged);
      expect({ faults, unexpected: journal.unexpectedFailures() }).toEqual({ faults: [], unexpected: [] });
      expect(promises.filter(({ broken }) => broken.length > 0)).toEqual([]);
      expect(revisions).toEqual(acknowledged);

      await until(isAllReady, MAX_RECOVERY_MS);
      const { code, stdout } = await itembank(['verify'], { settings: onNode(nodes[1]!) });
      expect({ code, stdout: code === 0 ? '' : stdout }).toEqual({ code: 0, stdout: '' });
      await Promise.all(programs.splice(0).map((program) => program.end('SIGTERM')));
      const [first, ...others] = await Promise.all(nodes.map(checksums));
      for (const other of others) expect(other).toEqual(first);
    },
    FULL ? 7_200_000 : 3_600_000,
  );

  async function endAndStart(node: GaleraNode, signal: 'SIGKILL' | 'SIGTERM'): Promise<void> {
    await node.end(signal);
    await sleep(QUIET_MS);
    await node.start();
  }

  /** Stops the other two nodes for a while. The remaining node must refuse requests, and become ready by itself later. */
  async function isolateNode(place: number): Promise<void> {
    const others = nodes.filter((_, index) => index !== place);
    for (const other of others) other.send('SIGSTOP');
    try {
      await until(async () => !(await isReady(programs[place]!)), MAX_RECOVERY_MS);
    } finally {
      for (const other of others) other.send('SIGCONT');
    }
  }

  async function isAllReady(): Promise<boolean> {
    const synced = await Promise.all(nodes.map((node) => node.isSynced()));
    const ready = await Promise.all(programs.slice(0, nodes.length).map(isReady));
    return [...synced, ...ready].every(Boolean);
  }

  async function checksums(node: GaleraNode): Promise<[string, string][]> {
    const connection = await createConnection(addressOf(node));
    try {
      await connection.query('SET SESSION wsrep_sync_wait = 7');
      const [tables] = await connection.query<RowDataPacket[]>('SHOW TABLES');
      const names = tables.map((row) => String(Object.values(row)[0]));
      const [rows] = await connection.query<RowDataPacket[]>(`CHECKSUM TABLE ${names.join(', ')}`);
      return rows.map((row) => [String(row.Table), String(row.Checksum)]);
    } finally {
      await connection.end();
    }
  }
});

async function isReady({ url }: Program): Promise<boolean> {
  const { status, body } = await fetch(`${url}/health/ready`);
  await body?.cancel();
  if (status !== 200 && status !== 503) throw new Error(`/health/ready was answered with ${status}.`);
  return status === 200;
}

/** Processes take over a lock after ten seconds without a beat. Even a slow machine sends several beats in this time. */
const PACE = { beatMs: 200, lookMs: 100, looks: 100 };

function report(
  journals: readonly [Journal, Journal],
  promises: Awaited<ReturnType<typeof brokenPromises>>,
  acknowledged: ReadonlyMap<string, number>,
): void {
  const [journal] = journals;
  const lines = [
    ...journals
      .flatMap((each) => each.figures())
      .map(
        (f) =>
          `${f.kind}: ${f.answered} answered, ${f.failures} refused with 503 or cut, p50 ${f.p50} ms, p99 ${f.p99} ms`,
      ),
    ...journal.windows.map(
      ({ what, from, to }) =>
        `${what}: ${((to - from) / 1000 - 5).toFixed(1)} s, ${journal.failuresDuring(what)} refused in all outages of this kind`,
    ),
    ...promises.map(({ promise, checked, broken }) => `${promise}: ${checked} checked, ${broken.length} broken`),
    `hot items: ${acknowledged.get(HOT[0]!)} acknowledged sets`,
  ];
  process.stderr.write(`${lines.join('\n')}\n`);
}
