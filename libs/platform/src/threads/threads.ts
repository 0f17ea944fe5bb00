import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { extname } from 'node:path';
import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { Piscina } from 'piscina';
import { Fault } from '#kernel';
import { LOGGER, type Logger } from '../logging';
import { type Begun, type ThreadCall } from './thread';

/** A call exceeded its limits and was stopped. */
export class Exceeded extends Error {
  override readonly name = 'Exceeded';

  constructor(readonly what: 'time' | 'memory') {
    super(`A call in a thread took more ${what} than allowed.`);
  }
}

/** The number of calls that may wait for a thread. */
const MAX_WAITING = 200;

/** Memory limits of a thread, in MB. */
const MEMORY = { maxOldGenerationSizeMb: 128, maxYoungGenerationSizeMb: 32 };

const IDLE_MS = 60_000;

/** A call on a busy machine may take this many times its limit in real time. */
const MAX_WAIT_FACTOR = 10;

/**
 * Runs long computations in threads, with a time limit, so that they do not block requests. Threads start on demand,
 * and all but one end after an idle minute. They do not keep the process alive.
 */
@Injectable()
export class Threads implements OnApplicationShutdown {
  private pool: Piscina<ThreadCall, unknown> | undefined;
  private readonly begun = new Map<number, (thread?: number) => void>();
  private calls = 0;

  constructor(@Inject(LOGGER) private readonly log: Logger) {}

  /**
   * Calls `name` of the module in `file` with the values. Values and results are copied.
   * @param withinMs limit in processor time, so that a busy machine stops no call. If the system does not report
   *   processor time, the limit is real time from the start of the call.
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
      // Without a minimum, nothing replaces a stopped thread and queued calls wait forever.
      minThreads: 1,
      // Leaves one core for requests.
      maxThreads: Math.max(1, Math.min(4, availableParallelism() - 1)),
      idleTimeout: IDLE_MS,
      resourceLimits: MEMORY,
      // When running from sources, threads need the same TypeScript loader as the process.
      ...(extname(__filename) === '.ts' ? { execArgv: process.execArgv } : {}),
    });
    pool.on('message', ({ id, thread }: Begun) => this.begun.get(id)?.(thread));
    pool.on('error', (error) => this.log.error({ err: error }, 'a thread failed'));
    return pool;
  }
}

/**
 * Calls `stop` after `withinMs` of processor time, or after `MAX_WAIT_FACTOR` times that in real time. Returns a
 * function that cancels it.
 */
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

/** Processor time of a thread in ms; real time if the system does not report it. */
function processorMs(thread: number | undefined): number {
  try {
    return Number(readFileSync(`/proc/self/task/${thread}/schedstat`, 'latin1').split(' ')[0]) / 1_000_000;
  } catch {
    return performance.now();
  }
}
