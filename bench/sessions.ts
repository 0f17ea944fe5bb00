import 'reflect-metadata';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { type INestApplicationContext } from '@nestjs/common';
import { JobRunner } from '#jobs';
import { Config, Database, migrate } from '#platform';
import { startServer } from '../test/support/servers/servers';
import { createService } from '../apps/api/src/service';
import { type BenchDatabase, type Engine, note, openEmptyDatabase } from './databases';
import { ask, load } from './load';
import { markdownTable, median } from './measure';
import { newConsumer, processorMilliseconds, type Running, start, WITHOUT_LIMIT } from './processes';
import { type Caller, prepare, type Prepared } from './requests';
import { rescoringRates } from './session-rescoring';
import { activityId, ACTIVITIES, submitSessions, multiply, seedContent, submissionOf, untilDone } from './session-seed';

interface Size {
  /** Stored sessions. */
  sessions: number;
  /** The number of sessions that jobs save. The stored sessions are copies of these. */
  base: number;
  rounds: number;
  seconds: number;
}

const SIDES = ['floor', 'service'] as const;
type Path = `sessions${string}`;

/**
 * Compares sessions with a floor on the same rows: reads of 50, at the first page and deep in an activity; how fast
 * submissions are accepted, and how fast one worker saves them.
 */
export async function sessions({
  engines,
  quick,
  stored = 1_000_000,
}: {
  engines: readonly Engine[];
  quick: boolean;
  stored?: number;
}): Promise<void> {
  const size: Size = quick
    ? { sessions: 20_000, base: 1_000, rounds: 3, seconds: 1 }
    : { sessions: stored, base: 5_000, rounds: 7, seconds: 3 };
  const [ratios, pages, work]: string[][][] = [[], [], []];
  const versions: string[] = [];
  const redis = await startServer('redis');
  for (const engine of engines) {
    const database = await openEmptyDatabase(engine);
    const folder = mkdtempSync(join(tmpdir(), 'itembank-bench-'));
    const environment = { DATABASE_URL: database.url, SECRETS_KEY: randomBytes(32).toString('hex'), DATA_DIR: folder };
    try {
      versions.push(`${engine} ${database.version}`);
      work!.push(...(await measureSaving(engine, environment, size)));
      const queue = `${redis.url}?prefix=${randomBytes(4).toString('hex')}`;
      await measureReads(database, { ...environment, QUEUE_URL: queue }, size, ratios!, pages!);
    } finally {
      await database.close();
      rmSync(folder, { recursive: true, force: true });
    }
  }
  await redis.stop();
  console.log(`${size.sessions} sessions of 20 responses; ${versions.join(', ')}; Node ${process.version}\n`);
  const head = ['operation', 'engine', 'floor, req/s', 'service, req/s', 'ratio', 'lowest', 'highest', 'goal'];
  console.log(markdownTable([...head, 'Node, ms of processor: floor, service'], ratios!));
  console.log(
    `\n${markdownTable(['sessions of one activity, 50 a page', 'engine', 'page 1, req/s', 'deep page, req/s', 'time, deep to first', 'goal'], pages!)}`,
  );
  console.log(`\n${markdownTable(['one worker, sessions of 20 responses', 'engine', 'sessions/s', 'goal'], work!)}`);
}

/** Fills the database, and measures how fast one worker saves submissions and rescores one of their items. */
async function measureSaving(engine: Engine, environment: Record<string, string>, size: Size): Promise<string[][]> {
  const config = Config.read({ ...environment, LOG_LEVEL: 'silent', JOB_CONCURRENCY: '4' });
  const app: INestApplicationContext = await createService(config);
  try {
    const database = app.get(Database);
    await migrate(database);
    await app.init();
    await seedContent(app);
    const runner = app.get(JobRunner, { strict: false });
    const jobs = await submitSessions(app, size.base);
    const began = performance.now();
    runner.start({ concurrency: config.jobConcurrency });
    await untilDone(app, jobs);
    const perSecond = size.base / ((performance.now() - began) / 1000);
    note(`${engine}: ${perSecond.toFixed(0)} sessions saved a second`);
    const rates = await rescoringRates(app, size.base);
    await runner.stop({ graceMs: 1_000 });
    await multiply(database, size.base, size.sessions);
    const row = (what: string, rate: number, goal: number) => [what, engine, rate.toFixed(0), String(goal)];
    return [
      row('saved, 50 in a job', perSecond, 500),
      row('one item rescored directly', rates.direct, 1000),
      row('the same as a dry run', rates.dryRun, 1000),
      row('its plan applied', rates.applied, 1000),
      row('and reverted', rates.reverted, 1000),
    ];
  } finally {
    await app.close();
  }
}

async function measureReads(
  { engine, url }: Pick<BenchDatabase, 'engine' | 'url'>,
  environment: Record<string, string>,
  size: Size,
  ratios: string[][],
  pages: string[][],
): Promise<void> {
  const caller = await newConsumer(environment, ...WITHOUT_LIMIT);
  const floor = await start(['-r', './test/support/ts.cjs', 'bench/session-floor.ts'], { DATABASE_URL: url });
  // Runs without a worker, to measure only the acceptance of submissions.
  const service = await start(['dist/apps/api/src/main.js'], environment);
  try {
    const sides = { floor, service };
    await check(sides, caller);
    for (const { name, goal, next } of operations(caller, size))
      ratios.push(await compareSides(engine, sides, name, goal, next, size));
    pages.push(await measureDeepPages(engine, service, caller, size));
  } finally {
    await Promise.all([floor.stop(), service.stop()]);
  }
}

interface Operation {
  name: string;
  goal: string;
  next: () => Prepared;
}

