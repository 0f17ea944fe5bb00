import { monotonicFactory } from 'ulid';
import { timeOf } from '#kernel';

/**
 * Makes ids that sort in the order in which events were recorded. `latest` extends the order to events of other
 * processes, even when the clock of this one is behind. So these ids may run ahead of the clock, and are used only for
 * events.
 */
export class EventIds {
  private readonly next = monotonicFactory();

  /** @param latest the id of an earlier event; absent when there is none. */
  make(now: number, latest?: string): string {
    return this.next(latest === undefined ? now : Math.max(now, timeOf(latest) + 1));
  }
}
