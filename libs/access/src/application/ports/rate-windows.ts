import { type Taken } from '../../domain/rate-limits';

/** Counts calls within the last 5 s: in this process, or in all that share a Redis. */
export abstract class RateWindows {
  /**
   * Counts one call if it is allowed, as `SlidingWindow.take` says. Never rejects.
   * @param key whatever has a quota of its own
   * @param limit calls per 5 s; may change from call to call
   * @param now milliseconds by the clock of this process; those of several should agree to a second
   */
  abstract take(key: string, limit: number, now: number): Promise<Taken>;

  abstract close(): Promise<void>;
}
