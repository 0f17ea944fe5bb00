import { Redis, type Result } from 'ioredis';
import { type Logger, readRedisUrl, Together } from '#platform';
import { RateWindows } from '../application/ports/rate-windows';
import { RATE_WINDOW_MS, SlidingWindow, type Taken } from '../domain/rate-limits';

/** A call waits for Redis no longer. */
const PATIENCE_MS = 250;
/** After a failure Redis is left alone for so long. */
const REST_MS = 1_000;
const MAX_RETRY_MS = 1_000;
/** Between two attempts to connect. */
const LOST: ReadonlySet<string> = new Set(['close', 'reconnecting', 'end']);
/** What nobody asks for goes; longer than a window, as the clock of Redis is another one. */
const KEPT_MS = 60_000;

/** Most calls that are counted by one command. */
const BATCH_SIZE = 100;

/** Most such commands under way: a call that comes meanwhile need not wait for the answer to others. */
const COMMANDS = 4;

/**
 * `SlidingWindow.take` for each of some calls on a list of the times of allowed ones, oldest first, in one step. Times are
 * handed on as the texts that came in.
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
  /** By the clock of this process, in ms. */
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
 * The calls that all processes with the same Redis were sent. As long as that cannot be reached, each process counts its
 * own, those from before included. Connects with the first call.
 */
export class RedisRateWindows extends RateWindows {
  private readonly prefix: string;
  private readonly redis: Redis;
  private readonly own = new SlidingWindow();
  /** Until when the keys have no call left that were refused one, the first refused first. Redis is not asked before. */
  private readonly refusals = new Map<string, Refusal>();
  private readonly calls = new Together<Call, Taken | undefined>((calls) => this.count(calls), BATCH_SIZE, COMMANDS);
  private failedAt = -Infinity;
  private apart = false;
  private closed = false;

  /** @param url `redis://…` or `rediss://…`, with `?prefix=NAME` where several installations share a server. */
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
      commandTimeout: PATIENCE_MS,
      connectTimeout: 5_000,
      retryStrategy: (times) => (this.closed ? null : Math.min(times * 50, MAX_RETRY_MS)),
    });
    // Told of where a call is counted.
    this.redis.on('error', () => undefined);
    this.redis.defineCommand('takeCalls', { numberOfKeys: 1, lua: TAKE });
  }

  override async take(key: string, limit: number, now: number): Promise<Taken> {
    const refused = this.refused(key, limit, now);
    if (refused) return refused;
    const shared = limit < 1 ? undefined : await this.calls.ask({ key, limit, now });
    if (!shared) return this.own.take(key, limit, now);
    // Counted here as well, so that an outage is no fresh start.
    if (shared.allowed) this.own.take(key, limit, now);
    else this.refusals.set(key, { limit, from: now, until: now + shared.resetMs });
    return shared;
  }

  /** What Redis would say: a call that was refused is not counted, and no slot frees before the time that was told. */
  private refused(key: string, limit: number, now: number): Taken | undefined {
    for (const [old, { from, until }] of this.refusals) {
      if (from <= now && now < until) break;
      this.refusals.delete(old);
    }
    const refusal = this.refusals.get(key);
    if (!refusal || refusal.limit !== limit || now < refusal.from || now >= refusal.until) return undefined;
    return { allowed: false, remaining: 0, resetMs: refusal.until - now };
  }

  /** What Redis says of each; nothing of any when it cannot be asked. */
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
