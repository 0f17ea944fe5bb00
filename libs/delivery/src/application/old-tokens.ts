import { Injectable, type OnApplicationBootstrap, type OnApplicationShutdown, Inject } from '@nestjs/common';
import { Clock } from '#kernel';
import { LOGGER, type Logger } from '#platform';
import { AttemptStore } from './ports/attempt-store';

const SWEPT_EVERY_MS = 60 * 60_000;
/** Rows that one unit of work removes. */
const AT_ONCE = 1_000;

/** Removes tokens that are over. */
@Injectable()
export class OldTokens implements OnApplicationBootstrap, OnApplicationShutdown {
  private timer: NodeJS.Timeout | undefined;
  private sweeping: Promise<void> = Promise.resolve();
  private closing = false;

  constructor(
    private readonly store: AttemptStore,
    private readonly clock: Clock,
    @Inject(LOGGER) private readonly log: Logger,
  ) {}

  onApplicationBootstrap(): void {
    this.timer = setInterval(() => {
      this.sweeping = this.sweep();
    }, SWEPT_EVERY_MS).unref();
  }

  async onApplicationShutdown(): Promise<void> {
    this.closing = true;
    clearInterval(this.timer);
    await this.sweeping;
  }

  /** Never rejects. */
  async sweep(): Promise<void> {
    try {
      for (const organisation of await this.store.organisations())
        for (let gone = 1; gone > 0 && !this.closing;)
          gone = await this.store.removeEnded(organisation, this.clock.now(), AT_ONCE);
    } catch (error) {
      this.log.warn({ err: error }, 'tokens that are over could not be removed');
    }
  }
}
