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

  const hasPrinted = ({ stdout }: ServiceProcess, what: string, id: string) => stdout.includes(`${what} ${id}\n`);
  const waitForLine = (worker: ServiceProcess, what: string, id: string) =>
    until(async () => (hasPrinted(worker, what, id) ? true : undefined));

  it('run it once when both get its reference at the same time', async () => {
    // No lease expires, so only the messages could make both run it.
    const LEASE_MS = '600000';
    const workers = [await installation.startWorker({ LEASE_MS }), await installation.startWorker({ LEASE_MS })];
    const { queueUrl } = installation.api.service.app.get(Config, { strict: false });
    const queue = new BullmqQueue(queueUrl!, () => undefined);
    try {
      const ids: string[] = [];
      for (let round = 0; round < 10; round++) {
        const id = await installation.startJob({ steps: 5, pauseMs: 10 });
        ids.push(id);
        // Different tokens keep the queue from treating the messages as duplicates.
        const messages = [1, 2, 3, 4, 5].map((token) => ({
          organisation: 1,
          id,
          lane: 'short' as const,
          token,
        }));
        await queue.push(messages.map((message) => ({ ...message, priority: 1 })));
      }
      const { jobsByStatus, faults } = await installation.waitForOutcome();
      expect({ jobsByStatus, faults }).toEqual({
        jobsByStatus: { completed: installation.startedJobs.size },
        faults: [],
      });
      for (const id of ids) expect(workers.filter((worker) => hasPrinted(worker, 'begin', id))).toHaveLength(1);
    } finally {
      await queue.close();
    }
  });

  it.each(['between two batches', 'within a batch'])(
    'refuse the late writes of a worker that is stopped %s for longer than its lease',
    async (STOPS) => {
      // It stops itself, because a worker that is stopped while it commits holds the locks of the job.
      const stopped = await installation.startWorker({ STOPS });
      const id = await installation.startJob({ steps: 6, pauseMs: 50 });
      await waitForLine(stopped, 'stops', id);
      const other = await installation.startWorker();
      await waitForLine(other, 'end', id);
      await installation.waitForOutcome();
      stopped.send('SIGCONT');
      await waitForLine(stopped, 'Superseded', id);
      await until(async () => (stopped.stdout.includes('job was lost to another worker') ? true : undefined));
      const { jobsByStatus, faults } = await installation.waitForOutcome();
      expect({ jobsByStatus, faults }).toEqual({
        jobsByStatus: { completed: installation.startedJobs.size },
        faults: [],
      });
      expect(hasPrinted(stopped, 'end', id)).toBe(false);
    },
  );
});
