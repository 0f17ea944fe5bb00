/** The resolution of scores: this many steps per percent. */
const RESOLUTION = 10_000;

const keyOf = (score: number): number => Math.round(score * RESOLUTION);

/**
 * The number of sessions per score, in percent of the maximum. The memory depends on the number of different scores, at
 * most a million from 0 to 100.
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

  /** The different scores in ascending order. */
  scores(): { score: number; count: number }[] {
    return [...this.counts]
      .map(([key, count]) => ({ score: key / RESOLUTION, count }))
      .sort((one, other) => one.score - other.score);
  }
}

/** A range of ranks, from `from` up to, but not including, `to`. The lowest score has the rank 0. */
interface RankRange {
  from: number;
  to: number;
}

/**
 * Divides sessions into groups by the rank of their scores. Each group has exactly its intended size. If only some of the
 * sessions with a score fit into a group, all of them belong to it with an equal share. So the statistics of a group are the
 * average over all possible choices, and do not depend on the order of sessions.
 */
export class ScoreGroups {
  /**
   * The different scores in ascending order. `below` holds the number of sessions below each score, and ends with the
   * number of all sessions.
   */
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

  /** Whether at least two sessions differ. */
  get areDistinct(): boolean {
    return this.scores.length > 1;
  }

  /** The share with which a session of this score belongs to each group, from 0 to 1. */
  shares(score: number): readonly number[] {
    const rank = this.rankOf(score);
    const [first, end] = [this.below[rank] ?? 0, this.below[rank + 1] ?? 1];
    return this.ranges.map(({ from, to }) => overlap(first, end, from, to) / (end - first));
  }

  /** The rank of a score. A score that is not in the distribution has the rank of the next lower one. */
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

/** The share of sessions in each extreme group (Kelley 1939). */
const EXTREME = 0.27;

/** The lower and the upper 27 % of n sessions, rounded, at least one session; none when n is below 2. */
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
