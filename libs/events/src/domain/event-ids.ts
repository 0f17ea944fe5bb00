import { monotonicFactory } from 'ulid';
import { timeOf } from '#kernel';

/**
 * Makes ids that sort in the order in which events were recorded. `latest` extends the order beyond this process, even when its
 * clock is behind. Ids may therefore run ahead of the clock, so other ids are not made here.
 */
export class EventIds {
  private readonly next = monotonicFactory();

  /** @param latest the id of an earlier event; absent when there is none. */
  make(now: number, latest?: string): string {
    return this.next(latest === undefined ? now : Math.max(now, timeOf(latest) + 1));
  }
}
