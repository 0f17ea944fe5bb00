import { foldCase } from '#kernel';
import { type Database, questionMarks, type SqlPart } from '#platform';
import { fromTagSet, tagKey, tagOfType, type TagPattern, type TagQuery, type Tags } from '#tagging';
import { type RecordQuery } from '../application/ports/shelf-reader';
import { type Kind } from '../domain/record';

/** The tables of the records `r` of a kind and their tags: of the bank or of a pool. */
interface Carriers {
  /** A cache key of these carriers. */
  key: string;
  records: string;
  tags: string;
  /** The condition that a row of `alias`, of either table, belongs to these carriers. */
  of(alias: string): SqlPart;
  /**
   * The condition that a tag row of `alias` belongs to the same record as `other`: a tag row `a`, or the record `r`.
   */
  same(alias: string, other: 'a' | 'r'): string;
}

export function bankCarriers(organisation: number, kind: Kind): Carriers {
  return {
    key: `${organisation} ${kind}`,
    records: 'bank_record',
    tags: 'bank_tag',
    of: (alias) => ({ sql: `${alias}.organisation_id = ? AND ${alias}.kind = ?`, parameters: [organisation, kind] }),
    same: (alias, other) => `${alias}.record_id = ${idOf(other)}`,
  };
}

export function poolCarriers(organisation: number, pool: string, kind: Kind): Carriers {
  return {
    key: `${organisation} ${kind} ${pool}`,
    records: 'pool_record',
    tags: 'pool_tag',
    of: (alias) => ({
      sql: `${alias}.organisation_id = ? AND ${alias}.pool_id = ? AND ${alias}.kind = ?`,
      parameters: [organisation, pool, kind],
    }),
    same: (alias, other) =>
      `${alias}.record_id = ${idOf(other)} AND ${alias}.from_generation = ${other}.from_generation`,
  };
}

const idOf = (other: 'a' | 'r') => (other === 'r' ? 'r.id' : 'a.record_id');

/** How to run a search by tags. */
export interface TagPlan {
  /** The rows of one tag, joined with their records `r`. The search begins with them. Absent: it begins with `r`. */
  driver?: SqlPart & { hint: string };
  joins: SqlPart;
  conditions: SqlPart[];
}

/** How to run a search by tags in the bank at a moment in the past. */
export interface PastTagPlan {
  /** For records that have not changed since that moment. */
  now: TagPlan;
  /**
   * For changed records: begins with the records that carry or once carried the rarest required tag. Absent when that tag
   * is common.
   */
  driver?: SqlPart;
  /** The conditions on the revisions `v` of that moment. */
  past: SqlPart[];
}

/** A tag with more records than this is common. How many more does not matter. */
const COMMON = 10_000;
/** How long a count is cached. It only helps to choose where to begin. */
const COUNT_MS = 60_000;

/** Turns conditions on tags into the statement that reads least. */
export class SqlTagFilter {
  private readonly counts = new Map<string, { count: number; countedAt: number }>();

  constructor(
    private readonly database: Database,
    private readonly tags: Tags,
  ) {}

  /**
   * Returns `nothing` when a required tag does not exist, because then no record matches.
   * @param mayDrive whether the search may begin with the rows of a tag.
   */
  async plan(
    organisation: number,
    query: RecordQuery,
    carriers: Carriers,
    mayDrive = true,
  ): Promise<TagPlan | 'nothing'> {
    const asked = query.tags && (await this.identified(organisation, query.tags));
    return asked === 'nothing' ? asked : this.planOf(query, asked, carriers, mayDrive);
  }

  async planPast(organisation: number, query: RecordQuery): Promise<PastTagPlan | 'nothing'> {
    const asked = query.tags && (await this.identified(organisation, query.tags));
    if (asked === 'nothing') return asked;
    const { kind } = query;
    const carriers = bankCarriers(organisation, kind);
    const now = await this.planOf(query, asked, carriers);
    if (!asked) return { now, past: [] };
    const past = pastConditions(asked);
    const [rarest] = await this.counted(carriers, asked.required);
    if (!rarest || rarest.count === COMMON) return { now, past };
    const carried = (table: string) =>
      `SELECT record_id FROM ${table} WHERE organisation_id = ? AND kind = ? AND tag_id = ?`;
    const driver: SqlPart = {
      sql: `(${carried('bank_tag')} UNION ${carried('former_tag')}) c
        CROSS JOIN bank_record r ON r.organisation_id = ? AND r.kind = ? AND r.id = c.record_id`,
      parameters: [organisation, kind, rarest.id, organisation, kind, rarest.id, organisation, kind],
    };
    return { now, driver, past };
  }

