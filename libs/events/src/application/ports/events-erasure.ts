import { type JsonText } from '#kernel';
import { type EventKind } from '../../domain/event';

/** An event with its payload. */
export interface ErasableEvent {
  id: string;
  kind: EventKind;
  key: string;
  payload: JsonText;
  /** Milliseconds since 1970. */
  recordedAt: number;
}

/** The numbers of erased events and deliveries. */
export interface ForgottenEvents {
  /** Removed events without a number. */
  removed: number;
  /** Numbered events that became events without content. */
  emptied: number;
  /** Removed deliveries of these events that waited or were dead. */
  deliveries: number;
}

/** Reads and erases the contents of stored events. */
export abstract class EventsErasure {
  /** Events of the keys, oldest first, after the one with the id `after`, at most `limit`. */
  abstract ofKeys(
    organisation: number,
    keys: readonly string[],
    limit: number,
    after?: string,
  ): Promise<ErasableEvent[]>;

  /**
   * Erases the contents and keys of the events of these keys. Numbered events keep their numbers, because receivers
   * count these. They become events of the kind `learner-erased` with the key `instead` and the payload `{}`. After the
   * commit, none of them is delivered, except events in progress. Call it inside a unit of work that locks the subjects
   * of the keys.
   */
  abstract forget(organisation: number, keys: readonly string[], instead: string): Promise<ForgottenEvents>;
}
