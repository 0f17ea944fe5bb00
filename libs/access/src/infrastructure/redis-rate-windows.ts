import { Redis, type Result } from 'ioredis';
import { isReadOnly, type Logger, readRedisUrl } from '#platform';
import { RateWindows } from '../application/ports/rate-windows';
import { RATE_WINDOW_MS, SlidingWindow, type Taken } from '../domain/rate-limits';

/** A call waits for Redis in steps. Between them, a busy process reads an answer that has arrived. */
const STEPS = 10;
const STEP_MS = 25;
/** When the client itself gives up a command or a connection. */
const CLIENT_TIMEOUT_MS = 5_000;
/** After a failure, this process does not ask Redis for this time. */
const REST_MS = 1_000;
const MAX_RETRY_MS = 1_000;
/** Connection states in which this process does not ask Redis. */
const LOST: ReadonlySet<string> = new Set(['close', 'reconnecting', 'end']);
/** The expiry of a key in Redis. It is longer than a window, because Redis has its own clock. */
const KEPT_MS = 60_000;

/**
 * `SlidingWindow.take` in one step. Redis stores the times of allowed calls in a list, oldest first. The script
 * stores the time as the text that it received.
 */
const TAKE = `
local key, limit, window, kept, at = KEYS[1], tonumber(ARGV[1]), tonumber(ARGV[2]), ARGV[3], ARGV[4]
local now = tonumber(at)
local newest = redis.call('LINDEX', key, -1)
if newest and (tonumber(newest) <= now - window or tonumber(newest) > now + window) then
  redis.call('DEL', key)
elseif newest and tonumber(newest) > now then
  at = newest
end
local length = redis.call('LLEN', key)
if length > limit then
  redis.call('LTRIM', key, -limit, -1)
  length = limit
end
local oldest = redis.call('LINDEX', key, 0)
while oldest and tonumber(oldest) <= tonumber(at) - window do
  redis.call('LPOP', key)
  length = length - 1
  oldest = redis.call('LINDEX', key, 0)
end
local allowed = 0
if length < limit then
  allowed = 1
  length = redis.call('RPUSH', key, at)
  redis.call('PEXPIRE', key, kept)
end
return { allowed, limit - length, oldest or at, at }
`;

type TakenThere = [allowed: number, remaining: number, oldest: string, at: string];

interface Refusal {
  limit: number;
  /** By this process's clock, in ms. */
  from: number;
  until: number;
}

declare module 'ioredis' {
  interface RedisCommander<Context> {
    takeCall(key: string, limit: number, window: number, kept: number, now: number): Result<TakenThere, Context>;
  }
}

/**
 * Counts the calls of all processes that share a Redis server. While the server is unreachable, each process counts its
 * own calls, including earlier ones. Connects on the first call.
 */
export class RedisRateWindows extends RateWindows {
  private readonly prefix: string;
  private readonly redis: Redis;
  private readonly own = new SlidingWindow();
  /**
   * Keys whose quota is used up, each with the time when a slot frees, oldest first. This process asks Redis again only
   * after that time.
   */
  private readonly refusals = new Map<string, Refusal>();
  private failedAt = -Infinity;
  private apart = false;
  private closed = false;

  /**
   * @param url `redis://…` or `rediss://…`, with `?prefix=NAME` when several installations share a server.
   * @param steps the number of steps after which a call stops waiting for Redis.
   */
  constructor(
    url: string,
    private readonly log: Pick<Logger, 'warn' | 'info'>,
    private readonly steps = STEPS,
  ) {
    super();
    const address = readRedisUrl(url);
    this.prefix = `${address.prefix}:calls:`;
    this.redis = new Redis(address.url, {
      lazyConnect: true,
      maxRetriesPerRequest: 1,
      commandTimeout: CLIENT_TIMEOUT_MS,
      connectTimeout: CLIENT_TIMEOUT_MS,
      // Commands of one turn of the event loop share a write to the socket.
      enableAutoPipelining: true,
      retryStrategy: (times) => (this.closed ? null : Math.min(times * 50, MAX_RETRY_MS)),
      reconnectOnError: isReadOnly,
    });
    // `take` reports failures when it counts a call.
    this.redis.on('error', () => undefined);
    this.redis.defineCommand('takeCall', { numberOfKeys: 1, lua: TAKE });
  }

  override async take(key: string, limit: number, now: number): Promise<Taken> {
    const refused = this.refused(key, limit, now);
    if (refused) return refused;
    const shared = limit < 1 ? undefined : await this.shared(key, limit, now);
    if (!shared) return this.own.take(key, limit, now);
    // Also count in this process, so that an outage does not reset the counts.
    if (shared.allowed) this.own.take(key, limit, now);
    else this.refusals.set(key, { limit, from: now, until: now + shared.resetMs });
    return shared;
  }

  /**
   * The answer that Redis would give. A refused call does not count, so no slot frees before the time that Redis gave.
   */
  private refused(key: string, limit: number, now: number): Taken | undefined {
    for (const [old, { from, until }] of this.refusals) {
      if (from <= now && now < until) break;
      this.refusals.delete(old);
    }
    const refusal = this.refusals.get(key);
    if (!refusal || refusal.limit !== limit || now < refusal.from || now >= refusal.until) return undefined;
    return { allowed: false, remaining: 0, resetMs: refusal.until - now };
  }

  /** The answer of Redis; undefined when Redis cannot be reached. */
  private async shared(key: string, limit: number, now: number): Promise<Taken | undefined> {
    if (performance.now() - this.failedAt < REST_MS) return undefined;
    try {
      if (LOST.has(this.redis.status)) throw new Error(`The connection is lost (${this.redis.status}).`);
      const answer = this.redis.takeCall(this.prefix + key, limit, RATE_WINDOW_MS, KEPT_MS, now);
      const [allowed, remaining, oldest, at] = await inTime(answer, this.steps);
      if (this.apart) this.log.info('rate limits are shared through Redis again');
      this.apart = false;
      return { allowed: allowed === 1, remaining, resetMs: Number(oldest) + RATE_WINDOW_MS - Number(at) };
    } catch (error) {
      this.fail(error);
      return undefined;
    }
  }

  private fail(error: unknown): void {
    this.failedAt = performance.now();
    if (!this.apart) this.log.warn({ err: error }, 'each process counts calls for itself: Redis cannot be reached');
    this.apart = true;
  }

  override async close(): Promise<void> {
    this.closed = true;
    this.redis.disconnect();
  }
}

/** @throws Error when the answer does not come within the steps. */
function inTime<T>(answer: Promise<T>, steps: number): Promise<T> {
  return new Promise((resolve, reject) => {
    let left = steps;
    const timer = setInterval(() => {
      if (--left > 0) return;
      clearInterval(timer);
      reject(new Error(`There was no answer within ${steps * STEP_MS} ms.`));
    }, STEP_MS);
    answer.then(resolve, reject).finally(() => clearInterval(timer));
  });
}
