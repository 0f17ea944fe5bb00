import { type JsonText } from '#kernel';
import { type EventKind } from '../../domain/event';

/** An event with what it says. */
export interface ErasableEvent {
  id: string;
  kind: EventKind;
  key: string;
  payload: JsonText;
  /** Milliseconds since 1970. */
  recordedAt: number;
}

/** How many events were forgotten. */
export interface ForgottenEvents {
  /** They had no number yet, and are gone. */
  removed: number;
  /** They had a number, which now stands for an event that says nothing. */
  emptied: number;
  /** Deliveries of them that waited or were dead, and are gone. */
  deliveries: number;
}

/** What events that are still kept say of somebody. */
export abstract class EventsErasure {
  /** Those of the keys, oldest first, behind the one with the id `after`, at most `limit`. */
  abstract ofKeys(
    organisation: number,
    keys: readonly string[],
    limit: number,
    after?: string,
  ): Promise<ErasableEvent[]>;

  /**
   * Forgets what the events of these keys say, and their keys. Those that have a number keep it, as receivers count them:
   * from now on they are of the kind `learner-erased` and of the key `instead`, and say `{}`. Nothing of them is delivered
   * any more once the unit of work is done, unless it was already on its way. Call it inside a unit of work in which what the
   * keys name is locked.
   */
  abstract forget(organisation: number, keys: readonly string[], instead: string): Promise<ForgottenEvents>;
}
