import { Injectable } from '@nestjs/common';
import { type Author, Clock, Fault, newId, UnitOfWork } from '#kernel';
import { type Consumer, type Organisation, type OrganisationWithSettings } from '../domain/consumer';
import { type RateLimits } from '../domain/rate-limits';
import { newConsumerKey, newConsumerSecret, SecretBox } from '../domain/secret-box';
import { Audit } from './audit';
import { ConsumerStore, type SealedSecret } from './ports/consumer-store';

/** The organisation of audit rows that concern the whole installation. */
const INSTALLATION = { organisation: 0 };

/** Locked organisations by id and consumers by key, as stored at the time of the lock. */
interface Held {
  organisations: ReadonlyMap<number, OrganisationWithSettings>;
  consumers: ReadonlyMap<string, { consumer: Consumer; secrets: SealedSecret[] }>;
}

/** The wanted state of organisations and consumers. */
interface Wanted {
  organisations: readonly OrganisationWithSettings[];
  consumers: readonly Consumer[];
  secrets: readonly SecretsChange[];
}

/** The changes to the secrets of a consumer. */
export interface SecretsChange {
  key: string;
  added: string[];
  /** Secrets that had an end of validity and now have none. */
  prolonged: SealedSecret[];
  ended: SealedSecret[];
}

/** Manages organisations and consumers for operators. */
@Injectable()
export class Consumers {
  constructor(
    private readonly store: ConsumerStore,
    private readonly box: SecretBox,
    private readonly work: UnitOfWork,
    private readonly audit: Audit,
    private readonly clock: Clock,
  ) {}

  async organisations(): Promise<Organisation[]> {
    return this.store.organisations();
  }

  /** Settings that an operator made for the organisation, such as `enforce_workflow_moves`. */
  async settings(organisation: number): Promise<Record<string, unknown>> {
    return this.store.settings(organisation);
  }

  async addOrganisation(organisation: Organisation, by?: Author): Promise<void> {
    await this.work.run(async () => {
      if ((await this.store.organisations()).some(({ id }) => id === organisation.id))
        throw new Fault('duplicate', `Organisation ${organisation.id} exists already.`);
      await this.store.addOrganisations([{ ...organisation, settings: {} }], this.clock.now());
      await this.recordChange(
        'organisation',
        String(organisation.id),
        { name: organisation.name },
        'create organisation',
        by,
      );
    });
  }

  /** @throws Fault when the organisation does not exist. */
  async renameOrganisation({ id, name }: Organisation, by?: Author): Promise<void> {
    await this.work.run(async () => {
      const [before] = await this.store.lockOrganisations([id]);
      if (!before) throw new Fault('reference-unknown', `There is no organisation ${id}.`);
      if (before.name === name) return;
      await this.store.putOrganisations([{ ...before, name }], this.clock.now());
      const detail = { before: { name: before.name }, after: { name } };
      await this.recordChange('organisation', String(id), detail, 'rename organisation', by);
    });
  }

  async list(): Promise<Consumer[]> {
    return this.store.list();
  }

  /** @throws Fault when the consumer does not exist. */
  async find(key: string): Promise<Consumer> {
    return (await this.stored(key)).consumer;
  }

  /** @throws Fault when SECRETS_KEY cannot open the newest stored secret. Without secrets, any key is correct. */
  async checkSecretsKey(): Promise<void> {
    const newest = await this.store.newestSecret();
    if (newest) this.opened(newest, newest.key);
  }

  /**
   * Creates a consumer with `key`, or a new key, and a new secret. The secret is returned only here.
   * @param by the author; absent for the command line. The same holds for the methods below.
   */
  async create(
    wanted: Omit<Consumer, 'key' | 'status'> & { key?: string; secret?: string },
    by?: Author,
  ): Promise<{ key: string; secret: string }> {
    const { key = newConsumerKey(), secret = newConsumerSecret(), ...properties } = wanted;
    await this.checkSecretsKey();
    await this.work.run(async () => {
      if (await this.store.find(key)) throw new Fault('duplicate', `Consumer ${key} exists already.`);
      const known = new Set((await this.store.organisations()).map(({ id }) => id));
      for (const { organisation } of properties.grants)
        if (!known.has(organisation))
          throw new Fault('reference-unknown', `Organisation ${organisation} does not exist; create it first.`);
      await this.store.add([{ key, status: 'active', ...properties }], this.clock.now());
      await this.store.putSecrets([this.newSecret(key, secret)]);
      await this.recordChange('consumer', key, { after: properties }, 'create consumer', by);
    });
    return { key, secret };
  }

  async setStatus(key: string, status: Consumer['status'], by?: Author): Promise<void> {
    await this.work.run(async () => {
      const { consumer } = await this.locked(key);
      await this.store.put([{ ...consumer, status }], this.clock.now());
      await this.recordChange(
        'consumer',
        key,
        { status },
        status === 'active' ? 'enable consumer' : 'disable consumer',
        by,
      );
    });
  }

