/** How long a caller waits for a reading. */
const READ_TIMEOUT_MS = 2_000;

/** The shortest time that a reading is cached. The factor below keeps reading at one hundredth of the time at most. */
const MIN_TTL_MS = 1_000;
const SHARE = 100;

/** A cached reading. The longer it takes, the longer it is cached. */
export class SeldomRead<T> {
  private reading: Promise<T> | undefined;
  private last: { value: Promise<T>; until: number } | undefined;

  constructor(
    private readonly read: () => Promise<T>,
    private readonly now: () => number = () => performance.now(),
  ) {}

  /** Rejects when reading fails or takes too long. The next caller then reads again. */
  get(): Promise<T> {
    if (this.last && this.now() < this.last.until) return this.last.value;
    // A slow reading goes on. A second one at the same time would not be faster.
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
    const late = setTimeout(() => reject(new Error('It takes too long to be read.')), READ_TIMEOUT_MS);
    reading.then(resolve, reject).finally(() => clearTimeout(late));
  });
}
