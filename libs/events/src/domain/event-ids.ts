import { monotonicFactory } from 'ulid';
import { timeOf } from '#kernel';

/**
 * Ids of events. They sort as events were recorded, within a process and, with the latest id that a unit of work can see,
 * beyond it: a clock that is behind that of another process changes nothing. So they may run ahead of the clock, for which
 * reason they are not made with those of everything else.
 */
export class EventIds {
  private readonly next = monotonicFactory();

  /** @param latest the id of an event that happened before; absent when there is none. */
  make(now: number, latest?: string): string {
    return this.next(latest === undefined ? now : Math.max(now, timeOf(latest) + 1));
  }
}
