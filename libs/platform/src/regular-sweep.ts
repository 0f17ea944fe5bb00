import { type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { type Logger } from './logging';

/**
 * Work that a process repeats while it runs, such as the removal of old rows. A failure is logged and tried again at
 * the next time. While a sweep runs, no other one starts.
 */
export abstract class RegularSweep implements OnApplicationBootstrap, OnApplicationShutdown {
  private timer: NodeJS.Timeout | undefined;
  private sweeping: Promise<void> | undefined;
  /** Whether the process shuts down. `work` should then end soon. */
  protected closing = false;

  protected constructor(
    private readonly intervalMs: number,
    protected readonly log: Logger,
    /** The log line of a failure. */
    private readonly failure: string,
  ) {}

  protected abstract work(): Promise<void>;

  onApplicationBootstrap(): void {
    this.timer = setInterval(() => {
      this.sweeping ??= this.sweep().finally(() => (this.sweeping = undefined));
    }, this.intervalMs).unref();
  }

  async onApplicationShutdown(): Promise<void> {
    this.closing = true;
    clearInterval(this.timer);
    await this.sweeping;
  }

  /** Never rejects. */
  async sweep(): Promise<void> {
    try {
      await this.work();
    } catch (error) {
      this.log.warn({ err: error }, this.failure);
    }
  }
}
