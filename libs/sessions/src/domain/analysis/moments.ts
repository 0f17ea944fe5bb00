/** Below this share of the size of its values a spread is the noise of binary fractions. */
const NOISE = 1e-12;

/** Mean and spread of numbers that pass by one after the other (Welford 1962): nothing but three numbers is kept. */
export class Moments {
  private count = 0;
  private average = 0;
  private squares = 0;
  private largest = 0;

  add(value: number): void {
    this.count++;
    const before = value - this.average;
    this.average += before / this.count;
    this.squares += before * (value - this.average);
    this.largest = Math.max(this.largest, Math.abs(value));
  }

  get n(): number {
    return this.count;
  }

  /** Null without values. */
  get mean(): number | null {
    return this.count === 0 ? null : this.average;
  }

  /** With n − 1 below; null with fewer than two values. */
  get variance(): number | null {
    return this.count < 2 ? null : this.sumOfSquares / (this.count - 1);
  }

  /** The square root of the variance. */
  get deviation(): number | null {
    return this.variance === null ? null : Math.sqrt(this.variance);
  }

  /** Of the distances from the mean; exactly 0 when all values are the same. */
  get sumOfSquares(): number {
    return this.squares <= NOISE * this.count * this.largest ** 2 ? 0 : this.squares;
  }
}

/** How two numbers go together, of pairs that pass by one after the other. */
export class Comoments {
  readonly x = new Moments();
  readonly y = new Moments();
  private products = 0;

  add(x: number, y: number): void {
    const before = x - (this.x.mean ?? x);
    this.x.add(x);
    this.y.add(y);
    this.products += before * (y - this.y.mean!);
  }

  /** Pearson's r; null with fewer than two pairs, and when either number is always the same. */
  get correlation(): number | null {
    const spread = Math.sqrt(this.x.sumOfSquares * this.y.sumOfSquares);
    return spread === 0 ? null : Math.min(1, Math.max(-1, this.products / spread));
  }
}
