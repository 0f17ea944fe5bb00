import { Injectable } from '@nestjs/common';
import { type PoolShelf } from '#kernel';
import { Database, questionMarks, type SqlPart } from '#platform';
import { type TagUse, TagUses } from '#tagging';

/** Kinds of content that carry tags. Statements have one condition per kind, because the indexes begin with the kind. */
const KINDS = ['item', 'activity'];

@Injectable()
export class SqlTagUses extends TagUses {
  constructor(private readonly database: Database) {
    super();
  }

  override async count(organisation: number, tagIds: readonly string[], limit: number): Promise<number[]> {
    const columns = tagIds.map(
      (_, index) => `(SELECT COUNT(*) FROM (SELECT 1 FROM bank_tag
        WHERE organisation_id = ? AND kind IN ('item', 'activity') AND tag_id = ? LIMIT ${limit}) c${index}) AS n${index}`,
    );
    const row = await this.database.row<Record<string, number | string>>(
      `SELECT ${columns.join(', ')}`,
      tagIds.flatMap((id) => [organisation, id]),
    );
    return tagIds.map((_, index) => Number(row![`n${index}`]));
  }

  override async of(organisation: number, tagIds: readonly string[]): Promise<Map<string, TagUse>> {
    const found = new Map<string, TagUse>();
    if (tagIds.length === 0) return found;
    const use = (id: string): TagUse => {
      const known = found.get(id) ?? { items: 0, activities: 0 };
      found.set(id, known);
      return known;
    };
    const ids = questionMarks(tagIds.length);
    const carried = await this.database.rows<{ id: string; kind: string; n: number | string }>(
      `SELECT tag_id AS id, kind, COUNT(*) AS n FROM bank_tag
       WHERE organisation_id = ? AND kind IN ('item', 'activity') AND tag_id IN (${ids}) GROUP BY tag_id, kind`,
      [organisation, ...tagIds],
    );
    for (const { id, kind, n } of carried) use(id)[kind === 'item' ? 'items' : 'activities'] = Number(n);
    return found;
  }

  override inBank(organisation: number, tagIds: readonly string[], outer?: string): SqlPart {
    const [first, others] = outer === undefined ? [tagIds[0]!, tagIds.slice(1)] : [{ column: outer }, tagIds];
    return either(KINDS.map((kind) => this.carriers(organisation, kind, first, others, '1')));
  }

  override tagSets(organisation: number, [first, ...others]: readonly string[]): SqlPart {
    const kinds = KINDS.map((kind) => {
      const record = `CROSS JOIN bank_record r ON r.organisation_id = a.organisation_id AND r.kind = '${kind}' AND r.id = a.record_id`;
      return this.carriers(organisation, kind, first!, others, 'r.tag_set_id', record);
    });
    return {
      sql: kinds.map(({ sql }) => sql).join(' UNION '),
      parameters: kinds.flatMap(({ parameters }) => parameters),
    };
  }

  override inPool({ id, generation }: PoolShelf): SqlPart {
    return either(
      KINDS.map((kind) => ({
        sql: `SELECT 1 FROM pool_tag c
          JOIN pool_record r ON r.organisation_id = c.organisation_id AND r.pool_id = c.pool_id AND r.kind = c.kind
            AND r.id = c.record_id AND r.from_generation = c.from_generation
          WHERE c.organisation_id = t.organisation_id AND c.pool_id = ? AND c.kind = '${kind}' AND c.tag_id = t.id
            AND r.from_generation <= ? AND r.to_generation > ?`,
        parameters: [id, generation, generation],
      })),
    );
  }

  /**
   * The records of a kind that carry all of the tags, beginning with the rows `a` of the first one. The kind is a literal, and
   * CROSS JOIN fixes the order of the tables: SQLite otherwise plans for seconds over 50 tables whose columns are all equal.
   */
  private carriers(
    organisation: number,
    kind: string,
    first: string | { column: string },
    others: readonly string[],
    columns: string,
    join = '',
  ): SqlPart {
    const joins = others.map(
      (_, index) => `CROSS JOIN bank_tag b${index} ON b${index}.organisation_id = ? AND b${index}.kind = '${kind}'
        AND b${index}.tag_id = ? AND b${index}.record_id = a.record_id`,
    );
    const isGiven = typeof first === 'string';
    return {
      sql: `SELECT ${this.database.dialect.inWrittenOrder} ${columns} FROM bank_tag a ${joins.join(' ')} ${join}
        WHERE a.organisation_id = ? AND a.kind = '${kind}' AND a.tag_id = ${isGiven ? '?' : first.column}`,
      parameters: [...others.flatMap((id) => [organisation, id]), organisation, ...(isGiven ? [first] : [])],
    };
  }
}

/** A condition: one of the SELECTs finds a row. */
function either(selects: readonly SqlPart[]): SqlPart {
  return {
    sql: `(${selects.map(({ sql }) => `EXISTS (${sql})`).join(' OR ')})`,
    parameters: selects.flatMap(({ parameters }) => parameters),
  };
}
