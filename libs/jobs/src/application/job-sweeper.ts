import { setTimeout as sleep } from 'node:timers/promises';
import { Inject, Injectable } from '@nestjs/common';
import { Clock } from '#kernel';
import { Config, LOGGER, type Logger, OutageLog } from '#platform';
import { JobFiles } from './job-files';
import { RunnerIntervals } from './intervals';
import { JobQueue } from './ports/job-queue';
import { JobStore } from './ports/job-store';

const BATCH_SIZE = 500;
const REMOVAL_INTERVAL_MS = 60 * 60_000;
const DAY_MS = 24 * 60 * 60_000;

/** Sweeps the table: enqueues due jobs, and removes old ended jobs and files that no job shows. */
@Injectable()
export class JobSweeper {
  private readonly stopping = new AbortController();
  private sweeping: Promise<void> | undefined;
  private removedAt = -Infinity;

  constructor(
    private readonly store: JobStore,
    private readonly queue: JobQueue,
    private readonly files: JobFiles,
    private readonly clock: Clock,
    private readonly config: Config,
    @Inject(LOGGER) private readonly log: Logger,
    private readonly intervals: RunnerIntervals,
  ) {}

  start(): void {
    this.sweeping ??= this.sweep();
  }

  async stop(): Promise<void> {
    this.stopping.abort();
    await this.sweeping;
  }

  private async sweep(): Promise<void> {
    const { signal } = this.stopping;
    const outage = new OutageLog(this.log, 'the sweep of the jobs table failed');
    while (!signal.aborted) {
      try {
        await this.enqueueDue();
        await this.removeEnded();
        await this.files.sweep();
        outage.worked();
      } catch (error) {
        // The queue closes while a sweep ends.
        if (!signal.aborted) outage.failed(error);
      }
      // A random pause keeps processes from sweeping at the same time and pushing the same jobs.
      await sleep(this.intervals.sweepMs * (0.75 + Math.random() / 2), undefined, { signal }).catch(() => undefined);
    }
  }

  /**
   * Enqueues jobs whose message was lost, whose pause is over, or whose worker died. Priorities count from 1 in each
   * lane of an organisation, so that no organisation waits behind all jobs of another.
   */
  private async enqueueDue(): Promise<void> {
    const now = this.clock.now();
    const ranks = new Map<string, number>();
    let enqueued = 0;
    for (let full = true; full && !this.stopping.signal.aborted;) {
      const due = await this.store.due(now, BATCH_SIZE);
      await this.queue.push(
        due.map((job) => {
          const key = `${job.organisation} ${job.lane}`;
          const priority = (ranks.get(key) ?? 0) + 1;
          ranks.set(key, priority);
          return { ...job, priority };
        }),
      );
      await this.store.postpone(due, now, now + this.intervals.reenqueueMs);
      enqueued += due.length;
      full = due.length === BATCH_SIZE;
    }
    if (enqueued > 0) this.log.info({ jobs: enqueued }, 'due jobs were enqueued again');
  }

  private async removeEnded(): Promise<void> {
    const now = this.clock.now();
    if (now - this.removedAt < REMOVAL_INTERVAL_MS) return;
    let removed = 0;
    for (let full = true; full && !this.stopping.signal.aborted;) {
      const gone = await this.store.removeEnded(now - this.config.jobRetentionDays * DAY_MS, BATCH_SIZE);
      removed += gone;
      full = gone === BATCH_SIZE;
    }
    this.removedAt = now;
    if (removed > 0) this.log.info({ jobs: removed }, 'old jobs were removed');
  }
}
