/** The length of the window in which requests are counted, in ms. */
export const RATE_WINDOW_MS = 5_000;

/**
 * Requests per 5 s by pattern. A pattern is `<action> <path>`, where the path may end in `/*` (everything below, not the
 * path itself) or be `*`, and the action may be `*`; a lone `*` is every request. Limits are integers; 0 refuses all.
 */
export type RateLimits = Readonly<Record<string, number>>;

/** As published (`reference/behaviour.md` 2.3); the last two are ours, for what is not in that table. */
export const DEFAULT_RATE_LIMITS: RateLimits = {
  'get itembank/*': 1000,
  'get itembank/conversion/*': 50,
  'set itembank/*': 50,
  'update itembank/*': 50,
  'get jobs/*': 1000,
  'set jobs/*': 50,
  'update jobs/*': 50,
  'get scoring': 2000,
  'get sessions/*': 1000,
  'set sessions': 50,
  'update sessions/responses/scores': 1000,
  'update sessions/item': 1,
  'get reports/*': 1000,
  'set reports/*': 50,
  'set consumers': 50,
  'get *': 1000,
  '*': 50,
};

/**
 * Requests that one consumer may make of one endpoint within 5 s.
 * The most specific pattern wins: the exact path, then the longest `…/*`, then `*`; at the same path a named action
 * before `*`. Any override that matches comes before the default table, so `{ "*": 10 }` holds for every endpoint.
 * `update sessions/item` is the exception (decision 35): no override raises it above `itemUpdateLimit`.
 * @param path without version and slashes at its ends: `itembank/items`
 * @param overrides the consumer's own limits, with patterns that `isRatePattern` accepts
 * @param itemUpdateLimit 1 in production; only the settings for tests and benches pass more
 */
export function limitFor(action: string, path: string, overrides: RateLimits = {}, itemUpdateLimit = 1): number {
  const patterns = patternsFor(action, path);
  const overridden = lookUp(overrides, patterns);
  if (action === 'update' && path === 'sessions/item') return Math.min(overridden ?? itemUpdateLimit, itemUpdateLimit);
  return overridden ?? lookUp(DEFAULT_RATE_LIMITS, patterns)!;
}

/** What can stand as a pattern in `RateLimits`; anything else would never match. */
export const RATE_PATTERN = /^(\*|(get|set|update|delete|\*) (\*|[a-z]+(\/[a-z]+)*(\/\*)?))$/;

export function isRatePattern(text: string): boolean {
  return RATE_PATTERN.test(text);
}

/** As many as there are operations. */
const patternsOf = new Map<string, string[]>();

/** Every pattern that covers the call, the most specific one first. */
function patternsFor(action: string, path: string): string[] {
  const call = `${action} ${path}`;
  let patterns = patternsOf.get(call);
  if (!patterns) patternsOf.set(call, (patterns = madeFor(action, path)));
  return patterns;
}

function madeFor(action: string, path: string): string[] {
  const segments = path.split('/');
  const parents = segments.map((_, depth) => segments.slice(0, depth).join('/')).slice(1);
  const paths = [path, ...parents.reverse().map((parent) => `${parent}/*`), '*'];
  return [...paths.flatMap((each) => [`${action} ${each}`, `* ${each}`]), '*'];
}

function lookUp(limits: RateLimits, patterns: string[]): number | undefined {
  const pattern = patterns.find((each) => limits[each] !== undefined);
  return pattern === undefined ? undefined : limits[pattern];
}

export interface Taken {
  allowed: boolean;
  /** Further calls that would be allowed at this moment. */
  remaining: number;
  /** Ms until the next slot frees, more than 0 and at most 5,000; a fraction when `now` is one. */
  resetMs: number;
}

/**
 * Counts calls by key within the last 5,000 ms, exactly: a call at t counts until just before t + 5,000.
 * Refused calls do not count. Keeps at most `limit` times for a key and drops keys after 5 s without an allowed call,
 * two a call; a call costs O(1), averaged over calls. For one process: several processes each count their own.
 *
 * Own code: rate-limiter-flexible and its like count in fixed windows in memory, up to twice the limit at a boundary.
 */
export class SlidingWindow {
  /** Ordered by the last allowed call, the longest ago first. */
  private readonly logs = new Map<string, CallLog>();

  /** How many keys are remembered. */
  get size(): number {
    return this.logs.size;
  }

  /**
   * Counts one call if it is allowed.
   * @param key whatever has a quota of its own: consumer, action and path
   * @param limit calls per 5 s; may change from call to call
   * @param now ms of any clock. One that steps back by up to 5 s is taken as standing still; beyond, the key starts anew
   */
  take(key: string, limit: number, now: number): Taken {
    this.dropIdle(now);
    if (limit < 1) return { allowed: false, remaining: 0, resetMs: RATE_WINDOW_MS };
    const known = this.logs.get(key);
    const log = known === undefined || isStale(known, now) ? new CallLog() : known;
    const at = Math.max(now, log.newest);
    log.forget(at - RATE_WINDOW_MS, limit);
    const allowed = log.length < limit;
    if (allowed) {
      log.push(at, limit);
      this.logs.delete(key);
      this.logs.set(key, log);
    }
    return { allowed, remaining: limit - log.length, resetMs: log.oldest + RATE_WINDOW_MS - at };
  }

  private dropIdle(now: number): void {
    let looks = 2;
    for (const [key, log] of this.logs) {
      if (looks-- === 0 || !isStale(log, now)) return;
      this.logs.delete(key);
    }
  }
}

/** Whether nothing in the log counts any more, or the clock went back so far that its times mean nothing. */
function isStale(log: CallLog, now: number): boolean {
  return log.newest <= now - RATE_WINDOW_MS || log.newest > now + RATE_WINDOW_MS;
}

/** The times of allowed calls, oldest first, in a ring that grows by doubling up to the limit. */
class CallLog {
  private times = new Float64Array(4);
  private first = 0;
  length = 0;
  newest = -Infinity;

  /** Only when `length` is above 0. */
  get oldest(): number {
    return this.times[this.first]!;
  }

  /** Forgets times at or before `until`, and all but the newest `limit`: older ones cannot matter under that limit. */
  forget(until: number, limit: number): void {
    while (this.length > limit || (this.length > 0 && this.oldest <= until)) {
      this.first = (this.first + 1) % this.times.length;
      this.length -= 1;
    }
  }

  push(time: number, limit: number): void {
    if (this.length === this.times.length) this.grow(Math.min(this.length * 2, Math.max(limit, this.length + 1)));
    this.times[(this.first + this.length) % this.times.length] = time;
    this.length += 1;
    this.newest = time;
  }

  private grow(capacity: number): void {
    const grown = new Float64Array(capacity);
    for (let i = 0; i < this.length; i += 1) grown[i] = this.times[(this.first + i) % this.times.length]!;
    this.times = grown;
    this.first = 0;
  }
}
