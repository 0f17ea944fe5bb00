import { Inject, Injectable } from '@nestjs/common';
import { Clock, Fault, newId, UnitOfWork } from '#kernel';
import { type Consumer, type Organisation } from '../domain/consumer';
import { newConsumerKey, newConsumerSecret, SecretBox } from '../domain/secret-box';
import { Audit } from './audit';
import { ConsumerStore } from './ports/consumer-store';

/** Organisation of audit rows that concern the installation as a whole. */
const INSTALLATION = { organisation: 0 };

/** Organisations and consumers as an operator manages them. */
@Injectable()
export class Consumers {
  constructor(
    @Inject(ConsumerStore) private readonly store: ConsumerStore,
    @Inject(SecretBox) private readonly box: SecretBox,
    @Inject(UnitOfWork) private readonly work: UnitOfWork,
    @Inject(Audit) private readonly audit: Audit,
    @Inject(Clock) private readonly clock: Clock,
  ) {}

  async organisations(): Promise<Organisation[]> {
    return this.store.organisations();
  }

  async addOrganisation(organisation: Organisation): Promise<void> {
    await this.work.run(async () => {
      if ((await this.store.organisations()).some(({ id }) => id === organisation.id))
        throw new Fault('duplicate', `Organisation ${organisation.id} exists already.`);
      await this.store.addOrganisation(organisation, this.clock.now());
      await this.recordChange(
        'organisation',
        String(organisation.id),
        { name: organisation.name },
        'create organisation',
      );
    });
  }

  async list(): Promise<Consumer[]> {
    return this.store.list();
  }

  /** @throws Fault when there is no such consumer. */
  async find(key: string): Promise<Consumer> {
    return (await this.stored(key)).consumer;
  }

  /** Creates a consumer with a new key, or `key`, and a new secret: the only time that the secret is told. */
  async create(
    wanted: Omit<Consumer, 'key' | 'status'> & { key?: string; secret?: string },
  ): Promise<{ key: string; secret: string }> {
    const { key = newConsumerKey(), secret = newConsumerSecret(), ...properties } = wanted;
    await this.work.run(async () => {
      if (await this.store.find(key)) throw new Fault('duplicate', `Consumer ${key} exists already.`);
      const known = new Set((await this.store.organisations()).map(({ id }) => id));
      for (const { organisation } of properties.grants)
        if (!known.has(organisation))
          throw new Fault('reference-unknown', `Organisation ${organisation} does not exist; create it first.`);
      await this.store.put({ key, status: 'active', ...properties }, this.clock.now());
      await this.addSecret(key, secret);
      await this.recordChange('consumer', key, { after: properties }, 'create consumer');
    });
    return { key, secret };
  }

  async setStatus(key: string, status: Consumer['status']): Promise<void> {
    await this.work.run(async () => {
      const { consumer } = await this.stored(key);
      await this.store.put({ ...consumer, status }, this.clock.now());
      await this.recordChange(
        'consumer',
        key,
        { status },
        status === 'active' ? 'enable consumer' : 'disable consumer',
      );
    });
  }

  /** A new secret beside the old ones, which stay valid for `overlapMs` more. */
  async rotateSecret(key: string, overlapMs: number): Promise<string> {
    const secret = newConsumerSecret();
    await this.work.run(async () => {
      await this.stored(key);
      const until = this.clock.now() + overlapMs;
      await this.store.endSecrets(key, until);
      await this.addSecret(key, secret);
      await this.recordChange('consumer', key, { previous_secrets_valid_until: until }, 'rotate secret');
    });
    return secret;
  }

  /** A secret that is valid now, to sign with on the operator's own machine. */
  async secretOf(key: string): Promise<string> {
    const { secrets } = await this.stored(key);
    const valid = secrets.filter(({ validUntil }) => validUntil === null || validUntil > this.clock.now());
    const newest = valid.sort((a, b) => (a.id < b.id ? 1 : -1))[0];
    if (!newest) throw new Fault('consumer-unknown', `Consumer ${key} has no valid secret; rotate it.`);
    return this.box.open(newest.sealed, key);
  }

  private async stored(key: string) {
    const found = await this.store.find(key);
    if (!found) throw new Fault('consumer-unknown', `There is no consumer ${key}.`);
    return found;
  }

  private async addSecret(key: string, secret: string): Promise<void> {
    await this.store.addSecret(key, {
      id: newId(this.clock.now()),
      sealed: this.box.seal(secret, key),
      validUntil: null,
    });
  }

  private async recordChange(
    subject: 'consumer' | 'organisation',
    key: string,
    detail: Record<string, unknown>,
    operation: string,
  ) {
    await this.audit.record([{ subject, key, detail }], { shelf: INSTALLATION, operation, now: this.clock.now() });
  }
}
