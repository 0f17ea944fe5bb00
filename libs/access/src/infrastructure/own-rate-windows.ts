import { RateWindows } from '../application/ports/rate-windows';
import { SlidingWindow, type Taken } from '../domain/rate-limits';

/** Counts the calls of this process. */
export class OwnRateWindows extends RateWindows {
  private readonly windows = new SlidingWindow();

  override async take(key: string, limit: number, now: number): Promise<Taken> {
    return this.windows.take(key, limit, now);
  }

  override async close(): Promise<void> {
    // Holds no resources.
  }
}
