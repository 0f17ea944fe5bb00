/**
 * What one consumer may have under way at a time in this process, of which a small call takes one: fewer than there are
 * connections to the database, so that it leaves some to others.
 */
const SHARE = 6;

/** A call of so many characters takes the whole share: it is computed on rather than waited for. */
const LARGE = 256 * 1024;

interface Line {
  /** What is under way of the share. */
  taken: number;
  waiting: { takes: number; begin: () => void }[];
}

/** Has the calls of each consumer wait for each other where they are many or large, so that those of others need not. */
export class ConsumerTurns {
  private readonly lines = new Map<string, Line>();

  /**
   * Does `work` when it is the call's turn: in the order of the calls of the consumer, whatever others do.
   * @param characters of the request.
   */
  async run<T>(consumer: string, characters: number, work: () => Promise<T>): Promise<T> {
    const takes = characters < LARGE ? 1 : SHARE;
    const line = this.line(consumer);
    if (line.waiting.length > 0 || line.taken + takes > SHARE)
      await new Promise<void>((begin) => line.waiting.push({ takes, begin }));
    else line.taken += takes;
    try {
      return await work();
    } finally {
      line.taken -= takes;
      this.goOn(consumer, line);
    }
  }

  private line(consumer: string): Line {
    const known = this.lines.get(consumer);
    if (known) return known;
    const line: Line = { taken: 0, waiting: [] };
    this.lines.set(consumer, line);
    return line;
  }

  private goOn(consumer: string, line: Line): void {
    for (let next = line.waiting[0]; next && line.taken + next.takes <= SHARE; next = line.waiting[0]) {
      line.waiting.shift();
      line.taken += next.takes;
      next.begin();
    }
    if (line.taken === 0) this.lines.delete(consumer);
  }
}
