/** How fast things go; tests have them go faster. */
export interface Pace {
  /** How long a claim holds without a sign of life. */
  leaseMs: number;
  heartbeatMs: number;
  /** How often the table is looked through for jobs that nobody was told of. */
  sweepMs: number;
  /** For so long it is taken that a message is on its way: the same job is not pushed again before. */
  reenqueueMs: number;
}

export const PACE: Pace = { leaseMs: 30_000, heartbeatMs: 10_000, sweepMs: 2_000, reenqueueMs: 60_000 };

/** A new job is taken for told of for so long. */
export const FIRST_ANNOUNCEMENT_MS = 10_000;
