import { Jobs } from '#jobs';
import { anEngine, emptyDatabase, type EmptyDatabase, emptyQueue, queueEngines } from '../support/engines';
import { itembank, ServiceProcess, type Settings, temporaryFolders, WORKER } from '../support/processes';
import { serviceOfSuite, startService } from '../support/service';
import { until } from '../support/until';
import { type Counting, type Steps } from '../support/worker-that-counts';

const COUNTING_WORKER = 'test/support/worker-that-counts.ts';
const folder = temporaryFolders();

interface WireJob {
  reference: string;
  status: string;
  progress: { done: number; total: number | null };
  results: Steps | null;
}

describe('a worker that cannot start', () => {
  /** Starts a worker and returns its error message. */
  async function errorAtStart(settings: Settings): Promise<string> {
    const worker = new ServiceProcess({ settings, cwd: folder() }, WORKER);
    expect(await worker.ended).toBe(1);
    expect(worker.stdout).toBe('');
    expect(worker.stderr.trimEnd().split('\n')).toHaveLength(1);
    return worker.stderr;
  }
  const QUEUE_URL = 'redis://127.0.0.1:1';

  it('reports that it needs the queue of the API', async () => {
    const message = await errorAtStart({});
    expect(message).toMatch(/^itembank: A worker needs QUEUE_URL.*redis:\/\/HOST:PORT/);
    expect(await errorAtStart({ QUEUE_URL: 'amqp://x' })).toMatch(/^itembank: QUEUE_URL is not valid/);
  });

  it('reports that there is no database of an API', async () => {
    expect(await errorAtStart({ QUEUE_URL })).toMatch(/^itembank: There is no database \S+itembank\.sqlite\./);
  });

  it('reports an unreachable database server', async () => {
    const DATABASE_URL = 'mysql://me:tellnobody@127.0.0.1:1/none';
    expect(await errorAtStart({ QUEUE_URL, DATABASE_URL })).toMatch(/^itembank: SECRETS_KEY is required/);
    const message = await errorAtStart({
      QUEUE_URL,
      DATABASE_URL,
      SECRETS_KEY: 'ab'.repeat(32),
      START_WAIT_SECONDS: '0',
    });
    expect(message).toMatch(/^itembank: The database server 127\.0\.0\.1:1 cannot be reached/);
    expect(message).not.toContain('tellnobody');
  });

  it('reports a wrong setting', async () => {
    expect(await errorAtStart({ QUEUE_URL, JOB_CONCURRENCY: 'many' })).toMatch(
      /^itembank: JOB_CONCURRENCY is not valid/,
    );
  });
});

