import { type Logger } from '#platform';

const SIGNALS = ['SIGINT', 'SIGTERM'] as const;

/** Hears SIGINT and SIGTERM from when it is made: as the first process of a container, one that does not would run on. */
export class StopSignals {
  private readonly askedController = new AbortController();
  private readonly hurriedController = new AbortController();
  private close: (() => void) | undefined;
  private signal: NodeJS.Signals | undefined;

  constructor() {
    for (const signal of SIGNALS) process.on(signal, () => this.hear(signal));
  }

  /** Aborted with the first signal. */
  get asked(): AbortSignal {
    return this.askedController.signal;
  }

  /**
   * Has the first signal close the program, also one that came before, and end it when that is done.
   * @param close its signal is aborted when somebody waits for the end: with SIGINT, and with a second signal.
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
      // What a start does beyond waiting takes moments; whoever does not want to wait for its end need not.
      process.exit(1);
    }
  }
}

/** Has SIGINT and SIGTERM close the program, and end it when that is done. */
export function stopOnSignal(log: Logger, close: () => Promise<void>): void {
  new StopSignals().closing(log, close);
}
