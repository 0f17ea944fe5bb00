/* The time that a learner has, by the clock of the service. */

/** The period after a hard limit in which saves are still accepted, because they may be in transit. */
export const GRACE_MS = 10_000;
/** The maximum of all pauses together. A pause that reaches it ends by itself. */
const MAX_PAUSES_MS = 24 * 60 * 60_000;

/** The stored clock of an attempt. Milliseconds since 1970. */
export interface AttemptClock {
  startedAt: number;
  /** Seconds; null without a limit. */
  maxTime: number | null;
  /** The test ends with the time; otherwise the learner is only informed. */
  isHard: boolean;
  /** The start of the current pause; null while the clock runs. */
  pausedAt: number | null;
  /** Milliseconds of the previous pauses. */
  pausedMs: number;
}

/** A clock without pauses. */
export const clockFrom = (startedAt: number): Omit<AttemptClock, 'maxTime' | 'isHard'> => ({
  startedAt,
  pausedAt: null,
  pausedMs: 0,
});

/** The time as pages get it. */
export interface TimeView {
  max_time: number | null;
  limit_type: 'hard' | 'soft';
  remaining_seconds: number | null;
  paused: boolean;
  /** ISO 8601. */
  server_now: string;
  /** Remaining seconds of each section. Present if any section has a hard limit. */
  sections?: (number | null)[];
  /** Seconds that a supervisor has added to each section. */
  extensions?: number[];
}

export function isPaused(clock: AttemptClock, now: number): boolean {
  const { pausedAt } = clock;
  return pausedAt !== null && now - pausedAt < pausesLeft(clock);
}

/** Milliseconds that further pauses may last, including the current one. */
export function pausesLeft({ pausedMs }: AttemptClock): number {
  return Math.max(0, MAX_PAUSES_MS - pausedMs);
}

/** The end of the time if there are no further pauses; Infinity without a limit. */
function endOf(clock: AttemptClock, now: number): number {
  if (clock.maxTime === null) return Infinity;
  return clock.startedAt + clock.maxTime * 1000 + clock.pausedMs + pauseUntil(clock, now);
}

/** The latest possible end of a hard limit, with all pauses; null without one. */
export function latestEnd(clock: AttemptClock): number | null {
  if (!clock.isHard || clock.maxTime === null) return null;
  return endOf(clock, clock.pausedAt === null ? 0 : clock.pausedAt + MAX_PAUSES_MS);
}

/** Milliseconds of the current pause. */
function pauseUntil(clock: AttemptClock, now: number): number {
  return clock.pausedAt === null ? 0 : Math.min(Math.max(0, now - clock.pausedAt), pausesLeft(clock));
}

/** Milliseconds since the start, without pauses. */
export function workedMs(clock: AttemptClock, now: number): number {
  return Math.max(0, now - clock.startedAt - clock.pausedMs - pauseUntil(clock, now));
}

/** Whether no more answers are accepted. */
export function isOver(clock: AttemptClock, now: number): boolean {
  return clock.isHard && now > endOf(clock, now) + GRACE_MS;
}

export function paused<T extends AttemptClock>(clock: T, now: number): T {
  return isPaused(clock, now) ? clock : { ...running(clock, now), pausedAt: now };
}

/** Ends the pause, without counting it as working time. */
export function running<T extends AttemptClock>(clock: T, now: number): T {
  return { ...clock, pausedAt: null, pausedMs: clock.pausedMs + pauseUntil(clock, now) };
}

/**
 * The clock when answers arrive. A learner who keeps answering in a pause has not paused, so that time counts. Answers that
 * were under way when the pause began are exempt.
 */
export function answering<T extends AttemptClock>(clock: T, now: number): T {
  if (!isPaused(clock, now)) return clock.pausedAt === null ? clock : running(clock, now);
  return now - clock.pausedAt! > GRACE_MS ? { ...clock, pausedAt: null } : clock;
}

export function timeView(clock: AttemptClock, now: number): TimeView {
  const end = endOf(clock, now);
  return {
    max_time: clock.maxTime,
    limit_type: clock.isHard ? 'hard' : 'soft',
    remaining_seconds: end === Infinity ? null : Math.max(0, Math.ceil((end - now) / 1000)),
    paused: isPaused(clock, now),
    server_now: new Date(now).toISOString(),
  };
}
