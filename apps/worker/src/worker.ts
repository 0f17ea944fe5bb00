import { setTimeout as sleep } from 'node:timers/promises';
import { type INestApplicationContext } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { Consumers } from '#access';
import { SearchFilling } from '#content';
import { EventRelay } from '#events';
import { JobRunner } from '#jobs';
import { type Config, Database, LOGGER, type Logger, migrate, MonitoringServer } from '#platform';
import { refuseNoDatabase } from '#runtime';
import { Health } from '#runtime/modules';
import { WorkerModule } from './worker.module';

/** How long jobs and deliveries in progress may take once the worker stops. Other workers continue unfinished ones. */
const LAST_JOBS_MS = 2_000;

/** The maximum time until the worker ends, whatever a job does. Container engines kill it after 10 s. */
const MAX_STOP_MS = 9_500;

/** A worker that runs jobs and delivers events. */
interface Worker {
  /** Takes no new jobs, delivers no further events, and finishes or hands back those in progress. */
  close(): Promise<void>;
}

/** @throws Error that says what to configure when this installation can have no worker. */
export function refuseNoWorker(config: Config): void {
  if (config.queueUrl === undefined)
    throw new Error(
      'A worker needs QUEUE_URL, the queue that it shares with the API: set it to redis://HOST:PORT for both, or start the API alone, which then runs the jobs itself.',
    );
  refuseNoDatabase(config);
}

/**
 * Creates the worker of a configuration. It takes jobs once `work` is called.
 * @param operations the operations port.
 * @throws Error that says what to configure.
 */
export async function createWorker(config: Config, operations?: MonitoringServer): Promise<INestApplicationContext> {
  refuseNoWorker(config);
  return NestFactory.createApplicationContext(WorkerModule.with(config, operations), {
    logger: false,
    abortOnError: false,
  });
}

/** Migrates the database as the API does, then runs jobs and delivers events. */
export async function work(app: INestApplicationContext, config: Config): Promise<Worker> {
  const log = app.get<Logger>(LOGGER);
  await migrate(app.get(Database), () => log.info('waiting for another process that is migrating the database'));
  await app.get(Consumers, { strict: false }).checkSecretsKey();
  const runner = app.get(JobRunner, { strict: false });
  const relay = app.get(EventRelay, { strict: false });
  const filling = app.get(SearchFilling, { strict: false });
  runner.start({ concurrency: config.jobConcurrency });
  relay.start();
  filling.start();
  const health = app.get(Health, { strict: false });
  app.get(MonitoringServer).answer('/health/ready', () => health.readiness());
  const stop = async () => {
    await Promise.all([filling.stop(), ...[runner, relay].map((each) => each.stop({ graceMs: LAST_JOBS_MS }))]);
    await app.close();
    return true;
  };
  return {
    close: async () => {
      health.stop();
      const inTime = await Promise.race([stop(), sleep(MAX_STOP_MS, false)]);
      if (!inTime) log.warn('some jobs did not stop in time; other workers take them when their leases expire');
    },
  };
}
