import { type RedisProbe } from './redis-probe';

export { type RedisProbe };

/** @param url as in QUEUE_URL. */
export function openRedisProbe(url: string): RedisProbe {
  // eslint-disable-next-line @typescript-eslint/no-require-imports -- loads it only when needed, because it is slow to load
  const probe = require('./redis-probe') as { RedisProbe: typeof RedisProbe };
  return new probe.RedisProbe(url);
}
