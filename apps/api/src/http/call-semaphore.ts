/**
 * The number of calls of one consumer that may run at a time in a process. It is below the number of database
 * connections.
 */
const MAX_CALLS = 4;

/** About three times the size of fifty sessions with twenty answers each. */
const LARGE = 1_000_000;

/** Whether a call with this many characters runs alone, because it spends more time computing than waiting. */
export const isLarge = (characters: number): boolean => characters >= LARGE;

/** A running call. */
export interface RunningCall {
  /** Gives up its place until `awaited` has ended, successfully or not. */
  releaseWhile(awaited: Promise<unknown>): Promise<void>;
}

/** The calls of one consumer. */
interface Calls {
  weight: number;
  waiting: { weight: number; start: () => void }[];
}

/** A weighted semaphore for each consumer. So many calls or large calls of one consumer do not block those of others. */
export class CallSemaphore {
  private readonly consumers = new Map<string, Calls>();

  /**
   * Runs `work` when the consumer has a free place. Calls of a consumer run in their order; calls of others do not delay them.
   * @param characters length of the request.
   */
  async run<T>(consumer: string, characters: number, work: (running: RunningCall) => Promise<T>): Promise<T> {
    const weight = isLarge(characters) ? MAX_CALLS : 1;
    await this.acquire(consumer, weight);
    try {
      return await work({
        releaseWhile: async (awaited) => {
          this.release(consumer, weight);
          await awaited.catch(() => undefined);
          await this.acquire(consumer, weight);
        },
      });
    } finally {
      this.release(consumer, weight);
    }
  }

  private async acquire(consumer: string, weight: number): Promise<void> {
    const calls = this.consumers.get(consumer) ?? { weight: 0, waiting: [] };
    this.consumers.set(consumer, calls);
    if (calls.waiting.length > 0 || calls.weight + weight > MAX_CALLS)
      return new Promise((start) => calls.waiting.push({ weight, start }));
    calls.weight += weight;
  }

  private release(consumer: string, weight: number): void {
    const calls = this.consumers.get(consumer)!;
    calls.weight -= weight;
    for (let [next] = calls.waiting; next && calls.weight + next.weight <= MAX_CALLS; [next] = calls.waiting) {
      calls.waiting.shift();
      calls.weight += next.weight;
      next.start();
    }
    if (calls.weight === 0) this.consumers.delete(consumer);
  }
}
