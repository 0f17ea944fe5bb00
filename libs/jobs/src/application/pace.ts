/** Intervals of the job runner; tests shorten them. */
export interface Pace {
  /** How long a claim lasts without a heartbeat. */
  leaseMs: number;
  heartbeatMs: number;
  /** How often the table is swept for jobs that are due. */
  sweepMs: number;
  /** How long a message is assumed to be under way: the same job is not pushed again before. */
  reenqueueMs: number;
}

export const PACE: Pace = { leaseMs: 30_000, heartbeatMs: 10_000, sweepMs: 2_000, reenqueueMs: 60_000 };

/** How long a new job is assumed to be announced: the sweep leaves it alone until then. */
export const FIRST_ANNOUNCEMENT_MS = 10_000;
