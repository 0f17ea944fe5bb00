import { Redis } from 'ioredis';
import { StreamWriter } from '../application/ports/senders';
import { isReadOnly, readRedisUrl } from '#platform';
import { type Answer } from '../domain/delivery';
import { type Event } from '../domain/event';
import { type Stream } from '../domain/sink';

/** The maximum time that an attempt waits for Redis. */
const REDIS_TIMEOUT_MS = 2_000;
const MAX_RETRY_MS = 1_000;

/** Adds events to streams of one Redis server. Connects with the first event. */
export class RedisStreamWriter extends StreamWriter {
  override readonly isConfigured = true;
  private readonly redis: Redis;
  private closed = false;

  /** @param url `redis://…` or `rediss://…`; stream names are used without a prefix. */
  constructor(url: string) {
    super();
    this.redis = new Redis(readRedisUrl(url).url, {
      lazyConnect: true,
      maxRetriesPerRequest: 1,
      commandTimeout: REDIS_TIMEOUT_MS,
      connectTimeout: REDIS_TIMEOUT_MS,
      retryStrategy: (times) => (this.closed ? null : Math.min(times * 50, MAX_RETRY_MS)),
      reconnectOnError: isReadOnly,
    });
    // Each attempt reports its own error.
    this.redis.on('error', () => undefined);
  }

  override async write({ stream, maxLength }: Stream, event: Event): Promise<Answer> {
    const { id, number, kind, key, recordedAt, payload } = event;
    const fields = { id, number, kind, key, timestamp: new Date(recordedAt).toISOString(), payload };
    try {
      // The limit is approximate, because an exact one would cost Redis more.
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
