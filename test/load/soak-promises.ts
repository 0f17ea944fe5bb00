import { setTimeout as sleep } from 'node:timers/promises';
import { type LoadInstallation } from './load-installation';
import { type SessionFollower } from './session-follower';
import { type ExpectedSession, type Promised } from './soak-bank';
import { type SoakWork } from './soak-work';

type Stored = LoadInstallation['database'];

const MAX_JOBS_MS = 240_000;

/** Compares the stored data with the acknowledged writes, when no work is in progress. */
export async function brokenPromises(
  { client, database }: LoadInstallation,
  work: SoakWork,
  follower: SessionFollower,
): Promise<Promised[]> {
  const unended = await unendedJobs(database);
  const expected = work.expectedSessions();
  return [
    await work.blocks.kept(client),
    await work.imports.kept(client),
    await work.learners.kept(client),
    ...(await sessionPromises(expected, follower)),
    { promise: 'every job is completed', looked: work.jobs.started, broken: unended },
    await eventPromise(database, expected),
  ];
}

/** Waits until every job has ended and every event has its number. Returns the jobs that did not complete. */
async function unendedJobs(database: Stored): Promise<string[]> {
  const standing = async () => {
    const rows = await database.rows<{ status: string; jobs: number | string }>(
      'SELECT status, COUNT(*) AS jobs FROM job GROUP BY status',
    );
    return new Map(rows.map(({ status, jobs }) => [status, Number(jobs)]));
  };
  const numbered = async () =>
    (await database.row<{ waiting: number | string }>('SELECT COUNT(*) AS waiting FROM event WHERE number IS NULL'))!;
  let jobs = await standing();
  for (const until = Date.now() + MAX_JOBS_MS; Date.now() < until; jobs = await standing()) {
    if (!jobs.has('queued') && !jobs.has('running') && Number((await numbered()).waiting) === 0) break;
    await sleep(200);
  }
  return [...jobs].filter(([status]) => status !== 'completed').map(([status, count]) => `${count} jobs are ${status}`);
}

async function sessionPromises(
  expected: ReadonlyMap<string, ExpectedSession>,
  follower: SessionFollower,
): Promise<Promised[]> {
  const { states, repeated } = await follower.all();
  const wrong = [...expected]
    .filter(([id, { status }]) => !states.get(id)?.startsWith(`${status} `))
    .map(([id, { status }]) => `${id} is ${states.get(id) ?? 'not there'}; ${status} was acknowledged`);
  for (const id of states.keys()) if (!expected.has(id)) wrong.push(`${id} was never acknowledged`);
  for (const id of repeated) wrong.push(`${id} is there more than once`);
  const unseen = [...states]
    .filter(([id, state]) => follower.seen.get(id) !== state)
    .map(([id, state]) => `${id} is ${state}, and was last seen as ${follower.seen.get(id)}`);
  return [
    { promise: 'an accepted session is there once, in its last status', looked: expected.size, broken: wrong },
    { promise: 'who follows by token saw the last state of each session', looked: states.size, broken: unseen },
  ];
}

/**
 * Each session sends events with its status and its scores when it is first saved, when it is completed, and for each
 * review.
 */
async function eventPromise(database: Stored, expected: ReadonlyMap<string, ExpectedSession>): Promise<Promised> {
  const rows = await database.rows<Record<string, number | string>>(
    `SELECT event_key,
       SUM(kind = 'session-status') AS statuses,
       SUM(kind = 'session-scores') AS scores,
       SUM(kind = 'session-lifecycle' AND payload LIKE '{"event":"session-started"%') AS starts,
       SUM(kind = 'session-lifecycle' AND payload LIKE '{"event":"session-completed"%') AS completions
     FROM event WHERE organisation_id = 1 GROUP BY event_key`,
  );
  const described = (...[statuses, scores, starts, completions]: (string | number)[]) =>
    `${statuses} statuses, ${scores} scores, ${starts} starts, ${completions} completions`;
  const told = new Map(
    rows.map((row) => [row.event_key, described(row.statuses!, row.scores!, row.starts!, row.completions!)]),
  );
  const broken = [...expected].flatMap(([id, { states, completions }]) => {
    const right = described(states, states, 1, completions);
    const found = told.get(id) ?? 'nothing';
    return found === right ? [] : [`the events of ${id} tell ${found}; ${right} are right`];
  });
  const { events, highest } = (await database.row<{ events: number | string; highest: number | string }>(
    'SELECT COUNT(*) AS events, COALESCE(MAX(number), 0) AS highest FROM event WHERE organisation_id = 1',
  ))!;
  if (Number(events) !== Number(highest)) broken.push(`${events} events have numbers up to ${highest}`);
  return {
    promise: 'each change of a session has one event, and the numbers of events have no gaps',
    looked: Number(events),
    broken,
  };
}
