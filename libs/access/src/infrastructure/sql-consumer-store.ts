import { Injectable } from '@nestjs/common';
import { Database, questionMarks } from '#platform';
import { ConsumerStore, type SealedSecret } from '../application/ports/consumer-store';
import { type Consumer, type Grant, type Organisation, type OrganisationWithSettings } from '../domain/consumer';

type ConsumerRow = Pick<Consumer, 'key' | 'label' | 'status'> &
  Record<'domains' | 'features' | 'rateLimits', string> & { legacySignatures: number };

type GrantRow = Pick<Grant, 'organisation' | 'access'> & { key: string; primary: number };

type SecretRow = SealedSecret & { key: string };

const COLUMNS = ['consumer_key', 'label', 'status', 'domains', 'features', 'rate_limits', 'legacy_signatures'];
const CONSUMER = `consumer_key AS "key", label, status, domains, features, rate_limits AS rateLimits,
  legacy_signatures AS legacySignatures`;
const GRANT = 'consumer_key AS "key", organisation_id AS organisation, access, is_primary AS "primary"';
const SECRET = 'consumer_key AS "key", id, sealed, valid_until AS validUntil';

@Injectable()
export class SqlConsumerStore extends ConsumerStore {
  constructor(private readonly database: Database) {
    super();
  }

  override async find(key: string) {
    const [found] = await this.read([key]);
    return found;
  }

  override async lock(keys: readonly string[]) {
    return this.read(keys, this.database.dialect.forUpdate);
  }

  override async list(): Promise<Consumer[]> {
    const rows = await this.database.rows<ConsumerRow>(
      `SELECT ${CONSUMER} FROM consumer ORDER BY created_at, consumer_key`,
    );
    const grants = await this.database.rows<GrantRow>(`SELECT ${GRANT} FROM consumer_grant`);
    return rows.map((row) => consumerOf(row, grants));
  }

  override async add(consumers: readonly Consumer[], now: number): Promise<void> {
    await this.database.run(async () => {
      await this.writeConsumers(consumers, now, '');
      await this.addGrants(consumers);
    });
  }

  override async put(consumers: readonly Consumer[], now: number): Promise<void> {
    if (consumers.length === 0) return;
    const keys = consumers.map(({ key }) => key);
    const changed = COLUMNS.filter((column) => column !== 'consumer_key');
    await this.database.run(async () => {
      await this.writeConsumers(consumers, now, this.database.dialect.onDuplicate(['consumer_key'], changed));
      const these = `consumer_key IN (${questionMarks(keys.length)})`;
      await this.database.write(`DELETE FROM consumer_grant WHERE ${these}`, keys);
      await this.addGrants(consumers);
    });
  }

  override async putSecrets(secrets: readonly (SealedSecret & { key: string })[]): Promise<void> {
    await this.database.insert(
      'consumer_secret',
      ['consumer_key', 'id', 'sealed', 'valid_until'],
      secrets.map(({ key, id, sealed, validUntil }) => [key, id, sealed, validUntil]),
      this.database.dialect.onDuplicate(['consumer_key', 'id'], ['valid_until']),
    );
  }

  override async newestSecret(): Promise<(SealedSecret & { key: string }) | undefined> {
    return this.database.row<SecretRow>(`SELECT ${SECRET} FROM consumer_secret ORDER BY id DESC LIMIT 1`);
  }

  override async endSecrets(key: string, at: number): Promise<void> {
    await this.database.write(
      'UPDATE consumer_secret SET valid_until = ? WHERE consumer_key = ? AND (valid_until IS NULL OR valid_until > ?)',
      [at, key, at],
    );
  }

  override async organisations(): Promise<Organisation[]> {
    return this.database.rows<Organisation>('SELECT id, name FROM organisation ORDER BY id');
  }

