import { LRUCache } from 'lru-cache';

/** How long a caller waits for a reading. */
const READ_TIMEOUT_MS = 2_000;

/** The shortest time for which a reading is cached. The factor below limits reading to one hundredth of the time. */
const MIN_TTL_MS = 1_000;
const SHARE = 100;

/**
 * Caches the result of `read`. The longer a reading takes, the longer its result is cached. The returned function
 * rejects when reading fails or takes too long. A slow reading goes on, because a second one at the same time would not
 * be faster.
 */
export function seldomRead<T extends object>(read: () => Promise<T>): () => Promise<T> {
  const cache = new LRUCache<'last', T>({
    max: 1,
    ttl: MIN_TTL_MS,
    ttlResolution: 0,
    fetchMethod: async (_key, _stale, { options }) => {
      const began = performance.now();
      const value = await read();
      options.ttl = Math.max(MIN_TTL_MS, SHARE * (performance.now() - began));
      return value;
    },
  });
  return () => inTime(cache.forceFetch('last'));
}

function inTime<T>(reading: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const late = setTimeout(() => reject(new Error('It takes too long to be read.')), READ_TIMEOUT_MS);
    reading.then(resolve, reject).finally(() => clearTimeout(late));
  });
}
