import { Config, type Logger, logUncaught, openLogger, MonitoringServer } from '#platform';
import { LIVE, STARTING } from './health/answers';
import { sayFailure } from './start-failure';
import { StoppedWaiting } from './start-wait';
import { StopSignals } from './stop-signals';

/** The arguments of a program's start function. */
export interface Start {
  config: Config;
  log: Logger;
  /** Already listens, if it has a port. */
  operations: MonitoringServer;
  /** Aborted when the program is to end before it has started. */
  stop: AbortSignal;
}

export interface Running {
  /** @param hurried aborted when somebody is waiting for the end. */
  close(hurried: AbortSignal): Promise<void>;
}

/** Runs a program from reading its settings until a signal ends it. Prints one line when it cannot start. */
export async function runProgram(start: (given: Start) => Promise<Running>): Promise<void> {
  const signals = new StopSignals();
  let config: Config | undefined;
  try {
    config = Config.read();
    const log = openLogger(config);
    logUncaught(log);
    const operations = new MonitoringServer(config, log);
    operations.answer('/health/live', async () => LIVE);
    operations.answer('/health/ready', async () => STARTING);
    await operations.listen();
    const running = await start({ config, log, operations, stop: signals.asked });
    signals.closing(log, async (hurried) => {
      await running.close(hurried);
      await operations.close();
    });
  } catch (error) {
    if (error instanceof StoppedWaiting) process.exit(0);
    process.stderr.write(`itembank: ${sayFailure(error, config)}\n`);
    process.exit(1);
  }
}
