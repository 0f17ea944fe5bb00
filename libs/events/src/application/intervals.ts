import { type Retries } from '../domain/retries';

/** Intervals of the event relay; tests shorten them. */
export interface RelayIntervals {
  /** How long a lease lasts without a heartbeat. */
  leaseMs: number;
  heartbeatMs: number;
  /** How often the table is polled for events that were not announced. */
  pollMs: number;
  /** Absent: the configured retries. */
  retries?: Retries;
}

export const RELAY_INTERVALS: RelayIntervals = { leaseMs: 30_000, heartbeatMs: 10_000, pollMs: 1_000 };