  /** The tags with their ids. Tags that do not exist are allowed only in alternatives and exclusions. */
  private async identified(organisation: number, tags: TagQuery): Promise<Identified | 'nothing'> {
    const ids = await this.tags.lookUp(organisation, [...tags.all, ...tags.either, ...tags.none].filter(isNamed));
    const idOf = (pattern: TagPattern) => (isNamed(pattern) ? ids.get(tagKey(pattern)) : undefined);
    const required = [...new Set(tags.all.filter(isNamed).map(idOf))];
    if (required.includes(undefined)) return 'nothing';
    const anyOf = (patterns: readonly TagPattern[], alias: string): SqlPart | undefined => {
      const named = patterns
        .filter(isNamed)
        .map(idOf)
        .filter((id) => id !== undefined);
      const types = patterns.filter((pattern) => !isNamed(pattern)).map(({ type }) => foldCase(type));
      const alternatives = [
        ...(named.length > 0 ? [`${alias}.tag_id IN (${questionMarks(named.length)})`] : []),
        ...types.map(() => tagOfType(`${alias}.organisation_id`, `${alias}.tag_id`)),
      ];
      return alternatives.length > 0
        ? { sql: `(${alternatives.join(' OR ')})`, parameters: [...named, ...types] }
        : undefined;
    };
    if (tags.either.length > 0 && !anyOf(tags.either, 'b')) return 'nothing';
    return { tags, required: required as string[], anyOf };
  }

  private async planOf(
    { sort, references }: RecordQuery,
    asked: Identified | undefined,
    carriers: Carriers,
    mayDrive = true,
  ): Promise<TagPlan> {
    const plan: TagPlan = { joins: { sql: '', parameters: [] }, conditions: [] };
    if (!asked) return plan;
    const { tags, required, anyOf } = asked;
    const begins = mayDrive ? (sort.field === 'created' && !references ? 'in order' : 'when rare') : 'never';
    await this.addRequired(plan, carriers, required, begins);

    const rowsWith = (wanted: SqlPart): SqlPart => {
      const of = carriers.of('b');
      return {
        sql: `FROM ${carriers.tags} b WHERE ${of.sql} AND ${carriers.same('b', 'r')} AND ${wanted.sql}`,
        parameters: [...of.parameters, ...wanted.parameters],
      };
    };
    const alternatives = [
      ...tags.all.filter((pattern) => !isNamed(pattern)).map((pattern) => anyOf([pattern], 'b')!),
      ...(tags.either.length > 0 ? [anyOf(tags.either, 'b')!] : []),
    ];
    for (const wanted of alternatives) {
      // For EXISTS, servers first read all records with such a tag. If there are many, the tags of each record are read
      // instead, because they are few.
      const isCommon = (await this.count(carriers, wanted)) === COMMON;
      const { sql, parameters } = rowsWith(wanted);
      plan.conditions.push(isCommon ? inTagSet('r', wanted, '> 0') : { sql: `EXISTS (SELECT 1 ${sql})`, parameters });
    }
    const named = tags.none.filter(isNamed);
    const none = anyOf(named, 'x');
    if (none) {
      // NOT EXISTS would be slow: both servers would first read all records with the tag.
      const of = carriers.of('x');
      plan.joins.sql += ` LEFT JOIN ${carriers.tags} x ON ${of.sql} AND ${none.sql} AND ${carriers.same('x', 'r')}`;
      plan.joins.parameters.push(...of.parameters, ...none.parameters);
      plan.conditions.push({ sql: 'x.record_id IS NULL', parameters: [] });
    }
    const types = anyOf(
      tags.none.filter((pattern) => !isNamed(pattern)),
      'b',
    );
    if (types) plan.conditions.push(inTagSet('r', types, '= 0'));
    return plan;
  }

