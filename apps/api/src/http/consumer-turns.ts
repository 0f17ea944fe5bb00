/**
 * What a consumer may have under way at a time in this thread while no other one calls, of which a small call takes one:
 * fewer than there are connections to the database, so that it leaves some to others.
 */
const SHARE = 6;

/** And while others call. */
const SHARE_BESIDE_OTHERS = 2;

/** Who has kept calls waiting for so long has one under way at a time while others call that keep none. */
const KEPT_WAITING_MS = 100;

/** A consumer that keeps calls waiting begins no more than one in so long, while others that keep none have one under way. */
const MAX_STANDSTILL_MS = 50;

/** For so long after its last call a consumer counts as one that calls. */
const CALLING_MS = 1_000;

/** Fifty sessions of twenty answers have a third of it. */
const LARGE = 1_000_000;

/** Whether a call of so many characters takes the whole share: it is computed on rather than waited for. */
export const isLarge = (characters: number): boolean => characters >= LARGE;

interface Line {
  consumer: string;
  /** What is under way of the share. */
  taken: number;
  waiting: { takes: number; begin: () => void }[];
  /** Since when there is always one. */
  waitingSince: number;
  /** When one of them last began. */
  beganAt: number;
  /** Set while they stand back for others. */
  timer?: NodeJS.Timeout;
}

/** When somebody last did something, and when somebody else than that one did. */
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

/** A call whose turn it is. */
export interface Turn {
  /** Leaves its part of the share to others until what it waits for has ended, however that ends. */
  aside(awaited: Promise<unknown>): Promise<void>;
}

/** Has the calls of each consumer wait for each other where they are many or large, so that those of others need not. */
export class ConsumerTurns {
  private readonly lines = new Map<string, Line>();
  private readonly called = new Last();
  /** Calls that had not to wait. */
  private readonly begunAtOnce = new Last();

  /** @param now milliseconds of any clock that goes on. */
  constructor(private readonly now: () => number = () => performance.now()) {}

  /**
   * Does `work` when it is the call's turn: in the order of the calls of the consumer, and never later for what others do
   * unless it waits for earlier ones in any case.
   * @param characters of the request.
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

  /** Resolves when there is room in the share; undefined where there is. */
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

  /** Begins what may begin of those that wait. */
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

  /** For how long at most the consumer, which keeps calls waiting, has still to stand back for others. */
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
