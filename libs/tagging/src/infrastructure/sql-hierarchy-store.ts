import { Injectable } from '@nestjs/common';
import { foldCase } from '#kernel';
import { Database, questionMarks, type SqlPart } from '#platform';
import { HierarchyStore } from '../application/ports/hierarchy-store';
import { type Tag } from '../domain/tag';
import { type HierarchyLevel, type TagHierarchy } from '../domain/tag-hierarchy';

interface Counted {
  id: string;
  count: number;
}

/** A row without an id: content carries the path, but no further tag of the type. */
interface NodeRow {
  id: string | null;
  type: string;
  name: string;
  description: string | null;
  sort_key: number | null;
  updated_at: number;
}

const NODE = 't.id, y.name AS type, t.name, t.name_key, t.description, t.sort_key, t.updated_at';

/** Kinds of content that carry tags. */
const KINDS = ['item', 'activity'];

/** The count below which a tag is rare enough to scan its records. */
const RARE = 1_000;

@Injectable()
export class SqlHierarchyStore extends HierarchyStore {
  /** From this many records, testing each tag of the next type is cheaper than reading each record of the path. */
  protected readonly common: number = 30_000;

  constructor(private readonly database: Database) {
    super();
  }

  override async find(organisation: number, references?: readonly string[]): Promise<TagHierarchy[]> {
    if (references?.length === 0) return [];
    const rows = await this.database.rows<{ reference: string; tag_types: string }>(
      `SELECT reference, tag_types FROM tag_hierarchy WHERE organisation_id = ?
       ${references ? `AND reference IN (${questionMarks(references.length)})` : ''} ORDER BY reference`,
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

  override async tagsBeside(organisation: number, tagIds: readonly string[], type: string): Promise<Tag[] | undefined> {
    const counted = await this.counted(organisation, tagIds);
    const ids = idsOf(counted);
    const path = ids.length > 0 ? this.carried(organisation, ids) : { sql: '1', parameters: [] };
    const isRare = counted.length > 0 && counted[0]!.count < this.common;
    const nodes = isRare ? this.amongCarriers(organisation, ids, type) : this.amongTags(organisation, ids, type);
    // One statement, so that the tags and whether content carries the given ones are read at the same moment.
    const rows = await this.database.rows<NodeRow>(
      `SELECT node.id, node.type, node.name, node.description, node.sort_key, node.updated_at
       FROM (SELECT ${path.sql} AS carried) path LEFT JOIN (${nodes.sql}) node ON 1 = 1
       WHERE path.carried = 1 ORDER BY node.sort_key IS NULL, node.sort_key, node.name_key`,
      [...path.parameters, ...nodes.parameters],
    );
    if (rows.length === 0) return undefined;
    return rows.flatMap(({ id, type, name, description, sort_key, updated_at }) =>
      id === null ? [] : [{ id, type, name, description, sortKey: sort_key, updatedAt: updated_at }],
    );
  }

  override async isCarried(organisation: number, tagIds: readonly string[]): Promise<boolean> {
    const { sql, parameters } = this.carried(organisation, idsOf(await this.counted(organisation, tagIds)));
    return (await this.database.row<{ carried: number }>(`SELECT ${sql} AS carried`, parameters))!.carried === 1;
  }

  /** The tags with the number of records that carry them, counted only as far as it matters, rarest first. */
  private async counted(organisation: number, tagIds: readonly string[]): Promise<Counted[]> {
    if (tagIds.length === 0) return [];
    // One of the tags is usually rare. Then the others need not be counted far.
    const counted = await this.countedUpTo(Math.min(RARE, this.common), organisation, tagIds);
    return counted[0]!.count < RARE ? counted : this.countedUpTo(this.common, organisation, tagIds);
  }

  private async countedUpTo(most: number, organisation: number, tagIds: readonly string[]): Promise<Counted[]> {
    const columns = tagIds.map(
      (_, index) => `(SELECT COUNT(*) FROM (SELECT 1 FROM bank_tag
        WHERE organisation_id = ? AND kind IN ('item', 'activity') AND tag_id = ? LIMIT ${most}) c${index}) AS n${index}`,
    );
    const row = await this.database.row<Record<string, number | string>>(
      `SELECT ${columns.join(', ')}`,
      tagIds.flatMap((id) => [organisation, id]),
    );
    return tagIds.map((id, index) => ({ id, count: Number(row![`n${index}`]) })).sort((a, b) => a.count - b.count);
  }

  /** A condition: some record carries all of the tags. */
  private carried(organisation: number, ids: readonly string[]): SqlPart {
    const kinds = KINDS.map((kind) => this.carriers(organisation, kind, ids, '1'));
    return {
      sql: `(${kinds.map(({ sql }) => `EXISTS (${sql})`).join(' OR ')})`,
      parameters: kinds.flatMap(({ parameters }) => parameters),
    };
  }

  /** For a path that few records carry: reads the tags of these records. */
  private amongCarriers(organisation: number, ids: readonly string[], type: string): SqlPart {
    const kinds = KINDS.map((kind) => {
      const record = `CROSS JOIN bank_record r ON r.organisation_id = a.organisation_id AND r.kind = '${kind}' AND r.id = a.record_id`;
      return this.carriers(organisation, kind, ids, 'r.tag_set_id', record);
    });
    return {
      sql: `SELECT ${NODE} FROM (
          SELECT DISTINCT ${this.database.dialect.inWrittenOrder} s.tag_id
          FROM (${kinds.map(({ sql }) => sql).join(' UNION ')}) sets
          CROSS JOIN tag_set s ON s.organisation_id = ? AND s.id = sets.tag_set_id) held
        JOIN tag t ON t.organisation_id = ? AND t.id = held.tag_id
        JOIN tag_type y ON y.organisation_id = t.organisation_id AND y.id = t.tag_type_id
        WHERE y.name_key = ?`,
      parameters: [...kinds.flatMap(({ parameters }) => parameters), organisation, organisation, foldCase(type)],
    };
  }

  /**
   * For a path that many records carry, mostly with every tag of the next type: tests for each tag whether one record
   * carries it.
   */
  private amongTags(organisation: number, ids: readonly string[], type: string): SqlPart {
    const kinds = KINDS.map((kind) => this.carriers(organisation, kind, [undefined, ...ids], '1'));
    return {
      sql: `SELECT ${NODE} FROM tag_type y JOIN tag t ON t.organisation_id = y.organisation_id AND t.tag_type_id = y.id
        WHERE y.organisation_id = ? AND y.name_key = ?
          AND (${kinds.map(({ sql }) => `EXISTS (${sql})`).join(' OR ')})`,
      parameters: [organisation, foldCase(type), ...kinds.flatMap(({ parameters }) => parameters)],
    };
  }

  /**
   * The records of a kind that carry all of the tags. `a` is the first tag, which has the fewest records. When absent,
   * it is
   * the tag of an outer row `t`. The kind is a literal and the order of the tables is fixed by CROSS JOIN: SQLite
   * otherwise
   * plans for seconds over 50 tables whose columns are all equal.
   */
  private carriers(
    organisation: number,
    kind: string,
    [first, ...others]: readonly (string | undefined)[],
    columns: string,
    join = '',
  ): SqlPart {
    const joins = others.map(
      (_, index) => `CROSS JOIN bank_tag b${index} ON b${index}.organisation_id = ? AND b${index}.kind = '${kind}'
        AND b${index}.tag_id = ? AND b${index}.record_id = a.record_id`,
    );
    return {
      sql: `SELECT ${this.database.dialect.inWrittenOrder} ${columns} FROM bank_tag a ${joins.join(' ')} ${join}
        WHERE a.organisation_id = ? AND a.kind = '${kind}' AND a.tag_id = ${first === undefined ? 't.id' : '?'}`,
      parameters: [
        ...others.flatMap((id) => [organisation, id!]),
        organisation,
        ...(first === undefined ? [] : [first]),
      ],
    };
  }
}

const idsOf = (tags: readonly Counted[]): string[] => tags.map(({ id }) => id);
