import { Injectable } from '@nestjs/common';

/** How long a claim lasts without a heartbeat. */
export const LEASE_MS = 30_000;

/** How long a new job is assumed to be in the queue. The sweep ignores it until then. */
export const ENQUEUE_GRACE_MS = 10_000;

/** Intervals of the job runner. */
@Injectable()
export class RunnerIntervals {
  readonly leaseMs: number = LEASE_MS;
  readonly heartbeatMs: number = 10_000;
  /** How often the table is swept for jobs that are due. */
  readonly sweepMs: number = 2_000;
  /** How long a message is assumed to be in the queue. The same job is not pushed again before that time. */
  readonly reenqueueMs: number = 60_000;
}
