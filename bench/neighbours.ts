import { fork } from 'node:child_process';
import { once } from 'node:events';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { setPriority, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { type Pool, type RowDataPacket } from 'mysql2/promise';
import { startServer } from '../test/support/servers/servers';
import { type BenchDatabase, type Engine, note, openBenchDatabase } from './databases';
import { Client } from './load';
import { markdownTable, median, milliseconds } from './measure';
import { type Counts, type Order } from './neighbour';
import { NEIGHBOURS, type Neighbour } from './neighbour-loads';
import { output, start } from './processes';
import { type Caller, editionOf, prepare, type Prepared, references } from './requests';

/** Requests per second of the quiet consumer. */
const READS = 25;
const SETS = 5;
const ITEMS_PER_SET = 10;
const CONNECTIONS = 12;
/** Priority of this process while it measures. 0 is normal, and 10 is that of a calling neighbour. */
const MEASURING_PRIORITY = -10;
/** Priority of the worker, which shares processors with the API, as on the operator's page. */
const WORKER_PRIORITY = 10;
/** Each neighbour calls for this time before the measurement, so that threads and other lazy parts have started. */
const WARM_UP_MS = 5_000;
/** Pause after a neighbour has stopped and its jobs have ended. */
const REST_MS = 3_000;

export interface NeighboursOptions {
  engines: readonly Engine[];
  quick: boolean;
  /** Runs the neighbours with this text in their name. Empty text runs all. */
  only: string;
}

interface Size {
  only: string;
  items: number;
  rounds: number;
  seconds: number;
}

/**
 * Measures the effect of a noisy consumer on another: its p99 with and without the neighbour, in alternating phases.
 */
export async function neighbours({ engines, quick, only }: NeighboursOptions): Promise<void> {
  const size: Size = quick
    ? { only, items: 3_000, rounds: 2, seconds: 6 }
    : { only, items: 30_000, rounds: 3, seconds: 20 };
  const rows: string[][] = [];
  const versions: string[] = [];
  const redis = await startServer('redis');
  try {
    for (const engine of engines) {
      const database = await openBenchDatabase(engine, size.items);
      versions.push(`${engine} ${database.version}`);
      try {
        rows.push(...(await measureEngine(database, `${redis.url}?prefix=${randomBytes(4).toString('hex')}`, size)));
      } finally {
        await database.close();
      }
    }
  } finally {
    await redis.stop();
  }
  console.log(
    `One API, one worker; a quiet consumer reads 50 items ${READS} times and sets ${ITEMS_PER_SET} items ${SETS} times a second. ` +
      `${size.rounds} rounds of ${size.seconds} s each without and with its neighbour; ${versions.join(', ')}; Node ${process.version}\n`,
  );
  const head = ['neighbour', 'engine', 'request', 'alone: p50, p99, ms', 'beside it: p50, p99, ms', 'ratio of p99'];
  console.log(markdownTable([...head, 'lowest', 'highest', 'of the neighbour: answered, refused'], rows));
}

async function measureEngine({ engine, url, pool }: BenchDatabase, queue: string, size: Size): Promise<string[][]> {
  const folder = mkdtempSync(join(tmpdir(), 'itembank-bench-'));
  const secret = randomBytes(32).toString('hex');
  const environment = { DATABASE_URL: url, SECRETS_KEY: secret, DATA_DIR: folder, QUEUE_URL: queue };
  const service = await start(['dist/apps/api/src/main.js'], environment);
  const worker = startWorker(environment);
  const jobs = pool(1);
  const rest = async () => {
    while (await hasJobs(jobs)) await delay(100);
    await delay(REST_MS);
  };
  try {
    // Both consumers have the usual limits.
    const quiet = await consumer(environment);
    const noisy = await consumer(environment);
    const rows: string[][] = [];
    await phase(service.port, quiet, size);
    for (const neighbour of NEIGHBOURS.filter(({ name }) => name.includes(size.only))) {
      const rounds: { alone: Times; beside: Times }[] = [];
      const counts = { answered: 0, refused: 0 };
      const startNoisy = () =>
        startNeighbour({ name: neighbour.name, port: service.port, caller: noisy, items: size.items });
      const warm = await startNoisy();
      await delay(WARM_UP_MS);
      await warm();
      await rest();
      for (let round = 0; round < size.rounds; round++) {
        const alone = await phase(service.port, quiet, size);
        const stop = await startNoisy();
        const beside = await phase(service.port, quiet, size);
        const { answered, refused, skipped, fault } = await stop();
        if (fault) throw new Error(`${neighbour.name}: ${fault}`);
        counts.answered += answered;
        counts.refused += refused;
        rounds.push({ alone, beside });
        note(
          `${engine}: ${neighbour.name}: p99 ${KINDS.map((kind) => `${kind} ${p99(alone[kind]).toFixed(0)} to ${p99(beside[kind]).toFixed(0)} ms`).join(', ')}; requests of the neighbour: ${answered} answered, ${refused} refused, ${skipped} skipped`,
        );
        await rest();
      }
      rows.push(...KINDS.map((kind) => row(neighbour, engine, kind, rounds, counts)));
    }
    return rows;
  } finally {
    await Promise.all([service.stop(), worker.stop(), jobs.end()]);
    rmSync(folder, { recursive: true, force: true });
  }
}

async function hasJobs(pool: Pool): Promise<boolean> {
  const [rows] = await pool.query<RowDataPacket[]>(`SELECT 1 FROM job WHERE status IN ('queued', 'running') LIMIT 1`);
  return rows.length > 0;
}

function row(
  { name }: Neighbour,
  engine: string,
  kind: Kind,
  rounds: readonly { alone: Times; beside: Times }[],
  { answered, refused }: { answered: number; refused: number },
): string[] {
  const ratios = rounds.map(({ alone, beside }) => p99(beside[kind]) / p99(alone[kind]));
  const both = (side: 'alone' | 'beside') =>
    [p50, p99].map((of) => milliseconds(median(rounds.map((round) => of(round[side][kind]))))).join(', ');
  const figures = [median(ratios), Math.min(...ratios), Math.max(...ratios)].map((value) => value.toFixed(2));
  return [name, engine, kind, both('alone'), both('beside'), ...figures, `${answered}, ${refused}`];
}

/** Starts a neighbour and returns a function that ends it. */
async function startNeighbour(order: Order): Promise<() => Promise<Counts>> {
  const execArgv = ['-r', resolve(__dirname, '../test/support/ts.cjs')];
  const child = fork(resolve(__dirname, 'neighbour.ts'), { execArgv });
  child.send(order);
  await once(child, 'message');
  return async () => {
    const reported = once(child, 'message');
    child.send('stop');
    const [counts] = (await reported) as [Counts];
    return counts;
  };
}

const KINDS = ['read', 'set'] as const;
type Kind = (typeof KINDS)[number];
type Times = Record<Kind, number[]>;

async function phase(port: number, caller: Caller, size: Size): Promise<Times> {
  // Raises the priority of this process, if allowed (as root), because its own delays would count as those of the
  // service. Resets it afterwards, because started processes inherit the priority.
  const isFirst = trySetPriority(MEASURING_PRIORITY);
  try {
    return await measureRequests(port, caller, size);
  } finally {
    if (isFirst) trySetPriority(0);
  }
}

function trySetPriority(priority: number): boolean {
  try {
    setPriority(priority);
    return true;
  } catch {
    return false;
  }
}

/** Sends requests at fixed times, without waiting for earlier ones. Measures each from the time when it was due. */
async function measureRequests(port: number, caller: Caller, { items, seconds }: Size): Promise<Times> {
  const times: Times = { read: [], set: [] };
  const free = await Promise.all(Array.from({ length: CONNECTIONS }, () => Client.open(port)));
  const waiting: ((client: Client) => void)[] = [];
  const connection = () => {
    const client = free.pop();
    return client ? Promise.resolve(client) : new Promise<Client>((resolve) => waiting.push(resolve));
  };
  const giveBack = (client: Client) => {
    const next = waiting.shift();
    if (next) next(client);
    else free.push(client);
  };
  const send = async (kind: Kind, due: number, request: Prepared) => {
    const client = await connection();
    await client.send(request);
    times[kind].push(performance.now() - due);
    giveBack(client);
  };
  const began = performance.now();
  const stream = async (kind: Kind, perSecond: number, make: (number: number) => Prepared) => {
    const sent: Promise<void>[] = [];
    for (let number = 0; number < perSecond * seconds; number++) {
      const due = began + (number * 1000) / perSecond;
      const request = make(number);
      await delay(Math.max(0, due - performance.now()));
      sent.push(send(kind, due, request));
    }
    await Promise.all(sent);
  };
  const edition = Math.floor(Date.now() / 1000);
  await Promise.all([
    stream('read', READS, (number) => prepare(caller, 'get', { references: references(number, items) })),
    stream('set', SETS, (number) =>
      prepare(caller, 'set', {
        items: Array.from({ length: ITEMS_PER_SET }, (_, entry) =>
          editionOf((number * ITEMS_PER_SET + entry) % items, edition),
        ),
      }),
    ),
  ]);
  for (const client of free) client.close();
  return times;
}

const p50 = (times: readonly number[]) => quantile(times, 0.5);
const p99 = (times: readonly number[]) => quantile(times, 0.99);

function quantile(times: readonly number[], share: number): number {
  const sorted = [...times].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))]!;
}

async function consumer(environment: Record<string, string>): Promise<Caller> {
  const cli = ['dist/apps/cli/src/main.js', 'consumer', 'create', '--organisation', '1', '--json'];
  const { key, secret } = JSON.parse(await output(cli, environment)) as Caller;
  return { key, secret, domain: 'localhost' };
}

function startWorker(environment: Record<string, string>): { stop(): Promise<void> } {
  const child = fork(resolve(__dirname, '../dist/apps/worker/src/main.js'), {
    env: { PATH: process.env.PATH, NODE_ENV: 'production', PORT: '0', ...environment },
    execArgv: [],
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  setPriority(child.pid!, WORKER_PRIORITY);
  process.on('exit', () => child.kill('SIGKILL'));
  return {
    stop: async () => {
      const ended = once(child, 'exit');
      child.kill('SIGTERM');
      await ended;
    },
  };
}
