import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { Fault } from '#kernel';
import { type Consumer } from '../domain/consumer';
import { SecretBox } from '../domain/secret-box';
import { ConsumerStore } from './ports/consumer-store';

/** The length of the key column. A longer key is unknown without a look-up. */
const MAX_KEY_LENGTH = 64;

const MAX_CONSUMERS = 10_000;

/** How long a consumer is cached. After this time, a change by an operator has its effect everywhere. */
const TTL_MS = 2_000;

/**
 * When less than this time is left, a call reads the consumer again in the background, so that frequent callers never
 * wait.
 */
const READ_AHEAD_MS = 1_000;

export interface KnownConsumer {
  consumer: Consumer;
  secrets: { secret: string; validUntil: number | null }[];
}

/** Consumers with their secrets, cached for two seconds. Concurrent calls share one read, and errors are not cached. */
@Injectable()
export class KnownConsumers {
  private readonly consumers = new LRUCache<string, KnownConsumer>({
    max: MAX_CONSUMERS,
    ttl: TTL_MS,
    ttlResolution: 0,
    ignoreFetchAbort: true,
    fetchMethod: async (key, _, { options }) => {
      // A failed read keeps the cached consumer until its time is over.
      options.noDeleteOnFetchRejection = true;
      const began = performance.now();
      const found = await this.store.find(key);
      if (!found) {
        options.noDeleteOnFetchRejection = false;
        throw unknownKey(key);
      }
      // The time of the cached consumer counts from the beginning of the read.
      options.ttl = Math.max(1, TTL_MS - (performance.now() - began));
      const secrets = found.secrets.map(({ sealed, validUntil }) => ({
        secret: this.box.open(sealed, key),
        validUntil,
      }));
      return { consumer: found.consumer, secrets };
    },
  });

  private readonly allDomains = new LRUCache<'all', readonly string[]>({
    max: 1,
    ttl: TTL_MS,
    ttlResolution: 0,
    fetchMethod: async () => {
      const all = await this.store.list();
      return [...new Set(all.filter(({ status }) => status === 'active').flatMap(({ domains }) => domains))];
    },
  });

  constructor(
    private readonly store: ConsumerStore,
    private readonly box: SecretBox,
  ) {}

  /** @throws Fault 41002 for an unknown key. */
  async find(key: string): Promise<KnownConsumer> {
    if (key.length > MAX_KEY_LENGTH) throw unknownKey(key);
    const left = this.consumers.getRemainingTTL(key);
    return this.consumers.forceFetch(key, { allowStale: left > 0, forceRefresh: left <= READ_AHEAD_MS });
  }

  /** The consumer as it is stored now. Concurrent calls share one read. */
  read(key: string): Promise<KnownConsumer> {
    return this.consumers.forceFetch(key, { forceRefresh: true });
  }

  /** The domains of all active consumers. */
  domains(): Promise<readonly string[]> {
    return this.allDomains.forceFetch('all');
  }
}

function unknownKey(key: string): Fault {
  const shown = JSON.stringify(key.slice(0, MAX_KEY_LENGTH));
  return new Fault('consumer-unknown', `There is no consumer with the key ${shown}.`, '/security/consumer_key');
}
