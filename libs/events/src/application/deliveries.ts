import { Injectable } from '@nestjs/common';
import { Clock, isId, UnitOfWork } from '#kernel';
import { type SinkReference } from '../domain/sink';
import { type Backlog, DeliveryStore, type ListedAttempt, type ListedDelivery } from './ports/delivery-store';
import { EventStore, type ListedEvent } from './ports/event-store';
import { SinkStore, type StoredSink } from './ports/sink-store';

/** A filter of lists. Absent members match everything. */
interface DeliveryFilter {
  /** Name of the sink. */
  sink?: string;
  /** Id of the event. */
  event?: string;
  limit: number;
}

/** The progress of a sink. */
export interface SinkState extends Omit<StoredSink, 'sealedSecret'> {
  waiting: number;
  dead: number;
}

/** An entry of a list, with the name of its sink. */
export type OfSink<T> = T & { sink: string };

/** Maximum number of deliveries that one statement revives. */
const BATCH_SIZE = 500;

/** Lists events and deliveries for operators, and delivers events again. */
@Injectable()
export class Deliveries {
  constructor(
    private readonly events: EventStore,
    private readonly sinks: SinkStore,
    private readonly store: DeliveryStore,
    private readonly work: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  /** The backlog of all organisations. */
  async backlog(): Promise<Backlog> {
    return this.store.backlog();
  }

  /** Newest first. */
  async listEvents(organisations: readonly number[], filter: { key?: string; limit: number }): Promise<ListedEvent[]> {
    return this.events.list({ organisations, ...filter });
  }

  /** The ids that belong to events. */
  async known(organisations: readonly number[], ids: readonly string[]): Promise<string[]> {
    const asked = ids.filter(isId);
    return (await this.events.list({ organisations, ids: asked, limit: asked.length })).map(({ id }) => id);
  }

  async states(organisations: readonly number[]): Promise<SinkState[]> {
    const counts = await this.store.counts(organisations);
    const sinks = await this.sinks.list(organisations);
    return sinks.map(({ sealedSecret: _, ...sink }) => ({
      ...sink,
      ...(counts.get(sink.id) ?? { waiting: 0, dead: 0 }),
    }));
  }

  /** The log of attempts, newest first. */
  async attempts(
    organisations: readonly number[],
    filter: DeliveryFilter & { failed?: boolean },
  ): Promise<OfSink<ListedAttempt>[]> {
    return this.listed(organisations, filter, (query) => this.store.attempts({ ...query, failed: filter.failed }));
  }

  /** Dead deliveries, latest first. */
  async dead(organisations: readonly number[], filter: DeliveryFilter): Promise<OfSink<ListedDelivery>[]> {
    return this.listed(organisations, filter, (query) => this.store.open({ ...query, status: 'dead' }));
  }

  /**
   * Delivers events again, to every sink of their organisation or to those with the name. It retries dead deliveries,
   * and sends delivered events again. Returns the number of deliveries, without those that are already open.
   */
  async redeliver(
    organisations: readonly number[],
    { sink, events }: { sink?: string; events: readonly string[] },
  ): Promise<number> {
    const ids = events.filter(isId);
    const known = await this.events.list({ organisations, ids, limit: ids.length });
    return this.work.run(async () => {
      let begun = 0;
      for (const each of await this.named(organisations, sink)) {
        const theirs = known.filter(
          ({ organisation, kind }) => organisation === each.organisation && (each.sink.kinds?.includes(kind) ?? true),
        );
        begun += await this.store.repeat(
          each,
          theirs.map(({ id }) => id),
          this.clock.now(),
        );
      }
      return begun;
    });
  }

  /** Retries all dead deliveries, of all sinks or of those with the name; returns how many. */
  async redeliverDead(organisations: readonly number[], { sink }: { sink?: string }): Promise<number> {
    let begun = 0;
    for (const { organisation, id } of await this.named(organisations, sink))
      for (let more = BATCH_SIZE; more === BATCH_SIZE; begun += more) {
        const dead = await this.store.open({ sinks: [{ organisation, id }], status: 'dead', limit: BATCH_SIZE });
        more = await this.store.retryDead(
          { organisation, id },
          dead.map(({ number }) => number),
          this.clock.now(),
        );
      }
    return begun;
  }

  private async named(organisations: readonly number[], name: string | undefined): Promise<StoredSink[]> {
    const sinks = await this.sinks.list(organisations);
    return sinks.filter(({ sink }) => name === undefined || sink.name === name);
  }

  private async listed<T extends { id: string }>(
    organisations: readonly number[],
    { sink, event, limit }: DeliveryFilter,
    read: (query: { sinks: readonly SinkReference[]; events?: readonly string[]; limit: number }) => Promise<T[]>,
  ): Promise<OfSink<T>[]> {
    const sinks = await this.named(organisations, sink);
    const names = new Map(sinks.map(({ id, sink: { name } }) => [id, name]));
    const events = event === undefined ? undefined : isId(event) ? [event] : [];
    const found = await read({ sinks, events, limit });
    return found.map((each) => ({ ...each, sink: names.get(each.id)! }));
  }
}
