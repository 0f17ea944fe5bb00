import 'reflect-metadata';
import { readFileSync } from 'node:fs';
import { createConnection, type RowDataPacket } from 'mysql2/promise';
import { JobRunner } from '#jobs';
import { type Engine, openEmptyDatabase } from './databases';
import { startLearner, type Learner, prepareStart } from './delivery';
import { type Environment, withApi, withInstallation, withService } from './installation';
import { Client, load } from './load';
import { markdownTable } from './measure';
import { newConsumer, processorMilliseconds, residentMegabytes, type Running, WITHOUT_LIMIT } from './processes';
import { type Caller, inTurn, prepare, type Prepared, readByReference, sets } from './requests';
import { seed } from './seed';
import { activityId, ACTIVITIES, submitSessions, ITEMS, seedContent, untilDone } from './session-seed';

interface Size {
  items: number;
  sessions: number;
  seconds: number;
}

/**
 * Measures the needs of 100 requests a second: memory, connections, and processor time of the service and of the
 * database server. Other programs on the machine hardly change these.
 */
export async function sizing({ engines, quick }: { engines: readonly Engine[]; quick: boolean }): Promise<void> {
  const size: Size = quick
    ? { items: 2_000, sessions: 500, seconds: 2 }
    : { items: 5_000, sessions: 2_000, seconds: 20 };
  const rows: string[][] = [];
  for (const engine of engines)
    await withInstallation(openEmptyDatabase(engine), async ({ url }, settings) => {
      const environment = { ...settings, TRUSTED_PROXIES: 'loopback' };
      const server = await createConnection(url);
      const [[found]] = await server.query<RowDataPacket[]>('SELECT @@pid_file AS file');
      const serverPid = Number(readFileSync(String(found!.file), 'utf8'));
      const saving = await fill(environment, size, serverPid);
      const caller = await newConsumer(environment, ...WITHOUT_LIMIT);
      await withApi(environment, async (service) => {
        for (const [name, next] of await operations(service, caller, size)) {
          await load(service.port, next, 5);
          const before = [service.pid, serverPid].map(processorMilliseconds);
          const { answered } = await load(service.port, next, size.seconds);
          const spent = [service.pid, serverPid].map((pid, which) => processorMilliseconds(pid) - before[which]!);
          const [[{ Value: connections }]] = (await server.query<RowDataPacket[]>(
            "SHOW GLOBAL STATUS LIKE 'Threads_connected'",
          )) as unknown as [[{ Value: string }]];
          const memory = await residentMegabytes(service.pid);
          rows.push([
            name,
            engine,
            ...spent.map((each) => processors(each / answered)),
            memory.toFixed(0),
            // Does not count the connection of this program.
            String(Number(connections) - 1),
          ]);
        }
      });
      await server.end();
      rows.push(['one session saved by a worker', engine, ...saving.map(processors), '', '']);
    });
  const head = ['100 a second of', 'engine', 'processors of Node.js', 'of the database', 'API, MB', 'connections'];
  console.log(markdownTable(head, rows));
}

/** @param each processor time of each request, in milliseconds. */
const processors = (each: number): string => (each / 10).toFixed(2);

/** Fills a bank. Returns the processor time of a worker and of the server to save one session. */
const fill = (environment: Environment, { items, sessions }: Size, serverPid: number): Promise<number[]> =>
  withService(environment, async (app, database) => {
    await seed(database, items);
    await seedContent(app);
    const jobs = await submitSessions(app, sessions);
    const before = [process.pid, serverPid].map(processorMilliseconds);
    const runner = app.get(JobRunner, { strict: false });
    runner.start({ concurrency: 4 });
    await untilDone(app, jobs);
    const saving = [process.pid, serverPid].map(
      (pid, which) => (processorMilliseconds(pid) - before[which]!) / sessions,
    );
    await runner.stop({ graceMs: 1_000 });
    return saving;
  });

async function operations(
  service: Running,
  caller: Caller,
  { items, seconds }: Size,
): Promise<[string, () => Prepared][]> {
  const blocks = Math.min(items / 50, 400);
  const begins = Array.from({ length: 200 * (seconds + 5) }, () => prepareStart(caller, ITEMS));
  const client = await Client.open(service.port);
  const learners: Learner[] = [];
  while (learners.length < 100) learners.push(await startLearner(client, prepareStart(caller, ITEMS)));
  client.close();
  let next = 0;
  const scores = Array.from({ length: ACTIVITIES }, (_, index) =>
    prepare(caller, 'get', { activity_id: [activityId(index)] }, 'sessions/scores'),
  );
  return [
    ['starts of a test in a page', () => begins.pop() ?? prepareStart(caller, ITEMS)],
    ['saves of a page', () => learners[next++ % learners.length]!.save()],
    ['reads of 50 items', inTurn(readByReference(caller, items, 400))],
    ['reads of the scores of 50 sessions', inTurn(scores)],
    ['sets of 50 items', inTurn([1, 2, 3, 4].flatMap((edition) => sets(caller, items, blocks, edition)))],
  ];
}
