import { type Taken } from '../../domain/rate-limits';

/** Counts calls within the last 5 s, in this process or across all processes that share a Redis server. */
export abstract class RateWindows {
  /**
   * Counts one call if it is allowed, as `SlidingWindow.take` does. Never rejects.
   * @param key anything with its own quota
   * @param limit calls per 5 s; may change from call to call
   * @param now milliseconds by this process's clock; clocks of several processes should agree to a second
   */
  abstract take(key: string, limit: number, now: number): Promise<Taken>;

  abstract close(): Promise<void>;
}
