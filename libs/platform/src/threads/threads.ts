import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { extname } from 'node:path';
import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { Piscina } from 'piscina';
import { Fault } from '#kernel';
import { LOGGER, type Logger } from '../logging';
import { type Begun, type ThreadCall } from './thread';

/** A call needed more than it was given, and was stopped. */
export class Exceeded extends Error {
  override readonly name = 'Exceeded';

  constructor(readonly what: 'time' | 'memory') {
    super(`A call in a thread took more ${what} than it was given.`);
  }
}

/** How many calls may wait for a thread. */
const MAX_WAITING = 200;

/** Memory of a thread, in MB. */
const MEMORY = { maxOldGenerationSizeMb: 128, maxYoungGenerationSizeMb: 32 };

const IDLE_MS = 60_000;

/** A call that hardly gets a processor may take so many times its time. */
const MAX_WAIT_FACTOR = 10;

/**
 * Functions that compute for long, run in threads beside that of the requests, for no longer than they are given. Threads
 * begin when they are first needed; all but one end when nothing was to do for a minute. They keep no process alive.
 */
@Injectable()
export class Threads implements OnApplicationShutdown {
  private pool: Piscina<ThreadCall, unknown> | undefined;
  private readonly begun = new Map<number, (thread?: number) => void>();
  private calls = 0;

  constructor(@Inject(LOGGER) private readonly log: Logger) {}

  /**
   * Calls `name` of the module in `file` with the values; these and what it returns are copied.
   * @param withinMs of a processor, so that a busy machine stops nothing; where the system does not tell how long a thread had
   * one, counted from when the function is called.
   * @throws Exceeded when the function was stopped; Fault `unavailable` when too many calls wait.
   */
  async run(file: string, name: string, values: readonly unknown[], withinMs: number): Promise<unknown> {
    const pool = (this.pool ??= this.open());
    if (pool.queueSize >= MAX_WAITING)
      throw new Fault(
        'unavailable',
        `${MAX_WAITING} calculations are waiting already; send the request again.`,
        undefined,
        undefined,
        1,
      );
    const id = ++this.calls;
    const stop = new AbortController();
    let forget: (() => void) | undefined;
    this.begun.set(id, (thread) => {
      forget = stopAfter(withinMs, thread, () => stop.abort());
    });
    try {
      return await pool.run({ id, file, name, values }, { signal: stop.signal });
    } catch (error) {
      if (stop.signal.aborted) throw new Exceeded('time');
      if ((error as NodeJS.ErrnoException).code === 'ERR_WORKER_OUT_OF_MEMORY') throw new Exceeded('memory');
      throw error;
    } finally {
      forget?.();
      this.begun.delete(id);
    }
  }

  async onApplicationShutdown(): Promise<void> {
    await this.pool?.destroy();
  }

  private open(): Piscina<ThreadCall, unknown> {
    const pool = new Piscina<ThreadCall, unknown>({
      filename: require.resolve('./thread'),
      name: 'run',
      // With none to replace one that was stopped, what waits would wait for ever.
      minThreads: 1,
      // One core is for the requests.
      maxThreads: Math.max(1, Math.min(4, availableParallelism() - 1)),
      idleTimeout: IDLE_MS,
      resourceLimits: MEMORY,
      // From the sources, a thread needs what lets the process read TypeScript.
      ...(extname(__filename) === '.ts' ? { execArgv: process.execArgv } : {}),
    });
    pool.on('message', ({ id, thread }: Begun) => this.begun.get(id)?.(thread));
    pool.on('error', (error) => this.log.error({ err: error }, 'a thread failed'));
    return pool;
  }
}

/** Calls `stop` once the thread has had a processor for so long, or `LONGEST` times that has gone by; gives what calls it off. */
function stopAfter(withinMs: number, thread: number | undefined, stop: () => void): () => void {
  const began = performance.now();
  const before = processorMs(thread);
  let timer: NodeJS.Timeout;
  const look = () => {
    const ofProcessor = withinMs - (processorMs(thread) - before);
    const ofAll = MAX_WAIT_FACTOR * withinMs - (performance.now() - began);
    const left = Math.min(ofProcessor, ofAll);
    if (left < 1) stop();
    else timer = setTimeout(look, left);
  };
  timer = setTimeout(look, withinMs);
  return () => clearTimeout(timer);
}

/** How long a thread of this process has had a processor, in ms; where that is not told, the time of the clock. */
function processorMs(thread: number | undefined): number {
  try {
    return Number(readFileSync(`/proc/self/task/${thread}/schedstat`, 'latin1').split(' ')[0]) / 1_000_000;
  } catch {
    return performance.now();
  }
}
