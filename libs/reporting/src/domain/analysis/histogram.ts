import type { Bin } from './figures';

/** The minimum width of a bin, in percent. */
const MIN_BIN_WIDTH = 5;
/** If totals would need more bins, the first bin also counts the totals below it. */
const MAX_BINS = 60;
/** Tolerance for floating-point errors: apart from them, totals are multiples of the width. */
const NOISE = 1e-4;

/**
 * The distribution of totals in percent. Possible totals that are more than five percent apart each have a bin of their
 * own, because wider bins would contain one or two of them by chance. Negative totals have bins too.
 */
export class Histogram {
  private readonly width: number;
  private readonly first: number;
  private readonly counts: number[];

  /** @param scores the different totals in percent, in ascending order. */
  constructor(scores: readonly number[]) {
    const gaps = scores.slice(1).map((score, index) => score - scores[index]!);
    const least = gaps.reduce((least, gap) => Math.min(least, gap), 100);
    // The width divides 100 evenly. A gap is known to four decimals.
    this.width = 100 / Math.round(100 / Math.max(MIN_BIN_WIDTH, least));
    const first = Math.min(0, this.binOf(scores[0] ?? 0));
    const last = Math.max(this.binOf(100), this.binOf(scores.at(-1) ?? 0));
    this.first = Math.max(first, this.binOf(100) + 1 - MAX_BINS);
    this.counts = Array.from({ length: Math.min(last + 1 - this.first, MAX_BINS) }, () => 0);
  }

  add(percent: number): void {
    const at = this.binOf(percent) - this.first;
    this.counts[Math.min(Math.max(at, 0), this.counts.length - 1)]!++;
  }

  get bins(): Bin[] {
    const rounded = (percent: number) => Math.round(percent * 1000) / 1000;
    return this.counts.map((count, index) => ({
      from: rounded((this.first + index) * this.width),
      to: rounded((this.first + index + 1) * this.width),
      count,
    }));
  }

  private binOf(percent: number): number {
    return Math.floor(percent / this.width + NOISE);
  }
}
