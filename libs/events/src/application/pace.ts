import { type Retries } from '../domain/retries';

/** How fast things go; tests have them go faster. */
export interface Pace {
  /** How long an organisation belongs to a process that gives no sign of life. */
  leaseMs: number;
  heartbeatMs: number;
  /** How often it is looked for events that nobody told of. */
  lookMs: number;
  /** Absent: as configured. */
  retries?: Retries;
}

export const PACE: Pace = { leaseMs: 30_000, heartbeatMs: 10_000, lookMs: 1_000 };
