/** Nobody waits longer for a reading. */
const PATIENCE_MS = 2_000;

/** A reading counts for at least so long, and for so many times what it took: at most a hundredth of the time is spent on it. */
const MIN_TTL_MS = 1_000;
const SHARE = 100;

/** A reading that is shared by all who ask within a while; the longer it takes, the longer it counts. */
export class SeldomRead<T> {
  private reading: Promise<T> | undefined;
  private last: { value: Promise<T>; until: number } | undefined;

  constructor(
    private readonly read: () => Promise<T>,
    private readonly now: () => number = () => performance.now(),
  ) {}

  /** Rejects when it cannot be read, or takes too long; it is then read anew for the next who asks. */
  get(): Promise<T> {
    if (this.last && this.now() < this.last.until) return this.last.value;
    // One that takes too long goes on: another beside it would not be faster.
    this.reading ??= this.measured().finally(() => (this.reading = undefined));
    return inTime(this.reading);
  }

  private async measured(): Promise<T> {
    const began = this.now();
    this.last = undefined;
    const value = await this.read();
    const ended = this.now();
    this.last = { value: Promise.resolve(value), until: ended + Math.max(MIN_TTL_MS, SHARE * (ended - began)) };
    return value;
  }
}

function inTime<T>(reading: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const late = setTimeout(() => reject(new Error('It takes too long to be read.')), PATIENCE_MS);
    reading.then(resolve, reject).finally(() => clearTimeout(late));
  });
}
