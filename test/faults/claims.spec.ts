import { setTimeout as sleep } from 'node:timers/promises';
import { type ServiceProcess } from '../support/processes';
import { Config } from '#platform';
import { BullmqQueue } from '../../libs/jobs/src/infrastructure/bullmq-queue';
import { until } from '../support/until';
import { faultsOn, Installation, temporaryFolders } from './installation';

const LEASE_MS = 1_500;

const folder = temporaryFolders();

faultsOn('last', 'two workers and one job', (engine) => {
  let installation: Installation;
  beforeAll(async () => {
    installation = await Installation.start(engine, folder(), { leaseMs: LEASE_MS });
  });
  afterAll(() => installation?.end());
  afterEach(async () => {
    for (const worker of installation.workers) await installation.kill(worker);
  });

  const said = ({ stdout }: ServiceProcess, what: string, id: string) => stdout.includes(`${what} ${id}\n`);
  const says = (worker: ServiceProcess, what: string, id: string) =>
    until(async () => (said(worker, what, id) ? true : undefined));

  it('are given its reference at once: one of them runs it', async () => {
    const workers = [await installation.worker(), await installation.worker()];
    const { queueUrl } = installation.api.service.app.get(Config, { strict: false });
    const queue = new BullmqQueue(queueUrl!, () => undefined);
    try {
      const ids: string[] = [];
      for (let round = 0; round < 10; round++) {
        const id = await installation.ask({ steps: 5, pauseMs: 10 });
        ids.push(id);
        // As messages of other claims they are no repetition to the queue.
        const messages = [1, 2, 3, 4, 5].map((token) => ({
          organisation: 1,
          id,
          lane: 'short' as const,
          token,
        }));
        await queue.push(messages.map((message) => ({ ...message, priority: 1 })));
      }
      const { standing, faults } = await installation.outcome();
      expect({ standing, faults }).toEqual({ standing: { completed: installation.asked.size }, faults: [] });
      for (const id of ids) expect(workers.filter((worker) => said(worker, 'begin', id))).toHaveLength(1);
    } finally {
      await queue.close();
    }
  });

  it.each(['between two batches', 'within a batch'])(
    'one of which is stopped %s for longer than its lease: its late writes are refused',
    async (where) => {
      const stopped = await installation.worker();
      const within = where === 'within a batch';
      const id = await installation.ask({ steps: 6, pauseMs: within ? 50 : 300, withinMs: within ? 400 : 0 });
      await says(stopped, 'within', id);
      if (!within) await sleep(100);
      stopped.send('SIGSTOP');
      const other = await installation.worker();
      await says(other, 'end', id);
      await installation.outcome();
      stopped.send('SIGCONT');
      await says(stopped, 'Superseded', id);
      await until(async () => (stopped.stdout.includes('job is in other hands') ? true : undefined));
      const { standing, faults } = await installation.outcome();
      expect({ standing, faults }).toEqual({ standing: { completed: installation.asked.size }, faults: [] });
      expect(said(stopped, 'end', id)).toBe(false);
    },
  );
});
