import { Redis, type Result } from 'ioredis';
import { type Logger, readRedisUrl, Together } from '#platform';
import { RateWindows } from '../application/ports/rate-windows';
import { RATE_WINDOW_MS, SlidingWindow, type Taken } from '../domain/rate-limits';

/** How long a call waits for Redis. */
const REDIS_TIMEOUT_MS = 250;
/** How long Redis is not asked after a failure. */
const REST_MS = 1_000;
const MAX_RETRY_MS = 1_000;
/** Connection states in which Redis is not asked. */
const LOST: ReadonlySet<string> = new Set(['close', 'reconnecting', 'end']);
/** Expiry of a key in Redis. Longer than a window, because Redis has its own clock. */
const KEPT_MS = 60_000;

/** The largest number of calls that one command counts. */
const BATCH_SIZE = 100;

/** The largest number of commands at a time. Several let a new call start before earlier answers arrive. */
const COMMANDS = 4;

/**
 * `SlidingWindow.take` for a batch of calls, atomically. Redis stores the times of allowed calls in a list, oldest
 * first.
 * Times are passed on as the texts that came in.
 */
const TAKE = `
local key, limit, window, kept = KEYS[1], tonumber(ARGV[1]), tonumber(ARGV[2]), ARGV[3]
local function take(at)
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
end
local taken = {}
for call = 4, #ARGV do
  taken[call - 3] = take(ARGV[call])
end
return taken
`;

type TakenThere = [allowed: number, remaining: number, oldest: string, at: string];

interface Call {
  key: string;
  limit: number;
  now: number;
}

interface Refusal {
  limit: number;
  /** By this process's clock, in ms. */
  from: number;
  until: number;
}

declare module 'ioredis' {
  interface RedisCommander<Context> {
    takeCalls(
      key: string,
      limit: number,
      window: number,
      kept: number,
      ...now: number[]
    ): Result<TakenThere[], Context>;
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
   * Keys without a free slot and the time until which that holds, oldest first. Redis is not asked before that time.
   */
  private readonly refusals = new Map<string, Refusal>();
  private readonly calls = new Together<Call, Taken | undefined>((calls) => this.count(calls), BATCH_SIZE, COMMANDS);
  private failedAt = -Infinity;
  private apart = false;
  private closed = false;

  /** @param url `redis://…` or `rediss://…`, with `?prefix=NAME` when several installations share a server. */
  constructor(
    url: string,
    private readonly log: Pick<Logger, 'warn' | 'info'>,
  ) {
    super();
    const address = readRedisUrl(url);
    this.prefix = `${address.prefix}:calls:`;
    this.redis = new Redis(address.url, {
      lazyConnect: true,
      maxRetriesPerRequest: 1,
      commandTimeout: REDIS_TIMEOUT_MS,
      connectTimeout: 5_000,
      retryStrategy: (times) => (this.closed ? null : Math.min(times * 50, MAX_RETRY_MS)),
    });
    // Failures are reported where a call is counted.
    this.redis.on('error', () => undefined);
    this.redis.defineCommand('takeCalls', { numberOfKeys: 1, lua: TAKE });
  }

  override async take(key: string, limit: number, now: number): Promise<Taken> {
    const refused = this.refused(key, limit, now);
    if (refused) return refused;
    const shared = limit < 1 ? undefined : await this.calls.ask({ key, limit, now });
    if (!shared) return this.own.take(key, limit, now);
    // Also count in this process, so that an outage does not reset the counts.
    if (shared.allowed) this.own.take(key, limit, now);
    else this.refusals.set(key, { limit, from: now, until: now + shared.resetMs });
    return shared;
  }

  /** What Redis would answer. A refused call does not count, so no slot frees before the time that Redis gave. */
  private refused(key: string, limit: number, now: number): Taken | undefined {
    for (const [old, { from, until }] of this.refusals) {
      if (from <= now && now < until) break;
      this.refusals.delete(old);
    }
    const refusal = this.refusals.get(key);
    if (!refusal || refusal.limit !== limit || now < refusal.from || now >= refusal.until) return undefined;
    return { allowed: false, remaining: 0, resetMs: refusal.until - now };
  }

  /** The answers of Redis; undefined for all calls when it cannot be asked. */
  private async count(calls: readonly Call[]): Promise<(Taken | undefined)[]> {
    const nothing = () => calls.map(() => undefined);
    if (performance.now() - this.failedAt < REST_MS) return nothing();
    try {
      if (LOST.has(this.redis.status)) throw new Error(`The connection is lost (${this.redis.status}).`);
      const taken = await this.takenOf(calls);
      if (this.apart) this.log.info('rate limits are shared through Redis again');
      this.apart = false;
      return taken;
    } catch (error) {
      this.fail(error);
      return nothing();
    }
  }

  private async takenOf(calls: readonly Call[]): Promise<Taken[]> {
    const alike = new Map<string, Call[]>();
    for (const call of calls) {
      const name = `${call.limit} ${call.key}`;
      const others = alike.get(name);
      if (others) others.push(call);
      else alike.set(name, [call]);
    }
    const taken = new Map<Call, Taken>();
    await Promise.all(
      [...alike.values()].map(async (same) => {
        const { key, limit } = same[0]!;
        const times = same.map(({ now }) => now);
        const answers = await this.redis.takeCalls(this.prefix + key, limit, RATE_WINDOW_MS, KEPT_MS, ...times);
        for (const [index, [allowed, remaining, oldest, at]] of answers.entries()) {
          const resetMs = Number(oldest) + RATE_WINDOW_MS - Number(at);
          taken.set(same[index]!, { allowed: allowed === 1, remaining, resetMs });
        }
      }),
    );
    return calls.map((call) => taken.get(call)!);
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
