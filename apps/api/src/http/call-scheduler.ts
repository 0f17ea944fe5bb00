/**
 * The number of calls that a consumer may run at a time in this process while no other consumer calls. A small call
 * counts as one. The number is below that of database connections, so that some are left for others.
 */
const SHARE = 6;

/** The same while other consumers call. */
const CONTENDED_SHARE = 2;

/** A consumer that has had a queue for this long runs one call at a time while consumers without a queue call. */
const LONG_WAIT_MS = 100;

/** The shortest interval between calls of a consumer with a queue, while consumers without one have running calls. */
const MAX_QUEUE_PAUSE_MS = 50;

/** How long a consumer counts as active after its last call. */
const ACTIVE_MS = 1_000;

/** About three times the size of fifty sessions with twenty answers each. */
const LARGE = 1_000_000;

/** Whether a call with this many characters uses the whole share. Such a call computes more than it waits. */
export const isLarge = (characters: number): boolean => characters >= LARGE;

interface ConsumerQueue {
  consumer: string;
  /** The part of the share in use. */
  inUse: number;
  waiting: { cost: number; start: () => void }[];
  /** Since when the queue has not been empty. */
  waitingSince: number;
  /** When a call of the queue last began. */
  startedAt: number;
  /** Set while the queue waits for other consumers. */
  timer?: NodeJS.Timeout;
}

/** The time of the last event, and of the last event of another consumer. */
class Last {
  private consumer = '';
  private at = -Infinity;
  private otherAt = -Infinity;

  note(consumer: string, at: number): void {
    if (consumer !== this.consumer) this.otherAt = this.at;
    this.consumer = consumer;
    this.at = at;
  }

  ofOthersThan(consumer: string): number {
    return consumer === this.consumer ? this.otherAt : this.at;
  }
}

/** A running call. */
export interface RunningCall {
  /** Releases its part of the share until `awaited` has ended, successfully or not. */
  releaseWhile(awaited: Promise<unknown>): Promise<void>;
}

/** Queues the calls of each consumer where they are many or large, so that other consumers need not wait. */
export class CallScheduler {
  private readonly queues = new Map<string, ConsumerQueue>();
  private readonly called = new Last();
  /** Calls that did not have to wait. */
  private readonly startedAtOnce = new Last();

  /** @param now milliseconds of any monotonic clock. */
  constructor(private readonly now: () => number = () => performance.now()) {}

  /**
   * Runs `work` when the consumer's share has room, in the order of the consumer's calls. Other consumers delay it only
   * if it waits for earlier calls of its own consumer anyway.
   * @param characters length of the request.
   */
  async run<T>(consumer: string, characters: number, work: (running: RunningCall) => Promise<T>): Promise<T> {
    const cost = isLarge(characters) ? SHARE : 1;
    this.called.note(consumer, this.now());
    const releaseWhile = async (awaited: Promise<unknown>) => {
      this.release(consumer, cost);
      await awaited.catch(() => undefined);
      await this.acquire(consumer, cost);
    };
    const acquired = this.acquire(consumer, cost);
    if (acquired) await acquired;
    try {
      return await work({ releaseWhile });
    } finally {
      this.release(consumer, cost);
    }
  }

  /** Resolves when there is room in the share; undefined when there is room now. */
  private acquire(consumer: string, cost: number): Promise<void> | undefined {
    const queue = this.queues.get(consumer) ?? {
      consumer,
      inUse: 0,
      waiting: [],
      waitingSince: Infinity,
      startedAt: -Infinity,
    };
    this.queues.set(consumer, queue);
    if (queue.waiting.length > 0 || !this.fits(queue, cost)) {
      if (queue.waiting.length === 0) queue.waitingSince = this.now();
      return new Promise<void>((start) => queue.waiting.push({ cost, start }));
    }
    this.startedAtOnce.note(consumer, this.now());
    this.start(queue, cost);
    return undefined;
  }

  private release(consumer: string, cost: number): void {
    const queue = this.queues.get(consumer)!;
    queue.inUse -= cost;
    this.advance(queue);
    if (queue.inUse > 0) return;
    if (queue.waiting.length === 0) this.queues.delete(consumer);
    for (const other of this.queues.values()) if (other !== queue) this.advance(other);
  }

  /** Starts waiting calls that may start. */
  private advance(queue: ConsumerQueue): void {
    for (let next = queue.waiting[0]; next && this.fits(queue, next.cost); next = queue.waiting[0]) {
      const pause = this.pause(queue);
      if (pause > 0) {
        queue.timer ??= setTimeout(() => {
          queue.timer = undefined;
          this.advance(queue);
        }, pause).unref();
        return;
      }
      queue.waiting.shift();
      if (queue.waiting.length === 0) queue.waitingSince = Infinity;
      this.start(queue, next.cost);
      next.start();
    }
  }

  private start(queue: ConsumerQueue, cost: number): void {
    queue.inUse += cost;
    queue.startedAt = this.now();
  }

  /** How long the consumer, which has a queue, still has to wait for others at most. */
  private pause(queue: ConsumerQueue): number {
    for (const other of this.queues.values())
      if (other !== queue && other.inUse > 0 && other.waiting.length === 0)
        return queue.startedAt + MAX_QUEUE_PAUSE_MS - this.now();
    return 0;
  }

  private fits(queue: ConsumerQueue, cost: number): boolean {
    return queue.inUse === 0 || queue.inUse + cost <= this.shareOf(queue);
  }

  private shareOf({ consumer, waitingSince }: ConsumerQueue): number {
    const now = this.now();
    const call = (others: Last) => now - others.ofOthersThan(consumer) <= ACTIVE_MS;
    if (!call(this.called)) return SHARE;
    return now - waitingSince >= LONG_WAIT_MS && call(this.startedAtOnce) ? 1 : CONTENDED_SHARE;
  }
}
