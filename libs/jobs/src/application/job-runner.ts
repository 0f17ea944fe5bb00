import { randomUUID } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { Clock, UnitOfWork } from '#kernel';
import { LOGGER, type Logger, Tracing } from '#platform';
import { type JobReference, LANES } from '../domain/job';
import { Attempt } from './attempt';
import { JobEnqueuer } from './job-enqueuer';
import { JobFiles } from './job-files';
import { type JobHandler } from './job-handler';
import { JobMetrics } from './job-metrics';
import { RunnerIntervals } from './intervals';
import { JobQueue } from './ports/job-queue';
import { type Claim, JobStore } from './ports/job-store';
import { JobSweeper } from './job-sweeper';

interface RunnerOptions {
  /** Maximum number of concurrent jobs in each lane. */
  concurrency: number;
}

/** Runs the jobs that the queue delivers, each type by its handler. */
@Injectable()
export class JobRunner {
  private readonly handlers = new Map<string, JobHandler>();
  private readonly worker = randomUUID();
  private readonly attempts = new Set<Attempt>();
  private stopped: Promise<void> | undefined;
  private graceIsOver = false;

  constructor(
    private readonly store: JobStore,
    private readonly queue: JobQueue,
    private readonly sweep: JobSweeper,
    private readonly enqueuer: JobEnqueuer,
    private readonly files: JobFiles,
    private readonly work: UnitOfWork,
    private readonly clock: Clock,
    @Inject(LOGGER) private readonly log: Logger,
    private readonly metrics: JobMetrics,
    private readonly tracing: Tracing,
    private readonly intervals: RunnerIntervals,
  ) {}

  register(handler: JobHandler): void {
    if (this.handlers.has(handler.type)) throw new Error(`Jobs of the type ${handler.type} have two handlers.`);
    this.handlers.set(handler.type, handler);
  }

  /** The types of jobs that this process runs. */
  get types(): string[] {
    return [...this.handlers.keys()].sort();
  }

  /** Starts taking jobs, including those that were never announced to the queue. */
  start({ concurrency }: RunnerOptions): void {
    for (const lane of LANES) this.queue.consume(lane, concurrency, (job) => this.take(job));
    this.sweep.start();
    this.log.info({ worker: this.worker, concurrency, types: this.types }, 'jobs are taken');
  }

  /**
   * Takes no more jobs. Running jobs may end within `graceMs`. After that, the runner hands them back at the end of
   * their batch. Resolves at most two seconds after the grace period. A second call waits for the same stop.
   */
  stop({ graceMs }: { graceMs: number }): Promise<void> {
    this.stopped ??= this.end(graceMs);
    return this.stopped;
  }

  private async end(graceMs: number): Promise<void> {
    this.log.info({ worker: this.worker, jobs: this.attempts.size }, 'no more jobs are taken');
    const late = setTimeout(() => {
      this.graceIsOver = true;
      for (const attempt of this.attempts) attempt.stop();
    }, graceMs);
    try {
      await Promise.all([this.queue.close(), this.sweep.stop()]);
    } finally {
      clearTimeout(late);
    }
  }

  /** Runs one job if it can be claimed. Never rejects. */
  private async take(job: JobReference): Promise<void> {
    try {
      const now = this.clock.now();
      const leaseUntil = now + this.intervals.leaseMs;
      const claim = await this.store.claim(job, this.worker, now, leaseUntil);
      if (!claim) return;
      await this.attempt(claim, leaseUntil);
    } catch (error) {
      this.log.error(
        { err: error, job: job.id },
        'a job could not be claimed or ended; it is retried when its lease expires',
      );
    }
  }

  private async attempt(claim: Claim, leaseUntil: number): Promise<void> {
    const { store, work, enqueuer, files, clock, log, intervals, metrics } = this;
    const handler = this.handlers.get(claim.type);
    const origin = { kind: 'job', parent: claim.trace } as const;
    await this.tracing.trace(`job ${handler?.type ?? 'of an unknown type'}`, origin, async (span) => {
      const tools = { store, work, enqueuer, files, clock, log, intervals, metrics, span };
      const attempt = new Attempt(claim, leaseUntil, tools);
      this.attempts.add(attempt);
      if (this.graceIsOver) attempt.stop();
      await attempt.run(handler).finally(() => this.attempts.delete(attempt));
    });
  }
}