  override async settings(organisation: number): Promise<Record<string, unknown>> {
    const row = await this.database.row<{ settings: string }>('SELECT settings FROM organisation WHERE id = ?', [
      organisation,
    ]);
    return row ? (JSON.parse(row.settings) as Record<string, unknown>) : {};
  }

  override async lockOrganisations(ids: readonly number[]): Promise<OrganisationWithSettings[]> {
    if (ids.length === 0) return [];
    const rows = await this.database.rows<{ id: number; name: string; settings: string }>(
      `SELECT id, name, settings FROM organisation WHERE id IN (${questionMarks(ids.length)})
        ORDER BY id ${this.database.dialect.forUpdate}`,
      ids,
    );
    return rows.map(({ id, name, settings }) => ({
      id,
      name,
      settings: JSON.parse(settings) as Record<string, unknown>,
    }));
  }

  override async addOrganisations(organisations: readonly OrganisationWithSettings[], now: number): Promise<void> {
    await this.writeOrganisations(organisations, now, '');
  }

  override async putOrganisations(organisations: readonly OrganisationWithSettings[], now: number): Promise<void> {
    await this.writeOrganisations(organisations, now, this.database.dialect.onDuplicate(['id'], ['name', 'settings']));
  }

  private async read(keys: readonly string[], lock = '') {
    if (keys.length === 0) return [];
    const these = `consumer_key IN (${questionMarks(keys.length)})`;
    const rows = await this.database.rows<ConsumerRow>(
      `SELECT ${CONSUMER} FROM consumer WHERE ${these} ORDER BY consumer_key ${lock}`,
      keys,
    );
    if (rows.length === 0) return [];
    const grants = await this.database.rows<GrantRow>(`SELECT ${GRANT} FROM consumer_grant WHERE ${these}`, keys);
    const secrets = await this.database.rows<SecretRow>(`SELECT ${SECRET} FROM consumer_secret WHERE ${these}`, keys);
    return rows.map((row) => ({
      consumer: consumerOf(row, grants),
      secrets: secrets.filter(({ key }) => key === row.key).map(({ key: _, ...secret }) => secret),
    }));
  }

  private async writeConsumers(consumers: readonly Consumer[], now: number, tail: string): Promise<void> {
    await this.database.insert(
      'consumer',
      [...COLUMNS, 'created_at'],
      consumers.map((consumer) => [
        consumer.key,
        consumer.label,
        consumer.status,
        JSON.stringify(consumer.domains),
        JSON.stringify(consumer.features),
        JSON.stringify(consumer.rateLimits),
        Number(consumer.legacySignatures),
        now,
      ]),
      tail,
    );
  }

  private async addGrants(consumers: readonly Consumer[]): Promise<void> {
    await this.database.insert(
      'consumer_grant',
      ['consumer_key', 'organisation_id', 'access', 'is_primary'],
      consumers.flatMap(({ key, grants }) =>
        grants.map(({ organisation, access, primary }) => [key, organisation, access, Number(primary)]),
      ),
    );
  }

  private async writeOrganisations(
    organisations: readonly OrganisationWithSettings[],
    now: number,
    tail: string,
  ): Promise<void> {
    await this.database.insert(
      'organisation',
      ['id', 'name', 'settings', 'created_at'],
      organisations.map(({ id, name, settings }) => [id, name, JSON.stringify(settings), now]),
      tail,
    );
  }
}

/** @param grants those of this consumer, perhaps among others. */
function consumerOf(row: ConsumerRow, grants: readonly GrantRow[]): Consumer {
  return {
    ...row,
    domains: JSON.parse(row.domains) as string[],
    features: JSON.parse(row.features) as string[],
    rateLimits: JSON.parse(row.rateLimits) as Record<string, number>,
    legacySignatures: Boolean(row.legacySignatures),
    grants: grants
      .filter(({ key }) => key === row.key)
      .map(({ key: _, primary, ...grant }) => ({ ...grant, primary: Boolean(primary) })),
  };
}
