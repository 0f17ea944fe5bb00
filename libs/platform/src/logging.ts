import { isMainThread } from 'node:worker_threads';
import { pino } from 'pino';
import { type Config } from './config/config';
import { shownError } from './shown-error';

export type Logger = pino.Logger;

/** Injection token of the logger. */
export const LOGGER = Symbol('logger');

/** For so long a line waits for others to be written with, unless it warns: each write is a call of the system. */
const GATHERED_MS = 20;
const MOST_GATHERED = 16_384;

/** Standard output, with the lines of a few milliseconds at a time. A process that is killed loses no more than those. */
class GatheredLines implements pino.DestinationStream {
  readonly [pino.symbols.needsMetadataGsym] = true;
  /** Told by the logger before each line. */
  lastLevel = 0;
  // What a thread writes its process writes, so that no line comes into another.
  private readonly output = isMainThread ? pino.destination({ dest: process.stdout.fd, sync: true }) : process.stdout;
  private gathered = '';
  private waiting: NodeJS.Timeout | undefined;

  constructor() {
    process.once('exit', () => this.flush());
  }

  write(line: string): void {
    this.gathered += line;
    if (this.lastLevel >= pino.levels.values.warn! || this.gathered.length > MOST_GATHERED) this.flush();
    else this.waiting ??= setTimeout(() => this.flush(), GATHERED_MS).unref();
  }

  flush(): void {
    clearTimeout(this.waiting);
    this.waiting = undefined;
    const lines = this.gathered;
    this.gathered = '';
    if (lines !== '') this.output.write(lines);
  }
}

let lines: GatheredLines | undefined;

/**
 * One JSON line per event on standard output. Secrets, signatures, request bodies and what learners wrote are never given
 * to it; of errors it shows only what cannot hold any of that.
 */
export function openLogger(config: Pick<Config, 'logLevel'>): Logger {
  lines ??= new GatheredLines();
  const timestamp = pino.stdTimeFunctions.isoTime;
  return pino({ level: config.logLevel, base: undefined, timestamp, serializers: { err: shownError } }, lines);
}

/** Writes what waits to be written: a thread that is ended does not do so by itself, as a process does. */
export function flushLog(): void {
  lines?.flush();
}

/**
 * Has errors that nobody catches end the process as they do anyway, but with a line of the log: what Node.js would print
 * has the statement with all that was to be stored. Call once in a process.
 */
export function logUncaught(log: Logger): void {
  process.on('uncaughtException', (error) => {
    log.fatal({ err: error }, 'the process ends by an error that nobody caught');
    process.exit(1);
  });
}
