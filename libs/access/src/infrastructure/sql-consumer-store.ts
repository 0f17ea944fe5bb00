import { Inject, Injectable } from '@nestjs/common';
import { Database } from '#platform';
import { ConsumerStore, type SealedSecret } from '../application/ports/consumer-store';
import { type Consumer, type Grant, type Organisation } from '../domain/consumer';

interface ConsumerRow {
  consumer_key: string;
  label: string;
  status: Consumer['status'];
  domains: string;
  features: string;
  rate_limits: string;
  legacy_signatures: number;
}

interface GrantRow {
  consumer_key: string;
  organisation_id: number;
  access: Grant['access'];
  is_primary: number;
}

const COLUMNS = 'consumer_key, label, status, domains, features, rate_limits, legacy_signatures';

@Injectable()
export class SqlConsumerStore extends ConsumerStore {
  constructor(@Inject(Database) private readonly database: Database) {
    super();
  }

  override async find(key: string) {
    const row = await this.database.row<ConsumerRow>(`SELECT ${COLUMNS} FROM consumer WHERE consumer_key = ?`, [key]);
    if (!row) return undefined;
    const grants = await this.database.rows<GrantRow>('SELECT * FROM consumer_grant WHERE consumer_key = ?', [key]);
    const secrets = await this.database.rows<{ id: string; sealed: string; valid_until: number | null }>(
      'SELECT id, sealed, valid_until FROM consumer_secret WHERE consumer_key = ?',
      [key],
    );
    return {
      consumer: consumerOf(row, grants),
      secrets: secrets.map(({ id, sealed, valid_until }) => ({ id, sealed, validUntil: valid_until })),
    };
  }

  override async list(): Promise<Consumer[]> {
    const rows = await this.database.rows<ConsumerRow>(
      `SELECT ${COLUMNS} FROM consumer ORDER BY created_at, consumer_key`,
    );
    const grants = await this.database.rows<GrantRow>('SELECT * FROM consumer_grant');
    return rows.map((row) =>
      consumerOf(
        row,
        grants.filter(({ consumer_key }) => consumer_key === row.consumer_key),
      ),
    );
  }

  override async put(consumer: Consumer, now: number): Promise<void> {
    const { dialect } = this.database;
    await this.database.insert(
      'consumer',
      ['consumer_key', 'label', 'status', 'domains', 'features', 'rate_limits', 'legacy_signatures', 'created_at'],
      [
        [
          consumer.key,
          consumer.label,
          consumer.status,
          JSON.stringify(consumer.domains),
          JSON.stringify(consumer.features),
          JSON.stringify(consumer.rateLimits),
          Number(consumer.legacySignatures),
          now,
        ],
      ],
      dialect.onDuplicate(
        ['consumer_key'],
        ['label', 'status', 'domains', 'features', 'rate_limits', 'legacy_signatures'],
      ),
    );
    await this.database.write('DELETE FROM consumer_grant WHERE consumer_key = ?', [consumer.key]);
    await this.database.insert(
      'consumer_grant',
      ['consumer_key', 'organisation_id', 'access', 'is_primary'],
      consumer.grants.map(({ organisation, access, primary }) => [consumer.key, organisation, access, Number(primary)]),
    );
  }

  override async addSecret(key: string, { id, sealed, validUntil }: SealedSecret): Promise<void> {
    await this.database.insert(
      'consumer_secret',
      ['consumer_key', 'id', 'sealed', 'valid_until'],
      [[key, id, sealed, validUntil]],
    );
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

  override async addOrganisation({ id, name }: Organisation, now: number): Promise<void> {
    await this.database.insert('organisation', ['id', 'name', 'settings', 'created_at'], [[id, name, '{}', now]]);
  }
}

function consumerOf(row: ConsumerRow, grants: GrantRow[]): Consumer {
  return {
    key: row.consumer_key,
    label: row.label,
    status: row.status,
    domains: JSON.parse(row.domains) as string[],
    features: JSON.parse(row.features) as string[],
    rateLimits: JSON.parse(row.rate_limits) as Record<string, number>,
    legacySignatures: Boolean(row.legacy_signatures),
    grants: grants.map(({ organisation_id, access, is_primary }) => ({
      organisation: organisation_id,
      access,
      primary: Boolean(is_primary),
    })),
  };
}
