import { type Attempt, type DueDelivery, type OpenDelivery } from '../../domain/delivery';
import { type Event, type EventKind } from '../../domain/event';
import { type SinkProgress, type SinkReference, type SinkType } from '../../domain/sink';

/** The right to deliver the events of an organisation, in the hands of one process. */
export interface Lease {
  organisation: number;
  /** The fencing token: rises with every claim. */
  token: number;
}

/** Events that follow on what a sink has reached. */
export interface NextEvents {
  events: Event[];
  /** Up to this number the stream was looked through. */
  reached: number;
}

/** What a round of deliveries leaves. */
export interface Settlement {
  sink: SinkReference;
  progress: SinkProgress;
  /** Deliveries that are open from now on, or in another way than before. */
  open: readonly OpenDelivery[];
  /** Deliveries that were open and are done. */
  done: readonly Pick<OpenDelivery, 'number' | 'key'>[];
  /** Whether the sink has come back: then all that waits for a later attempt is due now. */
  recovered: boolean;
  attempts: readonly Attempt[];
}

export interface DeliveryQuery {
  sinks: readonly SinkReference[];
  /** Ids of events. */
  events?: readonly string[];
  limit: number;
}

/** An open delivery as lists show it. */
export interface ListedDelivery extends SinkReference, OpenDelivery {
  kind: EventKind | null;
  changedAt: number;
}

/** What is still to be delivered to all sinks of a kind. */
export interface SinkBacklog {
  type: SinkType;
  sinks: number;
  /** Sinks that nobody answered at last. */
  failing: number;
  /** Events that lie ahead of the sinks, added up. */
  behind: number;
  /** When the first of them was recorded. Null: none does. */
  oldest: number | null;
  waiting: number;
  dead: number;
}

export interface Backlog {
  /** Kinds of which there is a sink. */
  sinks: SinkBacklog[];
  /** Events that no relay has numbered yet. */
  unnumbered: { events: number; oldest: number | null };
}

export type ListedAttempt = SinkReference & Attempt;

/** Who delivers, what is to be delivered, and how it went. */
export abstract class DeliveryStore {
  /**
   * Organisations that have events to number, or to deliver by now. Those that another process than `worker` has leased are
   * left out.
   */
  abstract wanting(worker: string, now: number): Promise<number[]>;

  /** Takes the organisation, unless somebody has it. Of several that try at once, one gets it. */
  abstract claim(organisation: number, worker: string, now: number, until: number): Promise<Lease | undefined>;

  /** Keeps the lease for longer; false when it is no longer held. */
  abstract extend(lease: Lease, until: number): Promise<boolean>;

  /** Lets others have the organisation; of no effect when the lease is no longer held. */
  abstract release(lease: Lease): Promise<void>;

  /**
   * Events of these kinds (null: of all) after a number, in order: at most `most`, and of no more than `mostBytes`
   * together, but at least one if there is any. Looks through a bounded part of the stream at a time.
   */
  abstract next(
    organisation: number,
    kinds: readonly EventKind[] | null,
    after: number,
    most: number,
    mostBytes: number,
  ): Promise<NextEvents>;

  /** How many deliveries to the sink wait, counted up to `most`. */
  abstract waiting(sink: SinkReference, most: number): Promise<number>;

  /** Those of the keys of which a delivery to the sink waits. */
  abstract blocked(sink: SinkReference, keys: readonly string[]): Promise<Set<string>>;

  /** Deliveries whose time has come, of each key the one with the lowest number; limited as `next`. */
  abstract due(sink: SinkReference, now: number, most: number, mostBytes: number): Promise<DueDelivery[]>;

  /**
   * Stores what came of a round, all of it or nothing. Where a key's first delivery is done or dead, the next one that
   * waits behind it is due now. False, without any effect, when the lease is no longer held; of no effect for a sink that
   * is gone.
   */
  abstract settle(lease: Lease, settlement: Settlement, now: number): Promise<boolean>;

  /** The log, newest first. `failed`: only attempts that failed. */
  abstract attempts(query: DeliveryQuery & { failed?: boolean }): Promise<ListedAttempt[]>;

  /** Deliveries that are dead, or wait; the latest changes first. */
  abstract open(query: DeliveryQuery & { status: OpenDelivery['status'] }): Promise<ListedDelivery[]>;

  /** How many deliveries to each of the sinks are dead, and how many wait. By id of the sink. */
  abstract counts(organisations: readonly number[]): Promise<Map<string, { dead: number; waiting: number }>>;

  /** What is still to be delivered, of all organisations. */
  abstract backlog(): Promise<Backlog>;

  /** Dead deliveries wait again, due now, as if they had never been tried. Returns how many. */
  abstract revive(sink: SinkReference, numbers: readonly number[], now: number): Promise<number>;

  /** Events are delivered to a sink once more, whether or not they were: due now. Those open already stay as they are. */
  abstract repeat(sink: SinkReference, events: readonly string[], now: number): Promise<number>;

  /** Forgets dead deliveries and attempts from before a time, at most `most` of each; returns how many in all. */
  abstract removeOld(organisation: number, before: number, most: number): Promise<number>;
}
