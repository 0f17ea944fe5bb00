import { Injectable } from '@nestjs/common';
import { Fault } from '#kernel';
import { type Consumer } from '../domain/consumer';
import { SecretBox } from '../domain/secret-box';
import { ConsumerStore } from './ports/consumer-store';

/** The length of the key column. A caller may send a key that is too long for a statement. */
const MAX_KEY_LENGTH = 64;

/** How long a consumer is cached. A change by an operator acts everywhere after this time. */
const REMEMBERED_MS = 2_000;

/** After this time a call reads the consumer again in the background, so that frequent callers never wait. */
const READ_AHEAD_MS = 1_000;

export interface KnownConsumer {
  consumer: Consumer;
  secrets: { secret: string; validUntil: number | null }[];
  /** When its read began, by the clock of the process. The service's clock may stand still in tests. */
  readAt: number;
}

/** Consumers with their secrets, cached for two seconds. */
@Injectable()
export class KnownConsumers {
  private readonly known = new Map<string, KnownConsumer>();
  private readonly readings = new Map<string, Promise<KnownConsumer>>();
  private allDomains: { domains: Promise<readonly string[]>; readAt: number } | undefined;

  constructor(
    private readonly store: ConsumerStore,
    private readonly box: SecretBox,
  ) {}

  /** @throws Fault 41002 for an unknown key. */
  async find(key: string): Promise<KnownConsumer> {
    const remembered = this.known.get(key);
    const age = remembered ? Date.now() - remembered.readAt : Infinity;
    if (!remembered || age >= REMEMBERED_MS) return this.read(key);
    // Ignore an error here. The next call that needs the result gets it.
    if (age >= READ_AHEAD_MS) this.read(key).catch(() => undefined);
    return remembered;
  }

  /** The domains of all active consumers. */
  async domains(): Promise<readonly string[]> {
    const { allDomains: known } = this;
    if (known && Date.now() - known.readAt < REMEMBERED_MS) return known.domains;
    const readAt = Date.now();
    const domains = this.store
      .list()
      .then((all) => [...new Set(all.filter(({ status }) => status === 'active').flatMap((each) => each.domains))]);
    // Concurrent calls share this read. A failed read is not cached.
    this.allDomains = { domains, readAt };
    domains.catch(() => (this.allDomains = undefined));
    return domains;
  }

  /** Concurrent calls share one read. */
  private read(key: string): Promise<KnownConsumer> {
    const begun = this.readings.get(key);
    if (begun) return begun;
    const reading = this.readNow(key).finally(() => this.readings.delete(key));
    this.readings.set(key, reading);
    return reading;
  }

  private async readNow(key: string): Promise<KnownConsumer> {
    const readAt = Date.now();
    const found = key.length > MAX_KEY_LENGTH ? undefined : await this.store.find(key);
    if (!found) {
      this.known.delete(key);
      throw new Fault(
        'consumer-unknown',
        `There is no consumer with the key ${JSON.stringify(key.slice(0, MAX_KEY_LENGTH))}.`,
      );
    }
    const secrets = found.secrets.map(({ sealed, validUntil }) => ({ secret: this.box.open(sealed, key), validUntil }));
    const known = { consumer: found.consumer, secrets, readAt };
    this.known.set(key, known);
    return known;
  }
}