  /** Replaces the consumer's own limits. Without own limits, the published ones apply. */
  async setRateLimits(key: string, rateLimits: RateLimits, by?: Author): Promise<void> {
    await this.work.run(async () => {
      const { consumer } = await this.locked(key);
      await this.store.put([{ ...consumer, rateLimits }], this.clock.now());
      const detail = { before: { rateLimits: consumer.rateLimits }, after: { rateLimits } };
      await this.recordChange('consumer', key, detail, 'set rate limits', by);
    });
  }

  /** Adds a new secret. Older secrets stay valid for `overlapMs` more. */
  async rotateSecret(key: string, overlapMs: number, by?: Author): Promise<string> {
    const secret = newConsumerSecret();
    await this.work.run(async () => {
      await this.locked(key);
      const until = this.clock.now() + overlapMs;
      await this.store.endSecrets(key, until);
      await this.store.putSecrets([this.newSecret(key, secret)]);
      await this.recordChange('consumer', key, { previous_secrets_valid_until: until }, 'rotate secret', by);
    });
    return secret;
  }

  /** A secret that is valid now, for signing on the operator's own machine. */
  async secretOf(key: string): Promise<string> {
    const { secrets } = await this.stored(key);
    const valid = secrets.filter(({ validUntil }) => validUntil === null || validUntil > this.clock.now());
    const newest = valid.sort((a, b) => (a.id < b.id ? 1 : -1))[0];
    if (!newest) throw new Fault('consumer-unknown', `Consumer ${key} has no valid secret; rotate it.`);
    return this.box.open(newest.sealed, key);
  }

  /** Locks the existing organisations and consumers until the unit of work ends, and returns them. */
  async hold(organisations: readonly number[], keys: readonly string[]): Promise<Held> {
    const heldOrganisations = await this.store.lockOrganisations(organisations);
    const consumers = await this.store.lock(keys);
    return {
      organisations: new Map(heldOrganisations.map((organisation) => [organisation.id, organisation])),
      consumers: new Map(consumers.map((held) => [held.consumer.key, held])),
    };
  }

  /** The changes that make exactly the `wanted` secrets valid. Secrets that are already valid stay as they are. */
  secretsChange(key: string, wanted: readonly string[], { consumers }: Held): SecretsChange {
    const now = this.clock.now();
    const valid = (consumers.get(key)?.secrets ?? [])
      .filter(({ validUntil }) => validUntil === null || validUntil > now)
      .map((stored) => ({ stored, secret: this.opened(stored, key) }));
    // eslint-disable-next-line no-restricted-syntax -- both secrets belong to the operator who calls this
    const kept = wanted.map((secret) => valid.find((each) => each.secret === secret)?.stored);
    return {
      key,
      added: wanted.filter((_, index) => !kept[index]),
      prolonged: kept.filter((stored) => stored !== undefined && stored.validUntil !== null) as SealedSecret[],
      ended: valid.filter(({ stored }) => !kept.includes(stored)).map(({ stored }) => stored),
    };
  }

  /**
   * Creates what is not in `held` and updates the rest as wanted. Call it inside the unit of work of {@link hold};
   * the caller writes the audit entries.
   */
  async save({ organisations, consumers, secrets }: Wanted, held: Held): Promise<void> {
    const now = this.clock.now();
    const { organisations: ids, consumers: keys } = held;
    await this.store.addOrganisations(
      organisations.filter(({ id }) => !ids.has(id)),
      now,
    );
    await this.store.putOrganisations(
      organisations.filter(({ id }) => ids.has(id)),
      now,
    );
    await this.store.add(
      consumers.filter(({ key }) => !keys.has(key)),
      now,
    );
    await this.store.put(
      consumers.filter(({ key }) => keys.has(key)),
      now,
    );
    await this.store.putSecrets(
      secrets.flatMap(({ key, added, prolonged, ended }) => [
        ...ended.map((each) => ({ ...each, key, validUntil: now })),
        ...prolonged.map((each) => ({ ...each, key, validUntil: null })),
        ...added.map((secret) => this.newSecret(key, secret)),
      ]),
    );
  }

  private async stored(key: string) {
    return orUnknown(await this.store.find(key), key);
  }

  private async locked(key: string) {
    const [found] = await this.store.lock([key]);
    return orUnknown(found, key);
  }

  private opened({ sealed }: SealedSecret, key: string): string {
    try {
      return this.box.open(sealed, key);
    } catch {
      throw new Fault(
        'conflict',
        `The stored secrets of consumer ${key} do not open; SECRETS_KEY must be the one with which they were stored.`,
      );
    }
  }

  private newSecret(key: string, secret: string): SealedSecret & { key: string } {
    return { key, id: newId(this.clock.now()), sealed: this.box.seal(secret, key), validUntil: null };
  }

  private async recordChange(
    subject: 'consumer' | 'organisation',
    key: string,
    detail: Record<string, unknown>,
    operation: string,
    by?: Author,
  ) {
    const scope = { shelf: INSTALLATION, operation, now: this.clock.now(), author: by };
    await this.audit.record([{ subject, key, detail }], scope);
  }
}

function orUnknown<T>(found: T | undefined, key: string): T {
  if (!found) throw new Fault('consumer-unknown', `There is no consumer ${key}.`);
  return found;
}
