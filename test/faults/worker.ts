import 'reflect-metadata';
import { JobRunner } from '#jobs';
import { Config, Database, LOGGER, type Logger } from '#platform';
import { StopSignals } from '#runtime';
import { work } from '../../apps/worker/src/worker';
import { workerWith } from '../support/applications';
import { StepsHandler } from './steps';

/** A worker that also runs jobs of the type `steps`. Its lease is so short that tests can wait for its expiry. */
async function main(leaseMs: number): Promise<void> {
  const config = Config.read();
  const intervals = { leaseMs, heartbeatMs: leaseMs / 4, sweepMs: 250, reenqueueMs: leaseMs };
  const app = await workerWith(config, { intervals });
  app.get(JobRunner, { strict: false }).register(new StepsHandler(app.get(Database)));
  const worker = await work(app, config);
  new StopSignals().closing(app.get<Logger>(LOGGER), () => worker.close());
}

void main(Number(process.env.LEASE_MS));