for (const queueEngine of queueEngines.filter((each) => each !== 'in process'))
  describe.each(anEngine(__filename))(`workers on %s and ${queueEngine}`, (engine) => {
    const api = serviceOfSuite(() => startService(engine, { QUEUE_URL: emptyQueue(queueEngine).url! }));
    let settings: Settings;
    const workers: ServiceProcess[] = [];
    beforeAll(async () => {
      settings = { ...api.settings, DATA_DIR: folder(), JOB_CONCURRENCY: '2' };
    });
    afterEach(async () => {
      await Promise.all(workers.splice(0).map((worker) => worker.end('SIGKILL')));
    });

    const startWorker = async (more: Settings = {}, main = COUNTING_WORKER) => {
      const worker = await ServiceProcess.working({ settings: { ...settings, ...more } }, main);
      workers.push(worker);
      return worker;
    };
    const start = (counting: Counting, type = 'count') => {
      return api.get(Jobs).start({ type, lane: 'short', input: JSON.stringify(counting) }, api.scope());
    };
    const read = async (reference: string): Promise<WireJob> =>
      ((await api.client.get('jobs', { references: [reference] })).data as WireJob[])[0]!;
    const waitForJob = (reference: string, matches: (job: WireJob) => boolean) =>
      until(async () => {
        const job = await read(reference);
        return matches(job) ? job : undefined;
      });
    const waitUntilCompleted = (reference: string) => waitForJob(reference, ({ status }) => status === 'completed');

    it('share the jobs that the API starts, and run each once', async () => {
      await Promise.all([startWorker(), startWorker()]);
      const participants = new Set<number>();
      while (participants.size < 2) {
        const started = await Promise.all(Array.from({ length: 10 }, () => start({ steps: 3, pauseMs: 30 })));
        for (const { progress, results } of await Promise.all(started.map(waitUntilCompleted))) {
          expect(progress).toEqual({ done: 3, total: 3 });
          expect(results).toEqual(new Array(3).fill(results![0]));
          participants.add(results![0]!);
        }
      }
      expect(await Promise.all(workers.map((worker) => worker.end('SIGTERM')))).toEqual([0, 0]);
      expect(workers.map(({ stderr }) => stderr)).toEqual(['', '']);
    });

    it('log the types of jobs that they run, and halt jobs of unknown types', async () => {
      const { stdout } = await startWorker({ JOB_CONCURRENCY: '3' });
      const line = stdout.split('\n').find((each) => each.includes('"jobs are taken"'))!;
      expect(JSON.parse(line)).toMatchObject({ concurrency: 3, types: expect.arrayContaining(['count']) });
      const reference = await start({ steps: 1, pauseMs: 0 }, 'nobody-knows');
      expect(await waitForJob(reference, ({ status }) => status === 'halted')).toMatchObject({
        error: { code: 20004, message: expect.stringContaining('nobody-knows') },
      });
    });

    it('finish short jobs at SIGTERM', async () => {
      const worker = await startWorker();
      const reference = await start({ steps: 1, pauseMs: 0, waitsForSignal: true });
      await until(async () => worker.stdout.includes(`begin ${reference}\n`));
      expect(await worker.end('SIGTERM')).toBe(0);
      expect(await read(reference)).toMatchObject({ status: 'completed', progress: { done: 1, total: 1 } });
    });

    it('hand back longer jobs at SIGTERM, and another worker continues them', async () => {
      const first = await startWorker();
      // More than the worker can finish before it has to end.
      const steps = 400;
      const reference = await start({ steps, pauseMs: 50 });
      await waitForJob(reference, ({ progress }) => progress.done >= 3);
      expect(await first.end('SIGTERM')).toBe(0);
      const left = await read(reference);
      expect(left).toMatchObject({ status: 'queued', progress: { total: steps } });
      expect(left.progress.done).toBeGreaterThanOrEqual(3);
      await startWorker({ HASTY: '1' });
      const { results } = await waitUntilCompleted(reference);
      const [before, after] = [results!.slice(0, left.progress.done), results!.slice(left.progress.done)];
      expect([results!.length, new Set(before).size, new Set(after).size]).toEqual([steps, 1, 1]);
      expect(after[0]).not.toBe(before[0]);
    });

    it('end at SIGTERM although a job does not', async () => {
      const worker = await startWorker();
      const reference = await start({ steps: 1, pauseMs: 3_600_000 });
      await waitForJob(reference, ({ status }) => status === 'running');
      expect(await worker.end('SIGTERM')).toBe(0);
      expect(await read(reference)).toMatchObject({ progress: { done: 0 } });
      await api.get(Jobs).cancel({ organisation: 1, id: reference });
    });

    it('run no more jobs at a time than configured', async () => {
      const worker = await startWorker({ JOB_CONCURRENCY: '1' });
      const started = await Promise.all(Array.from({ length: 4 }, () => start({ steps: 2, pauseMs: 20 })));
      await Promise.all(started.map(waitUntilCompleted));
      const lines = worker.stdout.match(/^(begin|end) \w{26}$/gm)!.map((line) => line.split(' '));
      expect(lines.map(([what]) => what)).toEqual(started.flatMap(() => ['begin', 'end']));
      expect(new Set(lines.map(([, reference]) => reference))).toEqual(new Set(started));
    });

    if (engine !== 'sqlite')
      it('migrate the database, whichever program starts first', async () => {
        const database: EmptyDatabase = await emptyDatabase(engine);
        try {
          const more = { DATABASE_URL: database.url };
          await Promise.all([startWorker(more, WORKER), startWorker(more, WORKER)]);
          const listed = await itembank(['jobs', 'list', '--json'], { settings: { ...settings, ...more } });
          expect([listed.code, listed.stdout, listed.stderr]).toEqual([0, '[]\n', '']);
          await Promise.all(workers.splice(0).map((worker) => worker.end('SIGTERM')));
        } finally {
          await database.drop();
        }
      });
  });
