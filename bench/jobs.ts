import { randomBytes } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type JobsOptions as QueueOptions, Queue, Worker } from 'bullmq';
import { Redis } from 'ioredis';
import { pino } from 'pino';
import { newId, type Scope, SystemClock } from '#kernel';
import { type JobHandler, RunnerIntervals, JobRunner, Jobs } from '#jobs';
import { Config, Database, LocalFiles, migrate, NoMetrics, NoTracing } from '#platform';
import { SqlConsumerStore } from '../libs/access/src/infrastructure/sql-consumer-store';
import { JobEnqueuer } from '../libs/jobs/src/application/job-enqueuer';
import { JobFiles } from '../libs/jobs/src/application/job-files';
import { JobMetrics } from '../libs/jobs/src/application/job-metrics';
import { JobSweeper } from '../libs/jobs/src/application/job-sweeper';
import { BullmqQueue } from '../libs/jobs/src/infrastructure/bullmq-queue';
import { SqlJobFileStore } from '../libs/jobs/src/infrastructure/sql-job-file-store';
import { SqlJobStore } from '../libs/jobs/src/infrastructure/sql-job-store';
import { startServer } from '../test/support/servers/servers';
import { type Engine, note, openEmptyDatabase } from './databases';
import { markdownTable, median } from './measure';

export interface JobsOptions {
  engines: readonly Engine[];
  quick: boolean;
}

/** The number of jobs that are enqueued, and that run, at the same time. It is the same on both sides. */
const BATCH_SIZE = 100;

/** A way of enqueueing and running empty jobs. */
interface Side {
  start(): Promise<unknown>;
  /** Called for each job that has ended. */
  ended: () => void;
  close(): Promise<void>;
}

/** The sides that each round runs in turn. */
const SIDES = ['bare', 'alike', 'ours'] as const;
type Rates = Record<(typeof SIDES)[number], number[]>;

const BESIDE = {
  bare: 'with nothing but a number',
  alike: 'with the same ids and priorities',
} as const;

/** Compares empty jobs with bare loops of BullMQ on the same Redis server. */
export async function jobs({ engines, quick }: JobsOptions): Promise<void> {
  const { rounds, each } = quick ? { rounds: 3, each: 500 } : { rounds: 9, each: 3_000 };
  const rows: string[][] = [];
  const versions: string[] = [];
  const redis = await startServer('redis');
  try {
    for (const engine of engines) {
      const database = await openEmptyDatabase(engine);
      try {
        versions.push(`${engine} ${database.version}`);
        const sides = {
          bare: await bareLoop(redis.url),
          alike: await bareLoop(redis.url, likeOurs),
          ours: await itembankSide(database.url, redis.url),
        };
        const rates: Rates = { bare: [], alike: [], ours: [] };
        try {
          for (const side of Object.values(sides)) await run(side, each / 5);
          for (let round = 0; round < rounds; round++) {
            // Alternates the order, so that other load on the machine affects all equally.
            const first = round % SIDES.length;
            for (const name of [...SIDES.slice(first), ...SIDES.slice(0, first)])
              rates[name].push(await run(sides[name], each));
            note(`${engine}: ${SIDES.map((name) => `${name} ${rates[name].at(-1)!.toFixed(0)}/s`).join(', ')}`);
          }
        } finally {
          for (const side of Object.values(sides)) await side.close();
        }
        rows.push(...(['bare', 'alike'] as const).map((loop) => row(engine, loop, rates)));
      } finally {
        await database.close();
      }
    }
  } finally {
    await redis.stop();
  }
  console.log(`${BATCH_SIZE} at a time; ${versions.join(', ')}, Redis ${redis.version}; Node ${process.version}\n`);
  console.log(
    markdownTable(
      ['beside a loop of BullMQ', 'engine', 'the loop, per s', 'ours, per s', 'ratio', 'lowest', 'highest'],
      rows,
    ),
  );
}

function row(engine: Engine, loop: keyof typeof BESIDE, rates: Rates): string[] {
  const ratios = rates.ours.map((rate, round) => rate / rates[loop][round]!);
  return [
    BESIDE[loop],
    engine,
    ...[rates[loop], rates.ours].map((list) => median(list).toFixed(0)),
    ...[median(ratios), Math.min(...ratios), Math.max(...ratios)].map((ratio) => ratio.toFixed(2)),
  ];
}

