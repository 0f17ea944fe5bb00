import { Inject, Injectable } from '@nestjs/common';
import { Clock, UnitOfWork } from '#kernel';
import { LOGGER, type Logger } from '#platform';
import { type Lane } from '../domain/job';
import { FIRST_ANNOUNCEMENT_MS } from './pace';
import { JobQueue, type Message } from './ports/job-queue';
import { JobStore, type Place } from './ports/job-store';

/** So many waiting jobs of an organisation are counted; with more, all come equally late. */
const MAX_COUNTED_JOBS = 1_000;

/** For so long those that were announced since are added to a count, before it is made anew. */
const COUNT_TTL_MS = 500;
const MAX_CACHED_COUNTS = 1_000;

const MAX_BATCH_SIZE = 500;

type Enqueued = Omit<Message, 'priority'>;

/** Tells the queue of jobs that were just written. */
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
   * Returns at once; call when the job is committed. Between organisations, whoever has fewer jobs waiting comes first:
   * one with 10,000 does not hold up another's single one. A message that cannot be sent is no failure: the table is
   * looked through for such jobs.
   */
  enqueue(job: Enqueued): void {
    this.waiting.push(job);
    this.sending ??= this.send();
  }

  /** Inside the unit of work that ends a job or halts it: announces who comes next in its line. */
  async enqueueNext(place: Place): Promise<void> {
    const now = this.clock.now();
    const next = await this.store.nextOfSerialKey(place, now, now + FIRST_ANNOUNCEMENT_MS);
    if (next) this.work.afterCommit(() => this.enqueue({ ...next, turn: true }));
  }

  /** Resolves when all that was announced has been sent, or given up. */
  async idle(): Promise<void> {
    while (this.sending) await this.sending;
  }

  /** What comes while something is sent goes together. */
  private async send(): Promise<void> {
    try {
      while (this.waiting.length > 0) await this.push(this.waiting.splice(0, MAX_BATCH_SIZE));
    } finally {
      // Not a moment after the last look: what is announced in between would wait for the next that is.
      this.sending = undefined;
    }
  }

  private async push(jobs: readonly Enqueued[]): Promise<void> {
    try {
      const messages: Message[] = [];
      for (const job of jobs) messages.push({ ...job, priority: await this.rank(job.organisation, job.lane) });
      await this.queue.push(messages, { together: true });
    } catch (error) {
      this.log.warn({ err: error, jobs: jobs.length }, 'jobs wait for the queue to be reached');
    }
  }

  /** How many of its jobs an organisation has waiting in the lane, this one included. */
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