  /**
   * Adds required tags. The search begins with the rarest one, and looks up the others. If even the rarest is common, and
   * its rows are not in the requested order, the search goes through the records in that order instead.
   */
  private async addRequired(
    plan: TagPlan,
    carriers: Carriers,
    ids: string[],
    begins: 'in order' | 'when rare' | 'never',
  ): Promise<void> {
    if (ids.length === 0) return;
    // Counts are needed only to choose between tags, or between the tag and the records.
    const needsNoChoice = begins === 'never' || (ids.length === 1 && begins === 'in order');
    const counted = needsNoChoice ? ids.map((id) => ({ id, count: 0 })) : await this.counted(carriers, ids);
    const [rarest, ...others] = counted;
    const beginsWithTag = begins === 'in order' || (begins === 'when rare' && rarest!.count < COMMON);
    const lookedUp = beginsWithTag ? others : counted;
    if (beginsWithTag) {
      const records = carriers.of('r');
      const tags = carriers.of('a');
      plan.driver = {
        // The tables are read in the written order: first the rows of the tag, newest first, then their records.
        hint: this.database.dialect.inWrittenOrder,
        sql: `${carriers.tags} a CROSS JOIN ${carriers.records} r ON ${records.sql} AND ${carriers.same('a', 'r')}`,
        parameters: records.parameters,
      };
      plan.conditions.push({ sql: `${tags.sql} AND a.tag_id = ?`, parameters: [...tags.parameters, rarest!.id] });
    }
    for (const [index, { id }] of lookedUp.entries()) {
      const alias = `t${index}`;
      const of = carriers.of(alias);
      plan.joins.sql += ` JOIN ${carriers.tags} ${alias} ON ${of.sql} AND ${alias}.tag_id = ?
        AND ${carriers.same(alias, beginsWithTag ? 'a' : 'r')}`;
      plan.joins.parameters.push(...of.parameters, id);
    }
  }

  /** The tags with the number of their records, rarest first. */
  private async counted(carriers: Carriers, ids: string[]): Promise<{ id: string; count: number }[]> {
    const counted = await Promise.all(
      ids.map(async (id) => ({ id, count: await this.count(carriers, { sql: 'b.tag_id = ?', parameters: [id] }) })),
    );
    return counted.sort((a, b) => a.count - b.count);
  }

  /** The number of rows `b` of tags that meet a condition, counted up to `COMMON`. */
  private async count(carriers: Carriers, { sql, parameters }: SqlPart): Promise<number> {
    const key = JSON.stringify([carriers.key, sql, parameters]);
    const known = this.counts.get(key);
    if (known && Date.now() - known.countedAt < COUNT_MS) return known.count;
    const of = carriers.of('b');
    const row = await this.database.row<{ count: number | string }>(
      `SELECT COUNT(*) AS count FROM (SELECT 1 FROM ${carriers.tags} b
        WHERE ${of.sql} AND ${sql} LIMIT ${COMMON}) counted`,
      [...of.parameters, ...parameters],
    );
    if (this.counts.size > COMMON) this.counts.clear();
    const count = Number(row!.count);
    this.counts.set(key, { count, countedAt: Date.now() });
    return count;
  }
}

/** A search with the ids of its tags. */
interface Identified {
  tags: TagQuery;
  /** Ids of the named tags that a record must carry. */
  required: string[];
  /** The condition that a table's `tag_id` matches one of the patterns; undefined when none of the tags exists. */
  anyOf(patterns: readonly TagPattern[], alias: string): SqlPart | undefined;
}

/**
 * A condition on the number of matching tags in the tag set of a record or revision. It counts them, because servers would
 * evaluate EXISTS beginning with all sets that hold one of the tags.
 */
const inTagSet = (row: 'r' | 'v', { sql, parameters }: SqlPart, count: string): SqlPart => ({
  sql: `(SELECT COUNT(*) ${fromTagSet(row, 'b')} AND ${sql}) ${count}`,
  parameters,
});

/** The conditions on the tag set of a revision `v`. */
function pastConditions({ tags, required, anyOf }: Identified): SqlPart[] {
  const counted = (wanted: SqlPart, count: string) => inTagSet('v', wanted, count);
  const none = anyOf(tags.none, 'b');
  return [
    ...(required.length > 0
      ? [
          counted(
            { sql: `b.tag_id IN (${questionMarks(required.length)})`, parameters: required },
            `= ${required.length}`,
          ),
        ]
      : []),
    ...tags.all.filter((pattern) => !isNamed(pattern)).map((pattern) => counted(anyOf([pattern], 'b')!, '> 0')),
    ...(tags.either.length > 0 ? [counted(anyOf(tags.either, 'b')!, '> 0')] : []),
    ...(none ? [counted(none, '= 0')] : []),
  ];
}

function isNamed(pattern: TagPattern): pattern is { type: string; name: string } {
  return pattern.name !== undefined;
}
