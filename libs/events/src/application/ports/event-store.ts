import { type Event, type NewEvent } from '../../domain/event';

/** An event as it is written: without a number. */
export type RecordedEvent = Omit<Event, 'number'>;

export interface EventQuery {
  organisations: readonly number[];
  ids?: readonly string[];
  key?: string;
  limit: number;
}

/** An event as lists show it: without its payload. `number` is null as long as it has none. */
export interface ListedEvent extends Omit<NewEvent, 'payload'> {
  organisation: number;
  id: string;
  number: number | null;
  recordedAt: number;
}

/** Events: an outbox whose rows are numbered once they are committed. */
export abstract class EventStore {
  /** The greatest id among the events of these keys; undefined for none. */
  abstract latest(organisation: number, keys: readonly string[]): Promise<string | undefined>;

  /** Writes events in the caller's unit of work. Touches no row that another unit of work writes. */
  abstract add(organisation: number, events: readonly RecordedEvent[]): Promise<void>;

  /**
   * Gives the oldest events without a number the next ones, in the order of their ids, at most `most`; returns how many.
   * Numbers begin at 1 and leave none out, whoever else numbers at the same time and whatever becomes of this process.
   */
  abstract number(organisation: number, most: number): Promise<number>;

  /** All organisations, whether or not they have events. */
  abstract organisations(): Promise<number[]>;

  /** Newest first. */
  abstract list(query: EventQuery): Promise<ListedEvent[]>;

  /**
   * Removes the oldest events, at most `most`, that were recorded before a time and that every sink has: of those whose
   * delivery is dead or still to come, none. Returns how many.
   */
  abstract removeDelivered(organisation: number, before: number, most: number): Promise<number>;
}
