import { Injectable, type OnApplicationBootstrap, type OnApplicationShutdown, Inject } from '@nestjs/common';
import { Consumers } from '#access';
import { Clock } from '#kernel';
import { LOGGER, type Logger } from '#platform';
import { AttemptStore } from './ports/attempt-store';
import { Saves } from './saves';

const SWEEP_INTERVAL_MS = 60_000;
/** How many rows one unit of work removes. */
const BATCH_SIZE = 1_000;
/** How many sessions one sweep submits. */
const SUBMIT_BATCH_SIZE = 50;

/** Removes expired tokens, and submits tests whose time is over. */
@Injectable()
export class Sweeps implements OnApplicationBootstrap, OnApplicationShutdown {
  private timer: NodeJS.Timeout | undefined;
  private sweeping: Promise<void> = Promise.resolve();
  private closing = false;

  constructor(
    private readonly store: AttemptStore,
    private readonly saves: Saves,
    private readonly consumers: Consumers,
    private readonly clock: Clock,
    @Inject(LOGGER) private readonly log: Logger,
  ) {}

  onApplicationBootstrap(): void {
    this.timer = setInterval(() => {
      this.sweeping = this.sweep();
    }, SWEEP_INTERVAL_MS).unref();
  }

  async onApplicationShutdown(): Promise<void> {
    this.closing = true;
    clearInterval(this.timer);
    await this.sweeping;
  }

  /** Never rejects. */
  async sweep(): Promise<void> {
    try {
      for (const { id: organisation } of await this.consumers.organisations()) {
        for (let late = 1; late > 0 && !this.closing;)
          late = await this.saves.submitOverdue(organisation, SUBMIT_BATCH_SIZE);
        for (let gone = 1; gone > 0 && !this.closing;)
          gone = await this.store.removeEnded(organisation, this.clock.now(), BATCH_SIZE);
      }
    } catch (error) {
      this.log.warn({ err: error }, 'expired tests could not be submitted, or expired tokens removed');
    }
  }
}
