import { Injectable } from '@nestjs/common';
import { newId } from '#kernel';
import { Database, type Parameter, questionMarks } from '#platform';
import { AssetStore } from '../application/ports/asset-store';

@Injectable()
export class SqlAssetStore extends AssetStore {
  constructor(private readonly database: Database) {
    super();
  }

  override async put(
    organisation: number,
    assets: readonly { subkey: string; contentType: string }[],
    itemReferences: readonly string[],
    now: number,
  ): Promise<void> {
    const { dialect } = this.database;
    // All writers lock in the order of the key.
    const inOrder = [...assets].sort((a, b) => (a.subkey < b.subkey ? -1 : 1));
    await this.database.insert(
      'asset',
      ['organisation_id', 'id', 'subkey', 'content_type', 'updated_at'],
      inOrder.map(({ subkey, contentType }) => [organisation, newId(now), subkey, contentType, now]),
      dialect.onDuplicate(['organisation_id', 'subkey'], ['content_type', 'updated_at']),
    );
    if (inOrder.length === 0 || itemReferences.length === 0) return;
    const rows = await this.database.rows<{ id: string }>(
      `SELECT id FROM asset WHERE organisation_id = ? AND subkey IN (${questionMarks(inOrder.length)}) ORDER BY id`,
      [organisation, ...inOrder.map(({ subkey }) => subkey)],
    );
    const references = [...itemReferences].sort();
    await this.database.insert(
      'asset_user',
      ['organisation_id', 'asset_id', 'item_reference'],
      rows.flatMap(({ id }) => references.map((reference): Parameter[] => [organisation, id, reference])),
      dialect.onDuplicate(['organisation_id', 'asset_id', 'item_reference'], []),
    );
  }
}
