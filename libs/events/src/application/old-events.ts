import { Inject, Injectable } from '@nestjs/common';
import { Clock } from '#kernel';
import { Config, LOGGER, type Logger } from '#platform';
import { DeliveryStore } from './ports/delivery-store';
import { EventStore } from './ports/event-store';

const DAY_MS = 24 * 60 * 60_000;
const SWEEP_INTERVAL_MS = 60 * 60_000;
/** The number of rows that one unit of work removes. */
const BATCH_SIZE = 500;

/** Removes events that were delivered long ago, with their log. Events with open deliveries stay. */
@Injectable()
export class OldEvents {
  private sweptAt = -Infinity;

  constructor(
    private readonly events: EventStore,
    private readonly deliveries: DeliveryStore,
    private readonly clock: Clock,
    private readonly config: Config,
    @Inject(LOGGER) private readonly log: Logger,
  ) {}

  /** At most once an hour. Never rejects. */
  async sweep(signal: AbortSignal): Promise<void> {
    const now = this.clock.now();
    if (now - this.sweptAt < SWEEP_INTERVAL_MS) return;
    this.sweptAt = now;
    const before = now - this.config.eventRetentionDays * DAY_MS;
    try {
      let removed = 0;
      for (const organisation of await this.events.organisations()) {
        // Dead deliveries are removed first, because an event stays as long as it has one.
        for (const store of [
          (limit: number) => this.deliveries.removeOld(organisation, before, limit),
          (limit: number) => this.events.removeDelivered(organisation, before, limit),
        ])
          for (let gone = BATCH_SIZE; gone >= BATCH_SIZE && !signal.aborted; removed += gone)
            gone = await store(BATCH_SIZE);
      }
      if (removed > 0) this.log.info({ rows: removed }, 'old events and their log were removed');
    } catch (error) {
      this.log.warn({ err: error }, 'old events could not be removed');
    }
  }
}
