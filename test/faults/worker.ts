import 'reflect-metadata';
import { JobRunner } from '#jobs';
import { Config, Database, LOGGER, type Logger } from '#platform';
import { StopSignals } from '#runtime';
import { work } from '../../apps/worker/src/worker';
import { JobStore } from '../../libs/jobs/src/application/ports/job-store';
import { workerWith } from '../support/applications';
import { StepsHandler } from './steps';

/** A worker that also runs jobs of the type `steps`. Its lease is so short that tests can wait for its expiry. */
async function main(leaseMs: number): Promise<void> {
  const config = Config.read();
  const intervals = { leaseMs, heartbeatMs: leaseMs / 4, sweepMs: 250, reenqueueMs: leaseMs };
  const app = await workerWith(config, { intervals });
  const { DIES_AT, STOPS, GATE } = process.env;
  const handler = new StepsHandler(app.get(Database), { stops: STOPS, gate: GATE });
  app.get(JobRunner, { strict: false }).register(handler);
  if (DIES_AT) dieAt(Number(DIES_AT), app.get(JobStore, { strict: false }));
  const worker = await work(app, config);
  new StopSignals().closing(app.get<Logger>(LOGGER), () => worker.close());
}

/** Kills this process before it commits its nth batch, however fast it works. */
function dieAt(batch: number, store: JobStore): void {
  const checkpoint = store.checkpoint.bind(store);
  let batches = 0;
  store.checkpoint = (...claim) => {
    if (++batches === batch) process.kill(process.pid, 'SIGKILL');
    return checkpoint(...claim);
  };
}

void main(Number(process.env.LEASE_MS));
