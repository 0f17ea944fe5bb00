/** The length of the window in which requests are counted, in ms. */
export const RATE_WINDOW_MS = 5_000;

/**
 * Requests per 5 s by pattern. A pattern is `<action> <path>`. The path may end in `/*` (everything below, not the path
 * itself) or be `*`, and the action may be `*`. A lone `*` matches every request. Limits are integers; the limit 0
 * refuses every request.
 */
export type RateLimits = Readonly<Record<string, number>>;

/** The published limits (decision 28). The last two are our own, for endpoints outside that table. */
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
 * The number of requests that one consumer may send to one endpoint within 5 s.
 * The most specific pattern wins: the exact path, then the longest `…/*`, then `*`. At the same path, a named action
 * wins over `*`. Any matching override wins over the default table, so `{ "*": 10 }` holds for every endpoint.
 * `update sessions/item` is the exception (decision 35): no override raises it above `itemUpdateLimit`.
 * @param path without version and without slashes at its ends: `itembank/items`
 * @param overrides the consumer's own limits, with patterns that `isRatePattern` accepts
 * @param itemUpdateLimit 1 in production; only the settings for tests and benches pass more
 */
export function limitFor(action: string, path: string, overrides: RateLimits = {}, itemUpdateLimit = 1): number {
  const patterns = patternsFor(action, path);
  const overridden = lookUp(overrides, patterns);
  if (action === 'update' && path === 'sessions/item') return Math.min(overridden ?? itemUpdateLimit, itemUpdateLimit);
  return overridden ?? lookUp(DEFAULT_RATE_LIMITS, patterns)!;
}

/** Valid patterns of `RateLimits`. Anything else would never match. */
export const RATE_PATTERN = /^(\*|(get|set|update|delete|\*) (\*|[a-z]+(\/[a-z]+)*(\/\*)?))$/;

export function isRatePattern(text: string): boolean {
  return RATE_PATTERN.test(text);
}

/** The patterns of each call, once computed. There is at most one entry per operation. */
const patternsOf = new Map<string, string[]>();

/** Every pattern that matches the call, most specific first. */
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
  /** How many further calls are allowed at this moment. */
  remaining: number;
  /** Milliseconds until the next slot frees, more than 0 and at most 5,000. A fraction when `now` is one. */
  resetMs: number;
}

/**
 * Counts calls by key within exactly the last 5,000 ms: a call at t counts until just before t + 5,000. Refused calls
 * do not count. Stores at most `limit` times per key and drops a key after 5 s without an allowed call, two keys per
 * call. A call costs amortised O(1). Each process counts by itself. Libraries such as rate-limiter-flexible count in
 * fixed windows in memory, which allow up to twice the limit at a boundary.
 */
export class SlidingWindow {
  /** Ordered by the last allowed call, oldest first. */
  private readonly logs = new Map<string, CallLog>();

  /** The number of stored keys. */
  get size(): number {
    return this.logs.size;
  }

  /**
   * Counts one call if it is allowed.
   * @param key anything with its own quota: consumer, action and path
   * @param limit calls per 5 s; may change from call to call
   * @param now ms of any clock. A step back of up to 5 s counts as no time; after a larger one the count of the key
   *   starts again
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

/** Whether no time in the log counts any more, or the clock jumped back so far that the times are meaningless. */
function isStale(log: CallLog, now: number): boolean {
  return log.newest <= now - RATE_WINDOW_MS || log.newest > now + RATE_WINDOW_MS;
}

/** The times of allowed calls, oldest first, in a ring buffer that doubles up to the limit. */
class CallLog {
  private times = new Float64Array(4);
  private first = 0;
  length = 0;
  newest = -Infinity;

  /** The oldest time; call this only when `length` is above 0. */
  get oldest(): number {
    return this.times[this.first]!;
  }

  /**
   * Removes times at or before `until`, and all but the newest `limit`, because older ones cannot matter under that
   * limit.
   */
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
