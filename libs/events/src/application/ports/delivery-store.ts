import { type Attempt, type DueDelivery, type OpenDelivery } from '../../domain/delivery';
import { type Event, type EventKind } from '../../domain/event';
import { type SinkProgress, type SinkReference, type SinkType } from '../../domain/sink';

/** The lease of an organisation's events, which one process holds. */
export interface Lease {
  organisation: number;
  /** The fencing token: rises with every claim. */
  token: number;
}

/** Events after the position of a sink. */
export interface NextEvents {
  events: Event[];
  /** The number up to which the stream was read. */
  reached: number;
}

/** The outcome of a delivery batch. */
export interface BatchOutcome {
  sink: SinkReference;
  progress: SinkProgress;
  /** Deliveries that are now open, or whose state changed. */
  open: readonly OpenDelivery[];
  /** Deliveries that were open and are done. */
  done: readonly Pick<OpenDelivery, 'number' | 'key'>[];
  /** Whether the sink is reachable again. If it is, all deliveries that wait for a retry become due now. */
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

/** The backlog of all sinks of a kind. */
export interface SinkBacklog {
  type: SinkType;
  sinks: number;
  /** Sinks that were unreachable in the last batch. */
  failing: number;
  /** Sinks that an operator paused. */
  paused: number;
  /** The number of undelivered events, summed over the sinks. */
  behind: number;
  /** When the oldest of them was recorded; null when there are none. */
  oldest: number | null;
  waiting: number;
  dead: number;
}

export interface Backlog {
  /** The kinds of the existing sinks. */
  sinks: SinkBacklog[];
  /** Events that no relay has numbered yet. */
  unnumbered: { events: number; oldest: number | null };
}

export type ListedAttempt = SinkReference & Attempt;

/** Stores leases, open deliveries and the log of attempts. */
export abstract class DeliveryStore {
  /** Organisations with events to number or to deliver now, without those that a process other than `worker` has leased. */
  abstract organisationsWithWork(worker: string, now: number): Promise<number[]>;

  /** Leases the organisation, unless another process holds it. Only one of several concurrent calls succeeds. */
  abstract claim(organisation: number, worker: string, now: number, until: number): Promise<Lease | undefined>;

  /** Extends the lease; false when it is no longer held. */
  abstract extend(lease: Lease, until: number): Promise<boolean>;

  /** Releases the lease; no effect when it is no longer held. */
  abstract release(lease: Lease): Promise<void>;

  /**
   * Events of these kinds (null: of all) after a number, in order: at most `limit`, and at most `maxBytes` together, but at
   * least one if there is any. Each call reads a bounded part of the stream.
   */
  abstract next(
    organisation: number,
    kinds: readonly EventKind[] | null,
    after: number,
    limit: number,
    maxBytes: number,
  ): Promise<NextEvents>;

  /** How many deliveries to the sink wait, counted up to `limit`. */
  abstract waiting(sink: SinkReference, limit: number): Promise<number>;

  /** The given keys that have a waiting delivery to the sink. */
  abstract blocked(sink: SinkReference, keys: readonly string[]): Promise<Set<string>>;

  /** Due deliveries: for each key, the one with the lowest number. The limits are those of `next`. */
  abstract due(sink: SinkReference, now: number, limit: number, maxBytes: number): Promise<DueDelivery[]>;

  /**
   * Stores the outcome of a batch atomically. When the first delivery of a key is done or dead, the next one of the key
   * becomes due now. Returns false without any effect when the lease is no longer held. Has no effect for a removed
   * sink.
   */
  abstract storeOutcome(lease: Lease, outcome: BatchOutcome, now: number): Promise<boolean>;

  /** The log, newest first. `failed`: only failed attempts. */
  abstract attempts(query: DeliveryQuery & { failed?: boolean }): Promise<ListedAttempt[]>;

  /** Deliveries that are dead or wait, the latest change first. */
  abstract open(query: DeliveryQuery & { status: OpenDelivery['status'] }): Promise<ListedDelivery[]>;

  /** How many deliveries to each sink are dead, and how many wait, by the sink's id. */
  abstract counts(organisations: readonly number[]): Promise<Map<string, { dead: number; waiting: number }>>;

  /** The backlog of all organisations. */
  abstract backlog(): Promise<Backlog>;

  /** Makes dead deliveries wait again. They are due now, and have no failures. Returns how many. */
  abstract retryDead(sink: SinkReference, numbers: readonly number[], now: number): Promise<number>;

  /**
   * Makes deliveries of events to a sink due now, whether or not the sink already got them. Open deliveries stay as
   * they are.
   */
  abstract repeat(sink: SinkReference, events: readonly string[], now: number): Promise<number>;

  /** Removes dead deliveries and attempts from before a time, at most `limit` of each; returns the total. */
  abstract removeOld(organisation: number, before: number, limit: number): Promise<number>;
}
