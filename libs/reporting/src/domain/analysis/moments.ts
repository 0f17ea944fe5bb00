/** A spread below this share of the values is a floating-point error. */
const NOISE = 1e-12;

/** Mean and variance of numbers that are added one by one, in constant memory (Welford 1962). */
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

  /** The sample variance, with the divisor n − 1; null with fewer than two values. */
  get variance(): number | null {
    return this.count < 2 ? null : this.sumOfSquares / (this.count - 1);
  }

  /** The standard deviation. */
  get deviation(): number | null {
    return this.variance === null ? null : Math.sqrt(this.variance);
  }

  /** The sum of squared distances from the mean; exactly 0 when all values are equal. */
  get sumOfSquares(): number {
    return this.squares <= NOISE * this.count * this.largest ** 2 ? 0 : this.squares;
  }
}

/** The correlation of pairs that are added one by one. */
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

  /** Pearson's r; null with fewer than two pairs, and when all values of x or of y are equal. */
  get correlation(): number | null {
    const spread = Math.sqrt(this.x.sumOfSquares * this.y.sumOfSquares);
    return spread === 0 ? null : Math.min(1, Math.max(-1, this.products / spread));
  }
}
