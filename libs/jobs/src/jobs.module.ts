import { Module, type OnModuleDestroy, type OnModuleInit } from '@nestjs/common';
import { DiscoveryModule, DiscoveryService } from '@nestjs/core';
import { Config, LOGGER, type Logger } from '#platform';
import { JobEnqueuer } from './application/job-enqueuer';
import { JobFiles } from './application/job-files';
import { JobHandler } from './application/job-handler';
import { JobMetrics } from './application/job-metrics';
import { JobRunner } from './application/job-runner';
import { Jobs } from './application/jobs';
import { JobsErasure } from './application/jobs-erasure';
import { RunnerIntervals } from './application/intervals';
import { JobFileStore } from './application/ports/job-file-store';
import { JobQueue } from './application/ports/job-queue';
import { JobStore } from './application/ports/job-store';
import { JobTextStore } from './application/ports/job-text-store';
import { JobSweeper } from './application/job-sweeper';
import { type BullmqQueue } from './infrastructure/bullmq-queue';
import { InProcessQueue } from './infrastructure/in-process-queue';
import { JobChecks } from './infrastructure/job-checks';
import { SqlJobFileStore } from './infrastructure/sql-job-file-store';
import { SqlJobStore } from './infrastructure/sql-job-store';
import { SqlJobTextStore } from './infrastructure/sql-job-text-store';

function openQueue(config: Config, log: Logger): JobQueue {
  if (config.queueUrl === undefined) return new InProcessQueue();
  // eslint-disable-next-line @typescript-eslint/no-require-imports -- loads it only when needed, because it is slow to load
  const bullmq = require('./infrastructure/bullmq-queue') as { BullmqQueue: typeof BullmqQueue };
  return new bullmq.BullmqQueue(config.queueUrl, (error) => log.warn({ err: error }, 'the queue reports an error'));
}

@Module({
  imports: [DiscoveryModule],
  providers: [
    JobEnqueuer,
    JobChecks,
    JobFiles,
    JobMetrics,
    RunnerIntervals,
    JobRunner,
    Jobs,
    JobsErasure,
    JobSweeper,
    { provide: JobQueue, useFactory: openQueue, inject: [Config, LOGGER] },
    { provide: JobFileStore, useClass: SqlJobFileStore },
    { provide: JobStore, useClass: SqlJobStore },
    { provide: JobTextStore, useClass: SqlJobTextStore },
  ],
  exports: [JobRunner, Jobs, JobsErasure],
})
export class JobsModule implements OnModuleInit, OnModuleDestroy {
  constructor(
    private readonly enqueuer: JobEnqueuer,
    private readonly queue: JobQueue,
    private readonly runner: JobRunner,
    private readonly discovery: DiscoveryService,
  ) {}

  /** Registers the handlers of all contexts. */
  onModuleInit(): void {
    for (const { instance } of this.discovery.getProviders())
      if (instance instanceof JobHandler) this.runner.register(instance);
  }

  /** Sends pending messages, if the queue can be reached. */
  async onModuleDestroy(): Promise<void> {
    await this.enqueuer.idle();
    await this.queue.close();
  }
}
