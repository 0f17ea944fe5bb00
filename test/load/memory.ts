import { median } from '../../bench/measure';

/** Megabytes by which the memory of a program may differ between thirds of a run. */
const TOLERANCE = 16;
const MIN_SAMPLES = 9;

export interface MemoryTrend {
  /** Median megabytes of the middle third of the samples, and of the last. */
  middle: number;
  last: number;
  highest: number;
  /** Whether memory stays flat; undefined with too few samples. */
  isFlat: boolean | undefined;
}

/**
 * Judges the growth of memory from samples at equal intervals, each after a garbage collection. The first third of a
 * run warms up: caches fill, and code is compiled. After that, memory counts as flat when the median of the last
 * third is at most 16 MB above that of the middle third.
 */
export function trendOf(samples: readonly number[]): MemoryTrend {
  const third = Math.floor(samples.length / 3);
  const middle = median(samples.slice(third, 2 * third));
  const last = median(samples.slice(samples.length - third));
  const isFlat = samples.length < MIN_SAMPLES ? undefined : last <= middle + TOLERANCE;
  return { middle, last, highest: Math.max(...samples), isFlat };
}

export const describeTrend = ({ middle, last, highest, isFlat }: MemoryTrend): string =>
  isFlat === undefined
    ? 'too few samples to tell'
    : `${middle.toFixed(0)} MB in the middle third, ${last.toFixed(0)} MB in the last, ${highest.toFixed(0)} MB at most`;
