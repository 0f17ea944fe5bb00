import { Redis } from 'ioredis';
import { StreamWriter } from '../application/ports/senders';
import { readRedisUrl } from '#platform';
import { type Answer } from '../domain/delivery';
import { type Event } from '../domain/event';
import { type Stream } from '../domain/sink';

/** An attempt waits for Redis no longer. */
const PATIENCE_MS = 2_000;
const MAX_RETRY_MS = 1_000;

/** Adds events to streams of one Redis. Connects with the first event. */
export class RedisStreamWriter extends StreamWriter {
  override readonly isThere = true;
  private readonly redis: Redis;
  private closed = false;

  /** @param url `redis://…` or `rediss://…`; the names of streams are taken as they are, without a prefix. */
  constructor(url: string) {
    super();
    this.redis = new Redis(readRedisUrl(url).url, {
      lazyConnect: true,
      maxRetriesPerRequest: 1,
      commandTimeout: PATIENCE_MS,
      connectTimeout: PATIENCE_MS,
      retryStrategy: (times) => (this.closed ? null : Math.min(times * 50, MAX_RETRY_MS)),
    });
    // Told of with each attempt.
    this.redis.on('error', () => undefined);
  }

  override async write({ stream, maxLength }: Stream, event: Event): Promise<Answer> {
    const { id, number, kind, key, recordedAt, payload } = event;
    const fields = { id, number, kind, key, timestamp: new Date(recordedAt).toISOString(), payload };
    try {
      // About so many: to the entry would cost Redis more.
      await this.redis.xadd(stream, 'MAXLEN', '~', maxLength, '*', ...Object.entries(fields).flat());
      return { outcome: 'delivered', httpStatus: null, error: null };
    } catch (error) {
      return { outcome: 'unreachable', httpStatus: null, error: (error as Error).message };
    }
  }

  override async close(): Promise<void> {
    this.closed = true;
    this.redis.disconnect();
  }
}
