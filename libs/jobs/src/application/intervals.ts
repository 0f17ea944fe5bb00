/** Intervals of the job runner; tests shorten them. */
export interface RunnerIntervals {
  /** How long a claim lasts without a heartbeat. */
  leaseMs: number;
  heartbeatMs: number;
  /** How often the table is swept for jobs that are due. */
  sweepMs: number;
  /** How long a message is assumed to be under way: the same job is not pushed again before. */
  reenqueueMs: number;
}

export const RUNNER_INTERVALS: RunnerIntervals = {
  leaseMs: 30_000,
  heartbeatMs: 10_000,
  sweepMs: 2_000,
  reenqueueMs: 60_000,
};

/** How long a new job is assumed to be in the queue: the sweep leaves it alone until then. */
export const ENQUEUE_GRACE_MS = 10_000;
