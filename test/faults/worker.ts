import 'reflect-metadata';
import { JobRunner, type RunnerIntervals } from '#jobs';
import { Config, Database, LOGGER, type Logger } from '#platform';
import { stopOnSignal } from '#runtime';
import { createWorker, work } from '../../apps/worker/src/worker';
import { StepsHandler } from './steps';

/** A worker that also runs the test's type of jobs, with a lease short enough to wait for. */
async function main(leaseMs: number): Promise<void> {
  const config = Config.read();
  const app = await createWorker(config);
  app.get(JobRunner, { strict: false }).register(new StepsHandler(app.get(Database)));
  const intervals: RunnerIntervals = { leaseMs, heartbeatMs: leaseMs / 4, sweepMs: 250, reenqueueMs: leaseMs };
  const worker = await work(app, config, intervals);
  stopOnSignal(app.get<Logger>(LOGGER), () => worker.close());
}

void main(Number(process.env.LEASE_MS));
