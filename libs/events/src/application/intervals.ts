import { Injectable } from '@nestjs/common';
import { type Retries } from '../domain/retries';

/** Intervals of the event relay. */
@Injectable()
export class RelayIntervals {
  /** How long a lease lasts without a heartbeat. */
  readonly leaseMs: number = 30_000;
  readonly heartbeatMs: number = 10_000;
  /** How often the relay polls the table for events that nobody announced. */
  readonly pollMs: number = 1_000;
  /** Absent: the configured retries. */
  readonly retries?: Retries;
}
