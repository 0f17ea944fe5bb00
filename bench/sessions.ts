import 'reflect-metadata';
import { randomBytes } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { JobRunner } from '#jobs';
import { startServer } from '../test/support/servers/servers';
import { COMPARED, compareRequests, compareSides, type Sides } from './compared';
import { type Engine, note, openEmptyDatabase } from './databases';
import { type Environment, withApi, withFloor, withInstallation, withService } from './installation';
import { ask } from './load';
import { markdownTable, median } from './measure';
import { newConsumer, type Running, WITHOUT_LIMIT } from './processes';
import { type Caller, inTurn, prepare, type Prepared } from './requests';
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
  for (const engine of engines)
    await withInstallation(openEmptyDatabase(engine), async ({ version }, environment) => {
      versions.push(`${engine} ${version}`);
      work!.push(...(await measureSaving(engine, environment, size)));
      const queue = `${redis.url}?prefix=${randomBytes(4).toString('hex')}`;
      await measureReads(engine, { ...environment, QUEUE_URL: queue }, size, ratios!, pages!);
    });
  await redis.stop();
  console.log(`${size.sessions} sessions of 20 responses; ${versions.join(', ')}; Node ${process.version}\n`);
  console.log(markdownTable(['operation', ...COMPARED], ratios!));
  console.log(
    `\n${markdownTable(['sessions of one activity, 50 a page', 'engine', 'page 1, req/s', 'deep page, req/s', 'time, deep to first', 'goal'], pages!)}`,
  );
  console.log(`\n${markdownTable(['one worker, sessions of 20 responses', 'engine', 'sessions/s', 'goal'], work!)}`);
}

/** Fills the database, and measures how fast one worker saves submissions and rescores one of their items. */
const measureSaving = (engine: Engine, environment: Environment, size: Size): Promise<string[][]> =>
  withService(environment, async (app, database) => {
    await seedContent(app);
    const runner = app.get(JobRunner, { strict: false });
    const jobs = await submitSessions(app, size.base);
    const began = performance.now();
    runner.start({ concurrency: 4 });
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
  });

async function measureReads(
  engine: Engine,
  environment: Environment,
  size: Size,
  ratios: string[][],
  pages: string[][],
): Promise<void> {
  const caller = await newConsumer(environment, ...WITHOUT_LIMIT);
  await withFloor('session-floor.ts', environment, (floor) =>
    // Runs without a worker, to measure only the acceptance of submissions.
    withApi(environment, async (service) => {
      const sides = { floor, service };
      await check(sides, caller);
      for (const operation of operations(caller, size))
        ratios.push(await compareSides({ ...operation, ...size, engine, sides }));
      pages.push(await measureDeepPages(engine, service, caller, size));
    }),
  );
}

interface Operation {
  name: string;
  goal: string;
  next: () => Prepared;
}

function operations(caller: Caller, size: Size): Operation[] {
  const reads = (path: `sessions${string}`) =>
    inTurn(
      Array.from({ length: ACTIVITIES }, (_, index) =>
        prepare(caller, 'get', { activity_id: [activityId(index)] }, path),
      ),
    );
  let number = size.sessions;
  const submissions = () => {
    const data = Array.from({ length: 50 }, () => encodeSubmission(number++));
    return prepare(caller, 'set', { data }, 'sessions');
  };
  return [
    { name: 'responses of 50 sessions of an activity', goal: '0.70', next: reads('sessions/responses') },
    { name: 'scores of 50 sessions of an activity', goal: '0.70', next: reads('sessions/scores') },
    { name: 'statuses of 50 sessions of an activity', goal: '0.70', next: reads('sessions/statuses') },
    { name: '50 sessions submitted', goal: '0.60', next: inTurn(Array.from({ length: 300 }, submissions)) },
  ];
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

async function check(sides: Sides, caller: Caller): Promise<void> {
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

/** Measures the first and the last full page of an activity. Follows the tokens to reach the last one. */
async function measureDeepPages(engine: Engine, service: Running, caller: Caller, size: Size): Promise<string[]> {
  const filter = { activity_id: [activityId(7)] };
  const last = Math.floor(size.sessions / ACTIVITIES / 50) - 1;
  let next: string | undefined;
  for (let page = 1; page < last; page++)
    ({ next } = (await ask(service.port, prepare(caller, 'get', { ...filter, next }, 'sessions/statuses'))).meta);
  const pages = [next, undefined].map((token) => [
    prepare(caller, 'get', { ...filter, next: token }, 'sessions/statuses'),
  ]);
  const { perSecond, ratios } = await compareRequests(service.port, pages, size);
  const [deepest, first] = perSecond;
  return [`page ${last}`, engine, first!, deepest!, median(ratios).toFixed(2), '1.20'];
}
