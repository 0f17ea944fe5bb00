import { RateWindows } from '../application/ports/rate-windows';
import { SlidingWindow, type Taken } from '../domain/rate-limits';

/** The calls that this process was sent. */
export class OwnRateWindows extends RateWindows {
  private readonly windows = new SlidingWindow();

  override async take(key: string, limit: number, now: number): Promise<Taken> {
    return this.windows.take(key, limit, now);
  }

  override async close(): Promise<void> {
    // Nothing is open.
  }
}
