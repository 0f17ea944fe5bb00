import { type Logger } from './logging';

/**
 * Logs the failures of work that is repeated every few seconds: the first one, each one with another message than the
 * one before, and the end. So an outage of a server does not fill the log.
 */
export class OutageLog {
  private last: { message: string; since: number } | undefined;

  constructor(
    private readonly log: Pick<Logger, 'warn' | 'info'>,
    /** The message of a failure in the log. */
    private readonly failure: string,
  ) {}

  failed(error: unknown): void {
    const message = error instanceof Error ? error.message : String(error);
    if (this.last?.message !== message) this.log.warn({ err: error }, this.failure);
    this.last = { message, since: this.last?.since ?? performance.now() };
  }

  worked(): void {
    if (!this.last) return;
    const seconds = Math.round((performance.now() - this.last.since) / 100) / 10;
    this.last = undefined;
    this.log.info({ seconds }, `${this.failure}; now it works again`);
  }
}
