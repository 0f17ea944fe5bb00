import { setTimeout as sleep } from 'node:timers/promises';
import { type Client } from '../support/client';
import { type ServiceProcess } from '../support/processes';
import { activity, item, question, several } from '../support/builders';
import { Random, faultsOn, FULL, Installation, temporaryFolders } from './installation';

const KILLS = FULL ? 200 : 12;
const WORKERS = 3;
/** Jobs that are started before each kill. */
const JOBS = 5;
/** Items of the activity that the jobs duplicate. */
const ITEMS = 30;
const PATH = 'itembank/activities/duplicate';

const folder = temporaryFolders();

faultsOn('first', `kill -9 of workers, ${KILLS} times over a run of mixed jobs`, (engine) => {
  let installation: Installation;
  let client: Client;
  beforeAll(async () => {
    installation = await Installation.start(engine, folder(), { leaseMs: 2_000 });
    ({ client } = installation.api);
  });
  afterAll(() => installation?.end());

  it(
    'loses no job, has each effect once, and has none of a superseded attempt',
    async () => {
      const random = new Random('kills');
      const questions = [question()];
      const tags = { Pooled: ['yes'] };
      const items = several(ITEMS, () => item([questions[0]!.reference], { status: 'published', tags }));
      const original = activity(items.map(({ reference }) => reference));
      expect((await client.set('itembank/questions', { questions })).status).toBe(200);
      expect((await client.set('itembank/items', { items })).status).toBe(200);
      expect((await client.set('itembank/activities', { activities: [original] })).status).toBe(200);

      const alive: ServiceProcess[] = await Promise.all(several(WORKERS, () => installation.startWorker()));
      const starting = new Set<Promise<unknown>>();
      const copies: string[] = [];
      const independent = new Set<string>();
      let fills = 0;
      for (let kill = 1; kill <= KILLS; kill++) {
        for (let job = 0; job < JOBS; job++) {
          const steps = {
            steps: random.number(5, 60),
            pauseMs: random.number(0, 30),
            withinMs: random.number(0, 4),
            failsOneIn: 150,
          };
          const lane = random.number(0, 2) ? 'short' : 'bulk';
          const serialKey = random.number(0, 4) ? undefined : `key ${random.number(0, 5)}`;
          const id = await installation.startJob(steps, { lane, serialKey });
          if (serialKey === undefined) independent.add(id);
        }
        if (kill % 4 === 0) {
          copies.push(`copy ${kill}`);
          const activities = [{ reference: original.reference, new_reference: copies.at(-1) }];
          expect((await client.set(PATH, { activities })).status).toBe(200);
        }
        if (kill % 4 === 2) {
          const content = { item_references: items.map(({ reference }) => reference) };
          const pool = { reference: 'pool', name: 'Pool', overwrite: true, content };
          expect((await client.set('itembank/pools', { pools: [pool] })).status).toBe(200);
          fills++;
        }
        await sleep(random.number(50, 400));
        // At least one worker is needed for progress.
        while (alive.length < 2) await Promise.race(starting);
        const [victim] = alive.splice(random.number(0, alive.length), 1);
        await installation.kill(victim!);
        const next = installation.startWorker().then((worker) => void alive.push(worker));
        starting.add(next);
        void next.finally(() => starting.delete(next));
      }
      await Promise.all(starting);
      const { jobsByStatus, faults } = await installation.waitForOutcome();
      expect({ jobsByStatus, faults }).toEqual({
        jobsByStatus: { completed: KILLS * JOBS + copies.length + fills },
        faults: [],
      });

      const found = await client.all('itembank/activities', { references: copies });
      expect(found.map(({ reference }: { reference: string }) => reference).sort()).toEqual([...copies].sort());
      const all = (await client.all('itembank/items', {})) as { reference: string }[];
      expect(all).toHaveLength(ITEMS * (1 + copies.length));
      const pooled = (await client.all('itembank/items', { item_pool_id: 'pool', sort: 'asc' })) as typeof items;
      expect(pooled.map(({ reference }) => reference)).toEqual(items.map(({ reference }) => reference));
      // Only another claim raises the token of an independent job. That of a serial job also rises when its turn comes.
      const rows = await installation.database.rows<{ id: string }>('SELECT id FROM job WHERE token > 1');
      const retried = rows.filter(({ id }) => independent.has(id)).length;
      // If too few kills hit a worker with a job, the test would prove nothing.
      expect(retried).toBeGreaterThan(KILLS / 2);
      process.stderr.write(`kills: ${KILLS}, jobs: ${jobsByStatus.completed}, claimed more than once: ${retried}\n`);
    },
    FULL ? 3_600_000 : 600_000,
  );
});