function operations(caller: Caller, size: Size): Operation[] {
  const reads = (path: Path) => {
    const requests = Array.from({ length: ACTIVITIES }, (_, index) =>
      prepare(caller, 'get', { activity_id: [activityId(index)] }, path),
    );
    let next = 0;
    return () => requests[next++ % requests.length]!;
  };
  let number = size.sessions;
  const submissions = () => {
    const data = Array.from({ length: 50 }, () => encodeSubmission(number++));
    return prepare(caller, 'set', { data }, 'sessions');
  };
  return [
    { name: 'responses of 50 sessions of an activity', goal: '0.70', next: reads('sessions/responses') },
    { name: 'scores of 50 sessions of an activity', goal: '0.70', next: reads('sessions/scores') },
    { name: 'statuses of 50 sessions of an activity', goal: '0.70', next: reads('sessions/statuses') },
    { name: '50 sessions submitted', goal: '0.60', next: inAdvance(submissions, 300) },
  ];
}

/** Prepares expensive requests in advance, and returns each once. When all are used, it starts again with the first. */
function inAdvance(make: () => Prepared, count: number): () => Prepared {
  const made = Array.from({ length: count }, make);
  let next = 0;
  return () => made[next++ % count]!;
}

/** Encodes a session as a player does when the submission has failed, and the learner must keep the data. */
function encodeSubmission(number: number): string {
  const { sessionId, userId, activityId: activity, startedAt, completedAt, items, responses } = submissionOf(number);
  const iso = (time: number) => new Date(time).toISOString();
  const document = {
    session_id: sessionId,
    user_id: userId,
    activity_id: activity,
    status: 'Completed',
    dt_started: iso(startedAt),
    dt_completed: iso(completedAt!),
    items: items.map(({ reference, time, flagged }) => ({ reference, time, user_flagged: flagged })),
    responses: responses.map(({ responseId, item, question, response, revision }) => ({
      response_id: responseId,
      item_reference: item,
      question_reference: question,
      question_type: 'mcq',
      revision,
      attempted: true,
      ...response,
    })),
  };
  return Buffer.from(JSON.stringify(document)).toString('base64');
}

async function check(sides: Record<(typeof SIDES)[number], Running>, caller: Caller): Promise<void> {
  for (const path of ['sessions/statuses', 'sessions/responses', 'sessions/scores'] as const) {
    const request = prepare(caller, 'get', { activity_id: [activityId(3)] }, path);
    const [floor, service] = [await ask(sides.floor.port, request), await ask(sides.service.port, request)];
    if (floor.data.length !== 50 || service.data.length !== 50)
      throw new Error(`${path}: the floor has ${floor.data.length} sessions, the service ${service.data.length}.`);
    for (const [index, session] of (floor.data as Record<string, unknown>[]).entries())
      for (const [member, value] of Object.entries(session)) {
        const other = (service.data as Record<string, unknown>[])[index]![member];
        if (!isDeepStrictEqual(other, value))
          throw new Error(`${path}: ${member} is ${JSON.stringify(other)}, at the floor ${JSON.stringify(value)}.`);
      }
  }
}

async function compareSides(
  engine: Engine,
  sides: Record<(typeof SIDES)[number], Running>,
  name: string,
  goal: string,
  next: () => Prepared,
  { rounds, seconds }: Size,
): Promise<string[]> {
  const rates: Record<(typeof SIDES)[number], number[]> = { floor: [], service: [] };
  const processor: Record<(typeof SIDES)[number], number[]> = { floor: [], service: [] };
  for (const side of SIDES) await load(sides[side].port, next, seconds / 2);
  for (let round = 0; round < rounds; round++) {
    for (const side of round % 2 ? SIDES.toReversed() : SIDES) {
      const before = processorMilliseconds(sides[side].pid);
      const { perSecond, answered } = await load(sides[side].port, next, seconds);
      rates[side].push(perSecond);
      processor[side].push((processorMilliseconds(sides[side].pid) - before) / answered);
    }
    note(
      `${engine}: ${name}: floor ${rates.floor.at(-1)!.toFixed(0)}/s, service ${rates.service.at(-1)!.toFixed(0)}/s`,
    );
  }
  const each = rates.service.map((rate, round) => rate / rates.floor[round]!);
  return [
    name,
    engine,
    ...SIDES.map((side) => median(rates[side]).toFixed(0)),
    ...[median(each), Math.min(...each), Math.max(...each)].map((value) => value.toFixed(2)),
    goal,
    SIDES.map((side) => median(processor[side]).toFixed(1)).join(', '),
  ];
}

/** Measures the first and the last full page of an activity. Follows the tokens to reach the last one. */
async function measureDeepPages(engine: Engine, service: Running, caller: Caller, size: Size): Promise<string[]> {
  const filter = { activity_id: [activityId(7)] };
  const last = Math.floor(size.sessions / ACTIVITIES / 50) - 1;
  let next: string | undefined;
  for (let page = 1; page < last; page++)
    ({ next } = (await ask(service.port, prepare(caller, 'get', { ...filter, next }, 'sessions/statuses'))).meta);
  const requests = [undefined, next].map((token) =>
    prepare(caller, 'get', { ...filter, next: token }, 'sessions/statuses'),
  );
  const rates: number[][] = requests.map(() => []);
  for (let round = 0; round < size.rounds; round++)
    for (const [which, request] of requests.entries())
      rates[which]!.push((await load(service.port, () => request, size.seconds / 2)).perSecond);
  const ratio = median(rates[0]!.map((rate, round) => rate / rates[1]![round]!));
  const [first, deepest] = rates.map((list) => median(list).toFixed(0));
  return [`page ${last}`, engine, first!, deepest!, ratio.toFixed(2), '1.20'];
}
