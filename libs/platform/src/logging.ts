import { constants, fstatSync, openSync, writeSync } from 'node:fs';
import { pino } from 'pino';
import { type Config } from './config/config';
import { shownError } from './shown-error';

export type Logger = pino.Logger;

/** Injection token of the logger. */
export const LOGGER = Symbol('logger');

/** How long a line waits to be written together with others. Warnings do not wait. Each write is a system call. */
const GATHERED_MS = 20;
const MAX_GATHERED_BYTES = 16_384;
/** The buffer for a log whose reader stalls, or whose disk is full. The process drops and counts further lines. */
const MAX_KEPT_BYTES = 1024 * 1024;
const RETRIED_MS = 50;
/** Errors of a slow reader and of a full disk, after which a later write may succeed. */
const TRANSIENT: ReadonlySet<string | undefined> = new Set(['EAGAIN', 'ENOSPC', 'EDQUOT']);

/**
 * Standard output, written in batches of a few milliseconds. A process that is killed loses only the last batch. A
 * reader that stalls does not block the process.
 */
class GatheredLines implements pino.DestinationStream {
  readonly [pino.symbols.needsMetadataGsym] = true;
  /** The logger sets it before each line. */
  lastLevel = 0;
  /** Lines dropped since the process began. */
  dropped = 0;
  private droppedBefore = 0;
  private readonly fd = nonBlockingOutput();
  private gathered = '';
  private gatheredBytes = 0;
  /** Output that the reader has not taken yet, in order. */
  private kept = Buffer.alloc(0);
  private waiting: NodeJS.Timeout | undefined;
  private retrying: NodeJS.Timeout | undefined;

  constructor() {
    process.once('exit', () => this.flush());
    // Without a listener, an error such as a full disk would end the process.
    process.stdout.on('error', () => undefined);
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
      // Otherwise, the reader has gone, and nobody would read later lines.
      if (!TRANSIENT.has((error as NodeJS.ErrnoException).code)) this.kept = Buffer.alloc(0);
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
    const msg = 'lines of the log were dropped, as nobody read them or the disk was full';
    this.write(`${JSON.stringify({ level: pino.levels.values.warn, time, lines, msg })}\n`);
  }
}

/** Standard output. Reopens a pipe, so that a write to a full pipe fails instead of blocking. */
function nonBlockingOutput(): number {
  const { fd } = process.stdout;
  try {
    if (!fstatSync(fd).isFIFO()) return fd;
    return openSync(`/proc/self/fd/${fd}`, constants.O_WRONLY | constants.O_NONBLOCK);
  } catch {
    // Other systems have no such path. There, writes block until the reader takes them.
    return fd;
  }
}

let lines: GatheredLines | undefined;

/**
 * Writes one JSON line per event to standard output. Callers never log secrets, signatures, request bodies or learners'
 * responses. Errors are logged without anything that may contain them.
 */
export function openLogger(config: Pick<Config, 'logLevel'>): Logger {
  lines ??= new GatheredLines();
  const timestamp = pino.stdTimeFunctions.isoTime;
  return pino({ level: config.logLevel, base: undefined, timestamp, serializers: { err: shownError } }, lines);
}

/** The number of lines that the process has dropped because the reader was too slow or the disk full. */
export function droppedLines(): number {
  return lines?.dropped ?? 0;
}

/**
 * Logs uncaught errors before they end the process. Node.js itself would print the failed statement with all its
 * values. Call once per process.
 */
export function logUncaught(log: Logger): void {
  process.on('uncaughtException', (error) => {
    log.fatal({ err: error }, 'the process ends because of an uncaught error');
    process.exit(1);
  });
}
