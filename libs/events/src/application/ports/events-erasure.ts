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

/** How many events were erased. */
export interface ForgottenEvents {
  /** Events without a number, which were removed. */
  removed: number;
  /** Numbered events, which were replaced by events without content. */
  emptied: number;
  /** Their waiting or dead deliveries, which were removed. */
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
   * Erases the contents and keys of the events of these keys. Numbered events keep their numbers, as receivers count them: they
   * become events of the kind `learner-erased` with the key `instead` and the payload `{}`. After the commit none of them is
   * delivered, except those already being sent. Call inside a unit of work that locks what the keys name.
   */
  abstract forget(organisation: number, keys: readonly string[], instead: string): Promise<ForgottenEvents>;
}
