import { type Event, type NewEvent } from '../../domain/event';

/** A new event, without a number. */
export type RecordedEvent = Omit<Event, 'number'>;

export interface EventQuery {
  organisations: readonly number[];
  ids?: readonly string[];
  key?: string;
  limit: number;
}

/** A listed event, without its payload. `number` is null until the event is numbered. */
export interface ListedEvent extends Omit<NewEvent, 'payload'> {
  organisation: number;
  id: string;
  number: number | null;
  recordedAt: number;
}

/** Stores events: an outbox whose rows are numbered after their commit. */
export abstract class EventStore {
  /** The greatest id of the events with these keys; undefined without events. */
  abstract latest(organisation: number, keys: readonly string[]): Promise<string | undefined>;

  /** Writes events in the caller's unit of work. Touches no row that another unit of work writes. */
  abstract add(organisation: number, events: readonly RecordedEvent[]): Promise<void>;

  /**
   * Numbers the oldest unnumbered events in the order of their ids, at most `limit`; returns how many. Numbers begin at 1 and
   * have no gaps, even when several processes number at once or one crashes.
   */
  abstract number(organisation: number, limit: number): Promise<number>;

  /** All organisations, also those without events. */
  abstract organisations(): Promise<number[]>;

  /** Newest first. */
  abstract list(query: EventQuery): Promise<ListedEvent[]>;

  /**
   * Removes the oldest events, at most `limit`, that were recorded before a time and delivered to every sink. Events with a dead
   * or open delivery stay. Returns how many.
   */
  abstract removeDelivered(organisation: number, before: number, limit: number): Promise<number>;
}
