import { type Logger } from '#platform';

/** Has SIGINT and SIGTERM close the program, and end it when that is done. */
export function stopOnSignal(log: Logger, close: () => Promise<void>): void {
  let stopping = false;
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.on(signal, () => {
      if (stopping) return;
      stopping = true;
      log.info({ signal }, 'stopping');
      close().then(
        () => process.exit(0),
        (error) => {
          log.error({ err: error }, 'could not stop cleanly');
          process.exit(1);
        },
      );
    });
}
