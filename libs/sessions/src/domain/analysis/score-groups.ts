/** Scores in percent count as the same when they agree to so many parts of one percent. */
const RESOLUTION = 10_000;

const keyOf = (score: number): number => Math.round(score * RESOLUTION);

/**
 * How often each score was reached, in percent of the highest possible. Its size grows with the different scores, of
 * which there are at most a million from 0 to 100, and not with the sessions.
 */
export class ScoreDistribution {
  private readonly counts = new Map<number, number>();
  private total = 0;

  add(score: number): void {
    const key = keyOf(score);
    this.counts.set(key, (this.counts.get(key) ?? 0) + 1);
    this.total++;
  }

  get n(): number {
    return this.total;
  }

  /** From the lowest. */
  scores(): { score: number; count: number }[] {
    return [...this.counts]
      .map(([key, count]) => ({ score: key / RESOLUTION, count }))
      .sort((one, other) => one.score - other.score);
  }
}

/** A range of ranks, of which the lowest score has 0: from `from` up to, and without, `to`. */
export interface RankRange {
  from: number;
  to: number;
}

/**
 * Parts sessions into groups by the rank of their scores. Groups have exactly the sizes that are wanted: sessions of the
 * same score, of which only some fit, all belong to the group with the same share. The figures of a group are therefore
 * the average over all ways to choose among them, and do not depend on any order.
 */
export class ScoreGroups {
  /** The different scores from the lowest, and how many sessions are below each; at the end all of them. */
  private readonly scores: Float64Array;
  private readonly below: Float64Array;

  constructor(
    distribution: ScoreDistribution,
    private readonly ranges: readonly RankRange[],
  ) {
    const sorted = distribution.scores();
    this.scores = Float64Array.from(sorted, ({ score }) => score);
    this.below = new Float64Array(sorted.length + 1);
    for (const [index, { count }] of sorted.entries()) this.below[index + 1] = this.below[index]! + count;
  }

  /** Whether sessions differ at all. */
  get areDistinct(): boolean {
    return this.scores.length > 1;
  }

  /** How far a session with this score belongs to each of the groups, from 0 to 1. */
  shares(score: number): readonly number[] {
    const rank = this.rankOf(score);
    const [first, end] = [this.below[rank] ?? 0, this.below[rank + 1] ?? 1];
    return this.ranges.map(({ from, to }) => overlap(first, end, from, to) / (end - first));
  }

  /** A score that came up only after the distribution was taken ranks with the nearest below it. */
  private rankOf(score: number): number {
    const exact = keyOf(score) / RESOLUTION;
    let [low, high] = [0, this.scores.length];
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if (this.scores[middle]! <= exact) low = middle;
      else high = middle;
    }
    return low;
  }
}

const overlap = (a: number, b: number, from: number, to: number): number =>
  Math.max(0, Math.min(b, to) - Math.max(a, from));

/** The share of sessions in each of the extreme groups (Kelley 1939). */
const EXTREME = 0.27;

/** The lower and the upper 27 % of n sessions, to whole sessions, at least one; nobody as long as there is only one. */
export function extremeRanges(n: number): [lower: RankRange, upper: RankRange] {
  const size = n < 2 ? 0 : Math.max(1, Math.round(EXTREME * n));
  return [
    { from: 0, to: size },
    { from: n - size, to: n },
  ];
}

/** Fifths of n sessions, from the lowest scores to the highest. */
export function fifthRanges(n: number): RankRange[] {
  return [0, 1, 2, 3, 4].map((fifth) => ({ from: (n * fifth) / 5, to: (n * (fifth + 1)) / 5 }));
}
