const HOUR_MS = 60 * 60_000;

/** The pauses between the attempts of a delivery. */
export interface Retries {
  /** The pause after the first failure; each later pause is `factor` times as long. */
  firstPauseMs: number;
  factor: number;
  maxPauseMs: number;
  /** A delivery that has failed for this long is dead. */
  giveUpMs: number;
}

/** 10 s, 40 s, 3 min, 11 min, 43 min, 3 h, then every 6 h for the configured time. */
export function defaultRetries(giveUpHours: number): Retries {
  return { firstPauseMs: 10_000, factor: 4, maxPauseMs: 6 * HOUR_MS, giveUpMs: giveUpHours * HOUR_MS };
}

/** Milliseconds to wait after this many failures: exponential, with up to a fifth of jitter. */
export function pauseAfter(failures: number, retries: Retries, random: number): number {
  const { firstPauseMs, factor, maxPauseMs } = retries;
  return Math.round(Math.min(firstPauseMs * factor ** (failures - 1), maxPauseMs) * (0.9 + random * 0.2));
}

const FIRST_SINK_PAUSE_MS = 1_000;
const MAX_SINK_PAUSE_MS = 60_000;

/** Milliseconds to pause a sink after this many unreachable batches. */
export function sinkPauseAfter(failures: number, random: number): number {
  return Math.round(Math.min(FIRST_SINK_PAUSE_MS * 2 ** (failures - 1), MAX_SINK_PAUSE_MS) * (0.9 + random * 0.2));
}