/** Returns the jobs per second, from the start of the first enqueueing to the end of the last job. */
async function run(side: Side, jobs: number): Promise<number> {
  const began = performance.now();
  let ended = 0;
  const allEnded = new Promise<void>((done) => {
    side.ended = () => {
      if (++ended === jobs) done();
    };
  });
  let enqueued = 0;
  const enqueue = async () => {
    while (enqueued < jobs) {
      enqueued++;
      await side.start();
    }
  };
  await Promise.all(Array.from({ length: BATCH_SIZE }, enqueue));
  await allEnded;
  return (jobs * 1000) / (performance.now() - began);
}

/** Fixed ids and priorities, with which our queue avoids duplicates and is fair between organisations. */
const likeOurs = (number: number) => ({ jobId: `1-${newId(Date.now())}-0`, priority: 1 + (number % 1_000) });

async function bareLoop(url: string, options: (number: number) => QueueOptions = () => ({})): Promise<Side> {
  const connection = new Redis(url, { maxRetriesPerRequest: null });
  const prefix = randomBytes(4).toString('hex');
  const queue = new Queue('bare', { connection, prefix });
  const blocking = connection.duplicate();
  const worker = new Worker('bare', async () => null, { connection: blocking, prefix, concurrency: BATCH_SIZE });
  let number = 0;
  const side: Side = {
    start: () => {
      const own = options(++number);
      return queue.add('job', { organisation: 1, number }, { removeOnComplete: true, removeOnFail: true, ...own });
    },
    ended: () => undefined,
    close: async () => {
      await worker.close();
      await queue.close();
      for (const each of [connection, blocking]) each.disconnect();
    },
  };
  worker.on('completed', () => side.ended());
  return side;
}

async function itembankSide(databaseUrl: string, redisUrl: string): Promise<Side> {
  const database = await Database.open(databaseUrl, BATCH_SIZE);
  await migrate(database);
  await new SqlConsumerStore(database).addOrganisations([{ id: 1, name: 'Bench', settings: {} }], 0);
  const clock = new SystemClock();
  const log = pino({ level: 'info' }, { write: () => undefined });
  const store = new (class extends SqlJobStore {
    override async end(...end: Parameters<SqlJobStore['end']>): Promise<boolean> {
      const held = await super.end(...end);
      side.ended();
      return held;
    }
  })(database);
  const queue = new BullmqQueue(`${redisUrl}?prefix=${randomBytes(4).toString('hex')}`, (error) => note(String(error)));
  const enqueuer = new JobEnqueuer(store, queue, database, clock, log);
  // Nothing writes to these files, because the jobs have no results.
  const place = new LocalFiles(join(tmpdir(), 'itembank-bench'), () => 'http://files', Buffer.alloc(32), clock);
  const files = new JobFiles(place, new SqlJobFileStore(database), clock, log);
  const intervals = new RunnerIntervals();
  const config = Config.read({ JOB_RETENTION_DAYS: '30', SECRETS_KEY: '0'.repeat(64) });
  const sweep = new JobSweeper(store, queue, files, clock, config, log, intervals);
  const tracing = new NoTracing();
  const metrics = new JobMetrics(new NoMetrics(), store, clock);
  const runner = new JobRunner(store, queue, sweep, enqueuer, files, database, clock, log, metrics, tracing, intervals);
  const jobService = new Jobs(store, enqueuer, files, database, clock, tracing);
  const nothing: JobHandler = { type: 'nothing', run: async () => null };
  runner.register(nothing);
  runner.start({ concurrency: BATCH_SIZE });
  const scope = (): Scope => ({
    shelf: { organisation: 1 },
    operation: 'set bench',
    now: clock.now(),
    readable: new Set([1]),
  });
  let number = 0;
  const side: Side = {
    start: () =>
      jobService.start({ type: 'nothing', lane: 'short', input: JSON.stringify({ number: ++number }) }, scope()),
    ended: () => undefined,
    close: async () => {
      await enqueuer.idle();
      await runner.stop({ graceMs: 5_000 });
      await database.close();
    },
  };
  return side;
}
