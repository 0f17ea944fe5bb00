import { setTimeout as sleep } from 'node:timers/promises';
import { type LoadInstallation } from './load-installation';
import { type SessionFollower } from './session-follower';
import { type ExpectedSession, type PromiseCheck } from './soak-bank';
import { type SoakWork } from './soak-work';

type Stored = LoadInstallation['database'];

const MAX_JOBS_MS = 240_000;

/** Compares the stored data with the acknowledged writes, when no work is in progress. */
export async function brokenPromises(
  { client, database }: LoadInstallation,
  work: SoakWork,
  follower: SessionFollower,
): Promise<PromiseCheck[]> {
  const uncompleted = await waitForJobs(database);
  const expected = work.expectedSessions();
  return [
    await work.blocks.check(client),
    await work.imports.check(client),
    await work.learners.check(client),
    ...(await sessionPromises(expected, follower)),
    { promise: 'every job is completed', checked: work.jobs.started, broken: uncompleted },
    await eventPromise(database, expected),
  ];
}

/** Waits until every job has ended and every event has its number. Returns the jobs that did not complete. */
async function waitForJobs(database: Stored): Promise<string[]> {
  const countByStatus = async () => {
    const rows = await database.rows<{ status: string; jobs: number | string }>(
      'SELECT status, COUNT(*) AS jobs FROM job GROUP BY status',
    );
    return new Map(rows.map(({ status, jobs }) => [status, Number(jobs)]));
  };
  const countUnnumbered = async () =>
    (await database.row<{ waiting: number | string }>('SELECT COUNT(*) AS waiting FROM event WHERE number IS NULL'))!;
  let jobs = await countByStatus();
  for (const until = Date.now() + MAX_JOBS_MS; Date.now() < until; jobs = await countByStatus()) {
    if (!jobs.has('queued') && !jobs.has('running') && Number((await countUnnumbered()).waiting) === 0) break;
    await sleep(200);
  }
  return [...jobs].filter(([status]) => status !== 'completed').map(([status, count]) => `${count} jobs are ${status}`);
}

async function sessionPromises(
  expected: ReadonlyMap<string, ExpectedSession>,
  follower: SessionFollower,
): Promise<PromiseCheck[]> {
  const { states, repeated } = await follower.all();
  const wrong = [...expected]
    .filter(([id, { status }]) => !states.get(id)?.startsWith(`${status} `))
    .map(([id, { status }]) => `${id} is ${states.get(id) ?? 'not there'}; ${status} was acknowledged`);
  for (const id of states.keys()) if (!expected.has(id)) wrong.push(`${id} was never acknowledged`);
  for (const id of repeated) wrong.push(`several pages returned ${id}`);
  const unseen = [...states]
    .filter(([id, state]) => follower.seen.get(id) !== state)
    .map(([id, state]) => `${id} is ${state}, and was last seen as ${follower.seen.get(id)}`);
  return [
    { promise: 'an accepted session is stored once, with its last status', checked: expected.size, broken: wrong },
    {
      promise: 'a client that follows by token saw the last state of each session',
      checked: states.size,
      broken: unseen,
    },
  ];
}

/**
 * Checks the events of each session. Its first save, its completion and each review send its status and its scores.
 */
async function eventPromise(database: Stored, expected: ReadonlyMap<string, ExpectedSession>): Promise<PromiseCheck> {
  const rows = await database.rows<Record<string, number | string>>(
    `SELECT event_key,
       SUM(kind = 'session-status') AS statuses,
       SUM(kind = 'session-scores') AS scores,
       SUM(kind = 'session-lifecycle' AND payload LIKE '{"event":"session-started"%') AS starts,
       SUM(kind = 'session-lifecycle' AND payload LIKE '{"event":"session-completed"%') AS completions
     FROM event WHERE organisation_id = 1 GROUP BY event_key`,
  );
  const describeEvents = (...[statuses, scores, starts, completions]: (string | number)[]) =>
    `${statuses} statuses, ${scores} scores, ${starts} starts, ${completions} completions`;
  const sent = new Map(
    rows.map((row) => [row.event_key, describeEvents(row.statuses!, row.scores!, row.starts!, row.completions!)]),
  );
  const broken = [...expected].flatMap(([id, { states, completions }]) => {
    const right = describeEvents(states, states, 1, completions);
    const found = sent.get(id) ?? 'nothing';
    return found === right ? [] : [`${id} has the events ${found}; ${right} are right`];
  });
  const { events, highest } = (await database.row<{ events: number | string; highest: number | string }>(
    'SELECT COUNT(*) AS events, COALESCE(MAX(number), 0) AS highest FROM event WHERE organisation_id = 1',
  ))!;
  if (Number(events) !== Number(highest)) broken.push(`${events} events have numbers up to ${highest}`);
  return {
    promise: 'each change of a session has one event, and the numbers of events have no gaps',
    checked: Number(events),
    broken,
  };
}
