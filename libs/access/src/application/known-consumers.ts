import { Injectable } from '@nestjs/common';
import { Fault } from '#kernel';
import { type Consumer } from '../domain/consumer';
import { SecretBox } from '../domain/secret-box';
import { ConsumerStore } from './ports/consumer-store';

/** No key is longer than its column. What is sent as one may be longer than a statement may be. */
const MAX_KEY_LENGTH = 64;

/** For how long a consumer may be read from memory: so soon does a change by an operator act everywhere. */
const REMEMBERED_MS = 2_000;

/** Who calls after so long is read again beside the call, so that whoever calls all the time never waits for it. */
const READ_AHEAD_MS = 1_000;

export interface KnownConsumer {
  consumer: Consumer;
  secrets: { secret: string; validUntil: number | null }[];
  /** When its reading began, by the clock of the process: that of the service may stand still. */
  readAt: number;
}

/** Consumers with their secrets, remembered for two seconds. */
@Injectable()
export class KnownConsumers {
  private readonly known = new Map<string, KnownConsumer>();
  private readonly readings = new Map<string, Promise<KnownConsumer>>();
  private allDomains: { domains: Promise<readonly string[]>; readAt: number } | undefined;

  constructor(
    private readonly store: ConsumerStore,
    private readonly box: SecretBox,
  ) {}

  /** @throws Fault 41002 for a key that is nobody's. */
  async find(key: string): Promise<KnownConsumer> {
    const remembered = this.known.get(key);
    const age = remembered ? Date.now() - remembered.readAt : Infinity;
    if (!remembered || age >= REMEMBERED_MS) return this.read(key);
    // If that fails, it is told to the call that cannot do without.
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
    // Calls that come meanwhile wait for the same reading; one that fails is not remembered.
    this.allDomains = { domains, readAt };
    domains.catch(() => (this.allDomains = undefined));
    return domains;
  }

  /** Calls that come meanwhile wait for the same reading. */
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
