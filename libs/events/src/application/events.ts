import { Injectable } from '@nestjs/common';
import { UnitOfWork } from '#kernel';
import { MAX_KEY_LENGTH, type NewEvent } from '../domain/event';
import { EventIds } from '../domain/event-ids';
import { EventStore } from './ports/event-store';

/** Records events for external receivers. */
@Injectable()
export class Events {
  private readonly ids = new EventIds();
  private readonly listeners: (() => void)[] = [];

  constructor(
    private readonly store: EventStore,
    private readonly work: UnitOfWork,
  ) {}

  /**
   * Records events, in this order, in the caller's unit of work. Callers must lock the subject of a key, such as a
   * session. Then a later unit of work with events of the same key sees the writes of the earlier one.
   * @param events any number; keys of 1 to 255 characters.
   * @param now milliseconds since 1970.
   */
  async record(events: readonly NewEvent[], organisation: number, now: number): Promise<void> {
    if (events.length === 0) return;
    for (const { key } of events)
      if (key.length === 0 || key.length > MAX_KEY_LENGTH)
        throw new Error(`The key of an event has 1 to ${MAX_KEY_LENGTH} characters; this was ${JSON.stringify(key)}.`);
    const latest = await this.store.latest(organisation, [...new Set(events.map(({ key }) => key))]);
    await this.store.add(
      organisation,
      events.map((event) => ({ ...event, id: this.ids.make(now, latest), recordedAt: now })),
    );
    this.work.afterCommit(() => {
      for (const tell of this.listeners) tell();
    });
  }

  /** Calls `tell` after each commit of events in this process. */
  listen(tell: () => void): void {
    this.listeners.push(tell);
  }
}
