import { Inject, Injectable } from '@nestjs/common';
import { LOGGER, type Logger } from '#platform';
import { JobQueue } from './ports/job-queue';
import { type Due, JobStore } from './ports/job-store';

/** So many waiting jobs of an organisation are counted; with more, all come equally late. */
const MOST_COUNTED = 1_000;

/** Tells the queue of jobs that were just written. */
@Injectable()
export class Dispatch {
  private readonly underWay = new Set<Promise<void>>();

  constructor(
    @Inject(JobStore) private readonly store: JobStore,
    @Inject(JobQueue) private readonly queue: JobQueue,
    @Inject(LOGGER) private readonly log: Logger,
  ) {}

  /**
   * Returns at once. Between organisations, whoever has fewer jobs waiting comes first: one with 10,000 does not hold up
   * another's single one. A message that cannot be sent is no failure: the table is looked through for such jobs.
   */
  announce({ organisation, id, lane }: Due): void {
    const sent = this.store
      .waiting(organisation, lane, MOST_COUNTED)
      .then((waiting) => this.queue.push([{ organisation, id, lane, priority: Math.max(waiting, 1) }]))
      .catch((error: unknown) => this.log.warn({ err: error, job: id }, 'a job waits for the queue to be reached'))
      .finally(() => this.underWay.delete(sent));
    this.underWay.add(sent);
  }

  /** Resolves when all that was announced has been sent, or given up. */
  async idle(): Promise<void> {
    await Promise.all(this.underWay);
  }
}
