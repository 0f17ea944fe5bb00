import { Redis } from 'ioredis';
import { readRedisUrl } from '../redis-url';
import { reasonOf } from './reason';

const CONNECT_MS = 5_000;
const ENDED: ReadonlySet<string> = new Set(['close', 'end']);

/** Checks whether a Redis server works, over a connection of its own. Connects on the first check. */
export class RedisProbe {
  private readonly url: string;
  /** In the slot of the queue. */
  private readonly key: string;
  private opened: { redis: Redis; said?: Error } | undefined;

  /** @param url `redis://…` or `rediss://…`, as in QUEUE_URL. */
  constructor(url: string) {
    const { url: address, prefix } = readRedisUrl(url);
    this.url = address;
    this.key = `{${prefix}}:health`;
  }

  /**
   * Resolves when the server answers, or, with `writes`, when it also takes writes. A replica, and a server without
   * free memory, answer but take none.
   * @param limit ends the attempt.
   * @throws Error of the driver or the server.
   */
  async check(limit: AbortSignal, writes = false): Promise<void> {
    if (this.opened && ENDED.has(this.opened.redis.status)) this.close();
    const wasOpen = this.opened !== undefined;
    const opened = (this.opened ??= this.open());
    const { redis } = opened;
    const giveUp = () => redis.disconnect();
    limit.addEventListener('abort', giveUp);
    try {
      if (redis.status === 'wait') await redis.connect();
      if (writes) await redis.set(this.key, '', 'PX', 1);
      else await redis.ping();
      // The driver goes on in database 0 when the server lacks the database of the address.
      if (opened.said) throw opened.said;
    } catch (error) {
      this.close();
      const why: unknown = limit.aborted ? limit.reason : (opened.said ?? ended(error));
      // The server may have restarted since the last check. Then a new connection works.
      if (!wasOpen || reasonOf(why) !== 'lost') throw why;
    } finally {
      limit.removeEventListener('abort', giveUp);
    }
    if (!this.opened) await this.check(limit, writes);
  }

  close(): void {
    this.opened?.redis.disconnect();
    this.opened = undefined;
  }

  private open(): { redis: Redis; said?: Error } {
    const redis = new Redis(this.url, {
      lazyConnect: true,
      connectTimeout: CONNECT_MS,
      maxRetriesPerRequest: 0,
      retryStrategy: () => null,
    });
    const opened: { redis: Redis; said?: Error } = { redis };
    // A command that fails with its connection does not say why the connection ended. The first error event does.
    redis.on('error', (error: Error) => (opened.said ??= error));
    return opened;
  }
}

/** The driver reports a connection that the other side ended without an error code. */
function ended(error: unknown): unknown {
  const { message } = error as Error;
  return message === 'Connection is closed.' ? Object.assign(new Error(message), { code: 'ECONNRESET' }) : error;
}
