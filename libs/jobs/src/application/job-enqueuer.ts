import { Inject, Injectable } from '@nestjs/common';
import { Clock, UnitOfWork } from '#kernel';
import { LOGGER, type Logger } from '#platform';
import { type Lane } from '../domain/job';
import { ENQUEUE_GRACE_MS } from './intervals';
import { JobQueue, type Message } from './ports/job-queue';
import { JobStore, type SerialGroup } from './ports/job-store';

/**
 * The enqueuer counts the waiting jobs of an organisation up to this number. Beyond it, all its jobs get the same
 * priority.
 */
const MAX_COUNTED_JOBS = 1_000;

/** The enqueuer reuses a count for this time, and adds newly enqueued jobs to it. */
const COUNT_TTL_MS = 500;
const MAX_CACHED_COUNTS = 1_000;

const MAX_BATCH_SIZE = 500;

type Enqueued = Omit<Message, 'priority'>;

/** Enqueues newly written jobs. */
@Injectable()
export class JobEnqueuer {
  private waiting: Enqueued[] = [];
  private sending: Promise<void> | undefined;
  private readonly counts = new Map<string, { jobs: number; at: number }>();

  constructor(
    private readonly store: JobStore,
    private readonly queue: JobQueue,
    private readonly work: UnitOfWork,
    private readonly clock: Clock,
    @Inject(LOGGER) private readonly log: Logger,
  ) {}

  /**
   * Returns at once; call after the commit of the job. An organisation with fewer waiting jobs comes first, so that one with
   * 10,000 jobs does not delay the single job of another. A message that cannot be sent is no failure: the sweep of the table
   * finds the job.
   */
  enqueue(job: Enqueued): void {
    this.waiting.push(job);
    this.sending ??= this.send();
  }

  /** Enqueues the next job of a serial key. Call in the unit of work that ends or halts the previous one. */
  async enqueueNext(group: SerialGroup): Promise<void> {
    const now = this.clock.now();
    const next = await this.store.nextOfSerialKey(group, now, now + ENQUEUE_GRACE_MS);
    if (next) this.work.afterCommit(() => this.enqueue(next));
  }

  /** Resolves when every message has been sent or given up. */
  async idle(): Promise<void> {
    while (this.sending) await this.sending;
  }

  /** Sends jobs in batches: jobs that are enqueued while a batch is being sent go into the next one. */
  private async send(): Promise<void> {
    try {
      while (this.waiting.length > 0) await this.push(this.waiting.splice(0, MAX_BATCH_SIZE));
    } finally {
      // No other code may run between the last check and this line, because a job enqueued in between would wait for
      // the next batch.
      this.sending = undefined;
    }
  }

  private async push(jobs: readonly Enqueued[]): Promise<void> {
    try {
      const messages: Message[] = [];
      for (const job of jobs) messages.push({ ...job, priority: await this.rank(job.organisation, job.lane) });
      await this.queue.push(messages);
    } catch (error) {
      this.log.warn({ err: error, jobs: jobs.length }, 'jobs wait because the queue is unreachable');
    }
  }

  /** How many jobs of the organisation wait in the lane, this one included. */
  private async rank(organisation: number, lane: Lane): Promise<number> {
    const key = `${organisation} ${lane}`;
    const at = performance.now();
    let count = this.counts.get(key);
    if (count && at - count.at < COUNT_TTL_MS) count.jobs++;
    else {
      if (this.counts.size >= MAX_CACHED_COUNTS) this.counts.clear();
      count = { jobs: await this.store.waiting(organisation, lane, MAX_COUNTED_JOBS), at };
      this.counts.set(key, count);
    }
    return Math.min(Math.max(count.jobs, 1), MAX_COUNTED_JOBS);
  }
}
