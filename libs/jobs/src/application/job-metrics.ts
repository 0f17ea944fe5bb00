import { Injectable } from '@nestjs/common';
import { Clock } from '#kernel';
import { type Counter, type Histogram, Metrics } from '#platform';
import { LANES } from '../domain/job';
import { JobStore } from './ports/job-store';

/**
 * How an attempt ended. `halted`: for good. `retried`: another attempt follows after a pause. `handed_back`: the
 * process stops. `lost`: another worker took the job, so the writes of this attempt do not count.
 */
export type AttemptOutcome = 'completed' | 'halted' | 'retried' | 'handed_back' | 'lost';

/** In seconds. Short jobs take milliseconds, and long ones an hour. */
const BUCKETS = [0.01, 0.05, 0.25, 1, 5, 30, 120, 600, 3600];

/** Metrics of jobs: those that wait anywhere, and those that this process runs. */
@Injectable()
export class JobMetrics {
  private readonly attempts: Histogram;
  private readonly entries: Counter;
  private readonly running = new Map<string, number>();

  constructor(metrics: Metrics, store: JobStore, clock: Clock) {
    this.attempts = metrics.histogram({
      name: 'itembank_job_attempt_duration_seconds',
      help: 'Duration of attempts at jobs, by outcome.',
      labels: ['type', 'outcome'],
      buckets: BUCKETS,
    });
    this.entries = metrics.counter({
      name: 'itembank_job_entries_total',
      help: 'Entries that jobs have processed, as their progress counts them: sessions, records of pools, rows.',
      labels: ['type'],
    });
    metrics.gauges([{ name: 'itembank_jobs_running', help: 'Running jobs of this process.', labels: ['type'] }], () => [
      [...this.running].map(([type, value]) => ({ value, labels: [type] })),
    ]);
    metrics.sharedGauges(
      [
        { name: 'itembank_job_queue_depth', help: 'Waiting jobs of all processes.', labels: ['lane'] },
        {
          name: 'itembank_job_queue_oldest_seconds',
          help: 'Age of the oldest waiting job; 0 when none waits.',
          labels: ['lane'],
        },
      ],
      async () => {
        const now = clock.now();
        const queues = await store.queues();
        const ofEach = (value: (jobs: number, oldest: number) => number) =>
          LANES.map((lane) => {
            const { jobs, oldest } = queues.get(lane) ?? { jobs: 0, oldest: now };
            return { value: value(jobs, oldest), labels: [lane] };
          });
        return [ofEach((jobs) => jobs), ofEach((_, oldest) => Math.max(now - oldest, 0) / 1000)];
      },
    );
  }

  /** @param type a type that this process knows, otherwise `unknown`; this bounds the number of metric labels. */
  began(type: string): void {
    this.running.set(type, (this.running.get(type) ?? 0) + 1);
  }

  /** @param type as given to `began`. */
  ended(type: string, outcome: AttemptOutcome, milliseconds: number): void {
    this.running.set(type, this.running.get(type)! - 1);
    this.attempts.observe(milliseconds / 1000, type, outcome);
  }

  dealtWith(type: string, entries: number): void {
    if (entries > 0) this.entries.add(entries, type);
  }
}
