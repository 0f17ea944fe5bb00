import { Injectable } from '@nestjs/common';
import { foldCase } from '#kernel';
import { Database, questionMarks, type SqlPart } from '#platform';
import { HierarchyStore } from '../application/ports/hierarchy-store';
import { type Tag } from '../domain/tag';
import { type HierarchyLevel, type TagHierarchy } from '../domain/tag-hierarchy';
import { TagUses } from './tag-uses';

interface Counted {
  id: string;
  count: number;
}

const NODE = 't.id, y.name AS type, t.name, t.name_key, t.description, t.sort_key, t.updated_at';

/** The count below which a tag is rare enough to scan its records. */
const RARE = 1_000;

@Injectable()
export class SqlHierarchyStore extends HierarchyStore {
  /** From this many records, testing each tag of the next type is cheaper than reading each record of the path. */
  protected readonly common: number = 30_000;

  constructor(
    private readonly database: Database,
    private readonly uses: TagUses,
  ) {
    super();
  }

  override async find(organisation: number, references?: readonly string[]): Promise<TagHierarchy[]> {
    return this.read(organisation, references, '');
  }

  override async lock(organisation: number, references: readonly string[]): Promise<TagHierarchy[]> {
    return this.read(organisation, references, this.database.dialect.forUpdate);
  }

  private async read(
    organisation: number,
    references: readonly string[] | undefined,
    locking: string,
  ): Promise<TagHierarchy[]> {
    if (references?.length === 0) return [];
    const rows = await this.database.rows<{ reference: string; tag_types: string }>(
      `SELECT reference, tag_types FROM tag_hierarchy WHERE organisation_id = ?
       ${references ? `AND reference IN (${questionMarks(references.length)})` : ''} ORDER BY reference ${locking}`,
      [organisation, ...(references ?? [])],
    );
    return rows.map(({ reference, tag_types }) => ({
      reference,
      tagTypes: JSON.parse(tag_types) as HierarchyLevel[],
    }));
  }

  override async put(organisation: number, hierarchies: readonly TagHierarchy[]): Promise<void> {
    await this.database.insert(
      'tag_hierarchy',
      ['organisation_id', 'reference', 'tag_types'],
      [...hierarchies]
        .sort((a, b) => (a.reference < b.reference ? -1 : 1))
        .map(({ reference, tagTypes }) => [
          organisation,
          reference,
          JSON.stringify(tagTypes.map(({ name, description }) => ({ name, description }))),
        ]),
      this.database.dialect.onDuplicate(['organisation_id', 'reference'], ['tag_types']),
    );
  }

  override async remove(organisation: number, references: readonly string[]): Promise<void> {
    const condition = { sql: 'organisation_id = ?', parameters: [organisation] };
    await this.database.remove('tag_hierarchy', condition, 'reference', references);
  }

  override async tagsTogetherWith(
    organisation: number,
    tagIds: readonly string[],
    type: string,
  ): Promise<Tag[] | undefined> {
    const counted = await this.counted(organisation, tagIds);
    const ids = idsOf(counted);
    const path = ids.length > 0 ? this.uses.inBank(organisation, ids) : { sql: '1', parameters: [] };
    const isRare = counted.length > 0 && counted[0]!.count < this.common;
    const nodes = isRare ? this.amongCarriers(organisation, ids, type) : this.amongTags(organisation, ids, type);
    // One statement, so that the tags and whether content carries the given ones are read at the same moment.
    const rows = await this.database.rows<Tag | { id: null }>(
      `SELECT node.id, node.type, node.name, node.description, node.sort_key AS sortKey, node.updated_at AS updatedAt
       FROM (SELECT ${path.sql} AS carried) path LEFT JOIN (${nodes.sql}) node ON 1 = 1
       WHERE path.carried = 1 ORDER BY node.sort_key IS NULL, node.sort_key, node.name_key`,
      [...path.parameters, ...nodes.parameters],
    );
    if (rows.length === 0) return undefined;
    // A row without an id says only that some content carries the path.
    return rows.filter((row) => row.id !== null);
  }

  override async isCarried(organisation: number, tagIds: readonly string[]): Promise<boolean> {
    const { sql, parameters } = this.uses.inBank(organisation, idsOf(await this.counted(organisation, tagIds)));
    return (await this.database.row<{ carried: number }>(`SELECT ${sql} AS carried`, parameters))!.carried === 1;
  }

  /**
   * The tags with the number of records that carry them, rarest first. Counting stops when a higher number would not
   * matter.
   */
  private async counted(organisation: number, tagIds: readonly string[]): Promise<Counted[]> {
    if (tagIds.length === 0) return [];
    // One of the tags is usually rare. Then a low limit is enough for the others.
    const counted = await this.countedUpTo(Math.min(RARE, this.common), organisation, tagIds);
    return counted[0]!.count < RARE ? counted : this.countedUpTo(this.common, organisation, tagIds);
  }

  private async countedUpTo(limit: number, organisation: number, tagIds: readonly string[]): Promise<Counted[]> {
    const counts = await this.uses.count(organisation, tagIds, limit);
    return tagIds.map((id, index) => ({ id, count: counts[index]! })).sort((a, b) => a.count - b.count);
  }

  /** For a path that few records carry: reads the tags of these records. */
  private amongCarriers(organisation: number, ids: readonly string[], type: string): SqlPart {
    const sets = this.uses.tagSets(organisation, ids);
    return {
      sql: `SELECT ${NODE} FROM (
          SELECT DISTINCT ${this.database.dialect.inWrittenOrder} s.tag_id
          FROM (${sets.sql}) sets
          CROSS JOIN tag_set s ON s.organisation_id = ? AND s.id = sets.tag_set_id) held
        JOIN tag t ON t.organisation_id = ? AND t.id = held.tag_id
        JOIN tag_type y ON y.organisation_id = t.organisation_id AND y.id = t.tag_type_id
        WHERE y.name_key = ?`,
      parameters: [...sets.parameters, organisation, organisation, foldCase(type)],
    };
  }

  /**
   * For a path that many records carry, mostly with every tag of the next type: tests for each tag whether one record
   * carries it.
   */
  private amongTags(organisation: number, ids: readonly string[], type: string): SqlPart {
    const carried = this.uses.inBank(organisation, ids, 't.id');
    return {
      sql: `SELECT ${NODE} FROM tag_type y JOIN tag t ON t.organisation_id = y.organisation_id AND t.tag_type_id = y.id
        WHERE y.organisation_id = ? AND y.name_key = ? AND ${carried.sql}`,
      parameters: [organisation, foldCase(type), ...carried.parameters],
    };
  }
}

const idsOf = (tags: readonly Counted[]): string[] => tags.map(({ id }) => id);
