import { setMaxListeners } from 'node:events';
import { type Clock } from '#kernel';
import { type Logger } from '#platform';
import { type Answer } from '../domain/delivery';
import { type Event } from '../domain/event';
import { type Retries } from '../domain/retries';
import { type RelayIntervals } from './intervals';
import { type DeliveryStore, type Lease } from './ports/delivery-store';
import { type EventStore } from './ports/event-store';
import { type SinkStore, type StoredSink } from './ports/sink-store';
import { DeliveryBatch } from './delivery-batch';

/** The services that a lease uses. */
export interface OrganisationLeaseTools {
  events: EventStore;
  sinks: SinkStore;
  deliveries: DeliveryStore;
  clock: Clock;
  log: Logger;
  intervals: RelayIntervals;
  retries: Retries;
  /** Undefined when the signal aborted the attempt. */
  send(sink: StoredSink, event: Event, signal: AbortSignal): Promise<Answer | undefined>;
}

/** How many events one unit of work numbers: within 50 ms on an embedded database. */
const NUMBERING_BATCH_SIZE = 500;

/** The lease of an organisation: this process numbers and delivers its events until none are left. */
export class OrganisationLease {
  /** Aborted when no more work may start. */
  private readonly over = new AbortController();
  /** Aborted when deliveries under way must end. */
  private readonly abandoned = new AbortController();
  private readonly draining = new Map<string, Promise<void>>();
  private hasNewEvents = true;
  private wakeUp: () => void = () => undefined;

  constructor(
    private readonly lease: Lease,
    private readonly tools: OrganisationLeaseTools,
  ) {
    // Each delivery under way adds a listener, so there is no limit.
    setMaxListeners(0, this.abandoned.signal);
  }

  /** Called when there may be new events. */
  notify(): void {
    this.hasNewEvents = true;
    this.wakeUp();
  }

  /** Lets deliveries under way end within `graceMs`; the rest are abandoned, and another process repeats them. */
  stop(graceMs: number): void {
    this.over.abort();
    this.wakeUp();
    setTimeout(() => this.abandoned.abort(), graceMs).unref();
  }

  /** Never rejects. */
  async run(): Promise<void> {
    const { deliveries, log, intervals } = this.tools;
    const { organisation } = this.lease;
    const heartbeat = setInterval(() => void this.extend(), intervals.heartbeatMs);
    try {
      await this.work();
    } catch (error) {
      log.warn({ err: error, organisation }, 'events could not be numbered or delivered; this will be retried');
    }
    this.over.abort();
    await Promise.allSettled(this.draining.values());
    clearInterval(heartbeat);
    await deliveries
      .release(this.lease)
      .catch((error: unknown) =>
        log.warn({ err: error, organisation }, 'the lease of events could not be released; it will expire'),
      );
  }

  private async work(): Promise<void> {
    while (!this.over.signal.aborted && (this.hasNewEvents || this.draining.size > 0)) {
      if (this.hasNewEvents) {
        this.hasNewEvents = false;
        await this.number();
        for (const { id } of await this.tools.sinks.list([this.lease.organisation])) this.drain(id);
      }
      const woken = new Promise<void>((resolve) => (this.wakeUp = resolve));
      if (!this.hasNewEvents && !this.over.signal.aborted)
        await Promise.race([woken, Promise.all(this.draining.values())]);
    }
    await Promise.all(this.draining.values());
  }

  private async number(): Promise<void> {
    while (
      !this.over.signal.aborted &&
      (await this.tools.events.number(this.lease.organisation, NUMBERING_BATCH_SIZE)) === NUMBERING_BATCH_SIZE
    );
  }

  /** Delivers to a sink until nothing is left. Does nothing if it already delivers to this sink. */
  private drain(id: string): void {
    if (this.draining.has(id)) return;
    const drained = this.deliver(id).finally(() => this.draining.delete(id));
    drained.catch(() => undefined);
    this.draining.set(id, drained);
  }

  private async deliver(id: string): Promise<void> {
    const { sinks, deliveries, clock, log, retries, send } = this.tools;
    const { organisation } = this.lease;
    while (!this.over.signal.aborted) {
      const sink = await sinks.find({ organisation, id });
      if (!sink) return;
      const tools = {
        deliveries,
        clock,
        log,
        retries,
        send: (event: Event) => send(sink, event, this.abandoned.signal),
        over: this.over.signal,
      };
      const result = await new DeliveryBatch(this.lease, sink, tools).run();
      if (result === 'lost') this.over.abort();
      if (result !== true) return;
    }
  }

  /** Extends the lease (heartbeat). Without the lease there is nothing left to do. */
  private async extend(): Promise<void> {
    const { deliveries, clock, log, intervals } = this.tools;
    try {
      if (!(await deliveries.extend(this.lease, clock.now() + intervals.leaseMs))) this.over.abort();
    } catch (error) {
      log.warn({ err: error, organisation: this.lease.organisation }, 'the lease of events could not be extended');
    }
  }
}
