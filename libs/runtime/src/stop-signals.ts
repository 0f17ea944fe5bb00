import { type Logger } from '#platform';

const SIGNALS = ['SIGINT', 'SIGTERM'] as const;

/**
 * Handles SIGINT and SIGTERM from its creation on. Without a handler, the first process of a container ignores them.
 */
export class StopSignals {
  private readonly askedController = new AbortController();
  private readonly hurriedController = new AbortController();
  private close: (() => void) | undefined;
  private signal: NodeJS.Signals | undefined;

  constructor() {
    for (const signal of SIGNALS) process.on(signal, () => this.hear(signal));
  }

  /** Aborted by the first signal. */
  get asked(): AbortSignal {
    return this.askedController.signal;
  }

  /**
   * Closes the program on the first signal, including one that came earlier, and then ends it.
   * @param close SIGINT or a second signal aborts its signal, because both mean that somebody is waiting.
   */
  closing(log: Logger, close: (hurried: AbortSignal) => Promise<void>): void {
    this.close = () => {
      log.info({ signal: this.signal }, 'stopping');
      close(this.hurriedController.signal).then(
        () => process.exit(0),
        (error) => {
          log.error({ err: error }, 'could not stop cleanly');
          process.exit(1);
        },
      );
    };
    if (this.signal) this.close();
  }

  private hear(signal: NodeJS.Signals): void {
    const isFirst = this.signal === undefined;
    this.signal ??= signal;
    if (signal === 'SIGINT' || !isFirst) this.hurriedController.abort();
    if (isFirst) {
      this.askedController.abort();
      this.close?.();
    } else if (!this.close) {
      // The program is still starting. A second signal ends it at once.
      process.exit(1);
    }
  }
}
