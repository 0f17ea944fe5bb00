import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { Inject, Injectable } from '@nestjs/common';
import { Clock } from '#kernel';
import { Config, LOGGER, type Logger, OutageLog } from '#platform';
import { defaultRetries } from '../domain/retries';
import { EventMetrics } from './event-metrics';
import { Events } from './events';
import { OldEvents } from './old-events';
import { RelayIntervals } from './intervals';
import { DeliveryStore } from './ports/delivery-store';
import { EventStore } from './ports/event-store';
import { SinkStore } from './ports/sink-store';
import { EventSender } from './event-sender';
import { OrganisationLease, type OrganisationLeaseTools } from './organisation-lease';

/** Maximum number of organisations that a process leases at a time. */
const MAX_LEASES = 20;
/** The minimum interval between two polls, however many events arrive. */
const MIN_POLL_INTERVAL_MS = 50;

/** Numbers the events of all organisations and delivers them to their sinks. Several processes may do so at once. */
@Injectable()
export class EventRelay {
  private readonly worker = randomUUID();
  private readonly leases = new Map<number, { held: OrganisationLease; ended: Promise<void> }>();
  private readonly stopping = new AbortController();
  private polling: Promise<void> | undefined;
  private stopped: Promise<void> | undefined;
  private sweeping: Promise<void> | undefined;
  /** Whether new events were announced since the last poll. */
  private hasNewEvents = false;
  private wakeLoop: () => void = () => undefined;

  constructor(
    private readonly recording: Events,
    private readonly sending: EventSender,
    private readonly events: EventStore,
    private readonly sinks: SinkStore,
    private readonly deliveries: DeliveryStore,
    private readonly old: OldEvents,
    private readonly clock: Clock,
    private readonly config: Config,
    @Inject(LOGGER) private readonly log: Logger,
    private readonly metrics: EventMetrics,
    private readonly intervals: RelayIntervals,
  ) {}

  /** Starts leasing organisations with events to deliver. Call once. */
  start(): void {
    if (this.polling || this.stopped) return;
    this.recording.listen(() => this.wake());
    this.polling = this.poll();
    this.log.info({ worker: this.worker }, 'events are delivered');
  }

  /**
   * Starts no more deliveries. Deliveries in progress may end within `graceMs`. A second call waits for the same stop.
   */
  stop({ graceMs }: { graceMs: number }): Promise<void> {
    this.stopped ??= this.end(graceMs);
    return this.stopped;
  }

  private async end(graceMs: number): Promise<void> {
    this.stopping.abort();
    this.wakeLoop();
    for (const { held } of this.leases.values()) held.stop(graceMs);
    await Promise.all([this.polling, this.sweeping]);
    // Leases that began during the last poll.
    for (const { held } of this.leases.values()) held.stop(graceMs);
    await Promise.all([...this.leases.values()].map(({ ended }) => ended));
  }

  private async poll(): Promise<void> {
    const { signal } = this.stopping;
    const { pollMs } = this.intervals;
    const tools = this.tools();
    const outage = new OutageLog(this.log, 'polling for events failed');
    while (!signal.aborted) {
      this.hasNewEvents = false;
      try {
        await this.leaseOrganisations(tools);
        outage.worked();
        this.sweeping ??= this.old.sweep(signal).finally(() => (this.sweeping = undefined));
      } catch (error) {
        outage.failed(error);
      }
      await sleep(Math.min(MIN_POLL_INTERVAL_MS, pollMs), undefined, { signal }).catch(() => undefined);
      // A random pause, so that processes do not poll at the same time.
      await this.rest(pollMs * (0.75 + Math.random() / 2));
    }
  }

  private wake(): void {
    this.hasNewEvents = true;
    this.wakeLoop();
  }

  /** Waits until the time, new events or the stop. */
  private rest(milliseconds: number): Promise<void> {
    if (this.hasNewEvents || this.stopping.signal.aborted) return Promise.resolve();
    return new Promise((resolve) => {
      const late = setTimeout(resolve, milliseconds);
      this.wakeLoop = () => {
        clearTimeout(late);
        resolve();
      };
    });
  }

  private async leaseOrganisations(tools: OrganisationLeaseTools): Promise<void> {
    const now = this.clock.now();
    for (const organisation of rotatedAtRandom(await this.deliveries.organisationsWithWork(this.worker, now))) {
      const known = this.leases.get(organisation);
      if (known) known.held.notify();
      else if (this.leases.size < MAX_LEASES && !this.stopping.signal.aborted) await this.take(organisation, tools);
    }
  }

  private async take(organisation: number, tools: OrganisationLeaseTools): Promise<void> {
    const now = this.clock.now();
    const lease = await this.deliveries.claim(organisation, this.worker, now, now + tools.intervals.leaseMs);
    if (!lease) return;
    const held = new OrganisationLease(lease, tools);
    const ended = held.run().finally(() => this.leases.delete(organisation));
    this.leases.set(organisation, { held, ended });
  }

  private tools(): OrganisationLeaseTools {
    const { events, sinks, deliveries, clock, log, intervals, sending } = this;
    return {
      events,
      sinks,
      deliveries,
      clock,
      log,
      intervals,
      retries: intervals.retries ?? defaultRetries(this.config.eventRetryHours),
      send: async (sink, event, signal) => {
        const began = performance.now();
        const answer = await sending.send(sink, event, signal);
        if (answer) this.metrics.attempted(sink.sink.type, answer.outcome, performance.now() - began);
        return answer;
      },
    };
  }
}

/** Rotates the list by a random offset, so that no organisation is always the last. */
function rotatedAtRandom<T>(list: readonly T[]): T[] {
  const place = Math.floor(Math.random() * list.length);
  return [...list.slice(place), ...list.slice(0, place)];
}
