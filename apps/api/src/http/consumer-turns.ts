/**
 * What one consumer may have under way at a time in this process, of which a small call takes one: fewer than there are
 * connections to the database, so that it leaves some to others.
 */
const SHARE = 6;

/** A call of so many characters takes the whole share: it is computed on rather than waited for. Fifty sessions of twenty answers have a third of it. */
const LARGE = 1_000_000;

interface Line {
  /** What is under way of the share. */
  taken: number;
  waiting: { takes: number; begin: () => void }[];
}

/** A call whose turn it is. */
export interface Turn {
  /** Leaves its part of the share to others until what it waits for has ended, however that ends. */
  aside(awaited: Promise<unknown>): Promise<void>;
}

/** Has the calls of each consumer wait for each other where they are many or large, so that those of others need not. */
export class ConsumerTurns {
  private readonly lines = new Map<string, Line>();

  /**
   * Does `work` when it is the call's turn: in the order of the calls of the consumer, whatever others do.
   * @param characters of the request.
   */
  async run<T>(consumer: string, characters: number, work: (turn: Turn) => Promise<T>): Promise<T> {
    const takes = characters < LARGE ? 1 : SHARE;
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
    const line = this.lines.get(consumer) ?? { taken: 0, waiting: [] };
    this.lines.set(consumer, line);
    if (line.waiting.length > 0 || line.taken + takes > SHARE)
      return new Promise<void>((begin) => line.waiting.push({ takes, begin }));
    line.taken += takes;
    return undefined;
  }

  private give(consumer: string, takes: number): void {
    const line = this.lines.get(consumer)!;
    line.taken -= takes;
    for (let next = line.waiting[0]; next && line.taken + next.takes <= SHARE; next = line.waiting[0]) {
      line.waiting.shift();
      line.taken += next.takes;
      next.begin();
    }
    if (line.taken === 0) this.lines.delete(consumer);
  }
}
