/**
 * The number of calls that a consumer may run at a time in this process while no other consumer calls. A small call
 * counts as
 * one. It is below the number of database connections, so that some are left for others.
 */
const SHARE = 6;

/** The same while other consumers call. */
const SHARE_BESIDE_OTHERS = 2;

/** A consumer that has had a queue for this long runs one call at a time while consumers without a queue call. */
const KEPT_WAITING_MS = 100;

/** The shortest interval between calls of a consumer with a queue, while consumers without one have running calls. */
const MAX_STANDSTILL_MS = 50;

/** How long a consumer counts as active after its last call. */
const CALLING_MS = 1_000;

/** About three times the size of fifty sessions with twenty answers each. */
const LARGE = 1_000_000;

/** Whether a call with this many characters takes the whole share. Such a call computes more than it waits. */
export const isLarge = (characters: number): boolean => characters >= LARGE;

interface Line {
  consumer: string;
  /** The part of the share in use. */
  taken: number;
  waiting: { takes: number; begin: () => void }[];
  /** Since when the queue has not been empty. */
  waitingSince: number;
  /** When a call of the queue last began. */
  beganAt: number;
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
export interface Turn {
  /** Gives its part of the share to others until `awaited` has ended, successfully or not. */
  aside(awaited: Promise<unknown>): Promise<void>;
}

/** Queues the calls of each consumer where they are many or large, so that other consumers need not wait. */
export class ConsumerTurns {
  private readonly lines = new Map<string, Line>();
  private readonly called = new Last();
  /** Calls that did not have to wait. */
  private readonly begunAtOnce = new Last();

  /** @param now milliseconds of any monotonic clock. */
  constructor(private readonly now: () => number = () => performance.now()) {}

  /**
   * Runs `work` when the consumer's share has room, in the order of the consumer's calls. Other consumers delay it only
   * if it
   * waits for earlier calls of its own consumer anyway.
   * @param characters length of the request.
   */
  async run<T>(consumer: string, characters: number, work: (turn: Turn) => Promise<T>): Promise<T> {
    const takes = isLarge(characters) ? SHARE : 1;
    this.called.note(consumer, this.now());
    const aside = async (awaited: Promise<unknown>) => {
      this.give(consumer, takes);
      await awaited.catch(() => undefined);
      await this.take(consumer, takes);
    };
    const taken = this.take(consumer, takes);
    if (taken) await taken;
    try {
      return await work({ aside });
    } finally {
      this.give(consumer, takes);
    }
  }

  /** Resolves when there is room in the share; undefined when there is room now. */
  private take(consumer: string, takes: number): Promise<void> | undefined {
    const line = this.lines.get(consumer) ?? {
      consumer,
      taken: 0,
      waiting: [],
      waitingSince: Infinity,
      beganAt: -Infinity,
    };
    this.lines.set(consumer, line);
    if (line.waiting.length > 0 || !this.fits(line, takes)) {
      if (line.waiting.length === 0) line.waitingSince = this.now();
      return new Promise<void>((begin) => line.waiting.push({ takes, begin }));
    }
    this.begunAtOnce.note(consumer, this.now());
    this.begin(line, takes);
    return undefined;
  }

  private give(consumer: string, takes: number): void {
    const line = this.lines.get(consumer)!;
    line.taken -= takes;
    this.advance(line);
    if (line.taken > 0) return;
    if (line.waiting.length === 0) this.lines.delete(consumer);
    for (const other of this.lines.values()) if (other !== line) this.advance(other);
  }

  /** Starts waiting calls that may start. */
  private advance(line: Line): void {
    for (let next = line.waiting[0]; next && this.fits(line, next.takes); next = line.waiting[0]) {
      const pause = this.pause(line);
      if (pause > 0) {
        line.timer ??= setTimeout(() => {
          line.timer = undefined;
          this.advance(line);
        }, pause).unref();
        return;
      }
      line.waiting.shift();
      if (line.waiting.length === 0) line.waitingSince = Infinity;
      this.begin(line, next.takes);
      next.begin();
    }
  }

  private begin(line: Line, takes: number): void {
    line.taken += takes;
    line.beganAt = this.now();
  }

  /** How long the consumer, which has a queue, still has to wait for others at most. */
  private pause(line: Line): number {
    for (const other of this.lines.values())
      if (other !== line && other.taken > 0 && other.waiting.length === 0)
        return line.beganAt + MAX_STANDSTILL_MS - this.now();
    return 0;
  }

  private fits(line: Line, takes: number): boolean {
    return line.taken === 0 || line.taken + takes <= this.shareOf(line);
  }

  private shareOf({ consumer, waitingSince }: Line): number {
    const now = this.now();
    const call = (others: Last) => now - others.ofOthersThan(consumer) <= CALLING_MS;
    if (!call(this.called)) return SHARE;
    return now - waitingSince >= KEPT_WAITING_MS && call(this.begunAtOnce) ? 1 : SHARE_BESIDE_OTHERS;
  }
}
