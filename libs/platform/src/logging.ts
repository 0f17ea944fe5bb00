import { constants, fstatSync, openSync, writeSync } from 'node:fs';
import { pino } from 'pino';
import { type Config } from './config/config';
import { shownError } from './shown-error';

export type Logger = pino.Logger;

/** Injection token of the logger. */
export const LOGGER = Symbol('logger');

/** So long a line waits for others to be written with, unless it warns: each write is a call of the system. */
const GATHERED_MS = 20;
const MAX_GATHERED_BYTES = 16_384;
/** While the reader of the log stalls, so much is kept for it. Further lines are dropped and counted. */
const MAX_KEPT_BYTES = 1024 * 1024;
const RETRIED_MS = 50;

/**
 * Standard output, with the lines of a few milliseconds at a time. A process that is killed loses no more than those. A reader
 * that stalls holds up nothing.
 */
class GatheredLines implements pino.DestinationStream {
  readonly [pino.symbols.needsMetadataGsym] = true;
  /** Told by the logger before each line. */
  lastLevel = 0;
  /** Lines that were dropped since the process began. */
  dropped = 0;
  private droppedBefore = 0;
  private readonly fd = nonBlockingOutput();
  private gathered = '';
  private gatheredBytes = 0;
  /** What the reader has not taken yet, in order. */
  private kept = Buffer.alloc(0);
  private waiting: NodeJS.Timeout | undefined;
  private retrying: NodeJS.Timeout | undefined;

  constructor() {
    process.once('exit', () => this.flush());
  }

  write(line: string): void {
    if (this.kept.length + this.gatheredBytes > MAX_KEPT_BYTES) {
      this.dropped += 1;
      return;
    }
    this.gathered += line;
    this.gatheredBytes += line.length;
    if (this.lastLevel >= pino.levels.values.warn! || this.gatheredBytes > MAX_GATHERED_BYTES) this.flush();
    else this.waiting ??= setTimeout(() => this.flush(), GATHERED_MS).unref();
  }

  flush(): void {
    clearTimeout(this.waiting);
    this.waiting = undefined;
    this.kept = Buffer.concat([this.kept, Buffer.from(this.gathered)]);
    this.gathered = '';
    this.gatheredBytes = 0;
    this.send();
  }

  private send(): void {
    try {
      while (this.kept.length > 0) this.kept = this.kept.subarray(writeSync(this.fd, this.kept));
    } catch (error) {
      // Nobody reads any more: what is said from now on, nobody would hear.
      if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') this.kept = Buffer.alloc(0);
      else this.retrying ??= setTimeout(() => this.retry(), RETRIED_MS).unref();
      return;
    }
    if (this.dropped > this.droppedBefore) this.tellDropped();
  }

  private retry(): void {
    this.retrying = undefined;
    this.send();
  }

  private tellDropped(): void {
    const lines = this.dropped - this.droppedBefore;
    this.droppedBefore = this.dropped;
    const time = new Date().toISOString();
    const msg = 'lines of the log were dropped, as nobody read them';
    this.write(`${JSON.stringify({ level: pino.levels.values.warn, time, lines, msg })}\n`);
  }
}

/** Standard output: opened once more where it is a pipe, so that a write to a full one fails instead of waiting. */
function nonBlockingOutput(): number {
  const { fd } = process.stdout;
  try {
    if (!fstatSync(fd).isFIFO()) return fd;
    return openSync(`/proc/self/fd/${fd}`, constants.O_WRONLY | constants.O_NONBLOCK);
  } catch {
    // Other systems have no such path; there a write waits for the reader.
    return fd;
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

/** How many lines were dropped since the process began, as their reader did not keep up. */
export function droppedLines(): number {
  return lines?.dropped ?? 0;
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
