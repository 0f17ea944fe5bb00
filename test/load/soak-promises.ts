import { setTimeout as sleep } from 'node:timers/promises';
import { inParts } from '#kernel';
import { type LoadInstallation } from './load-installation';
import { type SessionFollower } from './session-follower';
import { type Batch, type SoakWork } from './soak-work';

export interface Promised {
  promise: string;
  /** The number of checked records or jobs. */
  looked: number;
  /** The broken promises. */
  broken: string[];
}

const MAX_JOBS_MS = 240_000;

/** Compares the stored data with the acknowledged writes, when no work is in progress. */
export async function brokenPromises(
  { client, database }: LoadInstallation,
  { blocks, batches, jobs }: SoakWork,
  follower: SessionFollower,
): Promise<Promised[]> {
  const standing = async () => {
    const rows = await database.rows<{ status: string; jobs: number | string }>(
      'SELECT status, COUNT(*) AS jobs FROM job GROUP BY status',
    );
    return new Map(rows.map(({ status, jobs }) => [status, Number(jobs)]));
  };
  const numbered = async () =>
    (await database.row<{ waiting: number | string }>('SELECT COUNT(*) AS waiting FROM event WHERE number IS NULL'))!;
  let jobsNow = await standing();
  for (const until = Date.now() + MAX_JOBS_MS; Date.now() < until; jobsNow = await standing()) {
    if (!jobsNow.has('queued') && !jobsNow.has('running') && Number((await numbered()).waiting) === 0) break;
    await sleep(200);
  }

  const revisions = new Map<string, number>();
  const items = new Map<string, string>();
  for (const references of inParts(
    blocks.flatMap((block) => block.references),
    50,
  )) {
    for (const { reference } of await client.all('itembank/history', { kind: 'item', references }))
      revisions.set(reference, (revisions.get(reference) ?? 0) + 1);
    for (const { reference, title } of await client.all('itembank/items', { references })) items.set(reference, title);
  }
  const wrongItems = blocks.flatMap(({ references, edition }) =>
    references
      .filter((reference) => revisions.get(reference) !== edition || items.get(reference) !== String(edition))
      .map(
        (reference) =>
          `${reference}: ${edition} sets were acknowledged, it has ${revisions.get(reference)} revisions and is of edition ${items.get(reference)}`,
      ),
  );

  const { states, repeated } = await follower.all();
  const expected = new Map(batches.flatMap((batch) => batch.sessions.map(({ id }) => [id, batch] as const)));
  const wrongSessions = [...expected]
    .filter(([id, { status }]) => !states.get(id)?.startsWith(`${status} `))
    .map(([id, { status }]) => `${id} is ${states.get(id) ?? 'not there'}; ${status} was acknowledged`);
  for (const id of states.keys()) if (!expected.has(id)) wrongSessions.push(`${id} was never acknowledged`);
  for (const id of repeated) wrongSessions.push(`${id} is there more than once`);
  const unseen = [...states]
    .filter(([id, state]) => follower.seen.get(id) !== state)
    .map(([id, state]) => `${id} is ${state}, and was last seen as ${follower.seen.get(id)}`);

  const unended = [...jobsNow]
    .filter(([status]) => status !== 'completed')
    .map(([status, count]) => `${count} jobs are ${status}`);
  const events = await wrongEvents(database, expected);
  return [
    {
      promise: 'an acknowledged set has exactly one revision of each item',
      looked: blocks.reduce((sum, { edition }) => sum + edition, 0),
      broken: wrongItems,
    },
    { promise: 'an accepted session is there once, in its last status', looked: expected.size, broken: wrongSessions },
    { promise: 'who follows by token saw the last state of each session', looked: states.size, broken: unseen },
    { promise: 'every job is completed', looked: jobs.started, broken: unended },
    {
      promise: 'what changes a session is told once, and events are numbered without gaps',
      looked: events.looked,
      broken: events.broken,
    },
  ];
}

/** Each session sends events with its status and its scores when it is saved, and once for each review. */
async function wrongEvents(
  database: LoadInstallation['database'],
  expected: ReadonlyMap<string, Batch>,
): Promise<Pick<Promised, 'looked' | 'broken'>> {
  const rows = await database.rows<{ event_key: string; kind: string; told: number | string }>(
    'SELECT event_key, kind, COUNT(*) AS told FROM event WHERE organisation_id = 1 GROUP BY event_key, kind',
  );
  const told = new Map(rows.map((row) => [`${row.kind} ${row.event_key}`, Number(row.told)]));
  const broken = [...expected].flatMap(([id, { reviews }]) =>
    ['session-status', 'session-scores']
      .map((kind) => `${kind} ${id}`)
      .filter((event) => told.get(event) !== 1 + reviews)
      .map((event) => `${event}: told ${told.get(event) ?? 0} times after ${reviews} reviews`),
  );
  const { events, highest } = (await database.row<{ events: number | string; highest: number | string }>(
    'SELECT COUNT(*) AS events, COALESCE(MAX(number), 0) AS highest FROM event WHERE organisation_id = 1',
  ))!;
  if (Number(events) !== Number(highest)) broken.push(`${events} events have numbers up to ${highest}`);
  return { looked: Number(events), broken };
}
