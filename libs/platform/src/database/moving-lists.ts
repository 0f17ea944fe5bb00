import { Conditions, type SqlPart } from './conditions';
import { type Database } from './database';
import { type NewFinding, type RowRange } from '../verification/verifications';
import { type Parameter } from './engines';

/*
 * Paged lists of entries without revisions, sorted by a value that may change. An entry that changes leaves its former
 * place behind. Later pages use the place that the first page saw, so that paging neither skips nor repeats the entry.
 */

/** An entry's place in a list, as a paging token stores it. */
interface MovingPlace {
  id: string;
  /** Absent when the list is sorted by creation, because no entry then moves. */
  key?: Parameter;
  /** The latest change that the first page saw. Tokens of earlier versions do not have it. */
  asOf?: Parameter;
}

interface MovingList {
  /** Has `organisation_id`, `id` and `updated_at`. The SQL of a list calls it `t`. */
  table: string;
  organisation: number;
  columns: string;
  /** Tables that are joined to `t`. */
  joins?: string;
  conditions: SqlPart;
  /** The sort expression before the id, for a row with `updated_at` and `sort_key`. Absent: sorted by creation. */
  key?: (row: string) => string;
  ascending: boolean;
  limit: number;
  after?: MovingPlace;
}

interface Placed {
  id: string;
  place: Parameter;
  as_of: Parameter;
}

/** Joins the place that `t` had at a moment. Parameter: the moment. */
const FORMER = `JOIN former_place f ON f.organisation_id = t.organisation_id AND f.record_id = t.id
  AND f.updated_at = (SELECT MAX(p.updated_at) FROM former_place p
    WHERE p.organisation_id = t.organisation_id AND p.record_id = t.id AND p.updated_at <= ?)`;

/** A page of the list. `last` is the place of the page's last row, if another page exists. */
export async function movingPage<Row extends object>(
  database: Database,
  list: MovingList,
): Promise<{ rows: Row[]; last?: MovingPlace }> {
  const { table, organisation, columns, joins = '', key, ascending, limit, after } = list;
  const [beyond, direction] = ascending ? ['>', 'ASC'] : ['<', 'DESC'];
  const orderBy = (place: string, id: string) =>
    `ORDER BY ${key ? `${place} ${direction}, ` : ''}${id} ${direction} LIMIT ${limit + 1}`;
  const latest = key && !after;
  const select = (row: string, join: SqlPart, further?: SqlPart): SqlPart => {
    const place = key?.(row) ?? 'NULL';
    const conditions = new Conditions();
    conditions.addAll([{ sql: 't.organisation_id = ?', parameters: [organisation] }, list.conditions]);
    if (further) conditions.addAll([further]);
    if (after && key)
      conditions.add(`(${place} ${beyond} ? OR (${place} = ? AND t.id ${beyond} ?))`, after.key!, after.key!, after.id);
    else if (after) conditions.add(`t.id ${beyond} ?`, after.id);
    return {
      sql: `SELECT ${columns}, ${place} AS place,
          ${latest ? `(SELECT MAX(m.updated_at) FROM ${table} m WHERE m.organisation_id = ?)` : 'NULL'} AS as_of
        FROM ${table} t ${joins} ${join.sql} WHERE ${conditions.text} ${orderBy(place, 't.id')}`,
      parameters: [...(latest ? [organisation] : []), ...join.parameters, ...conditions.parameters],
    };
  };
  const whole = (): SqlPart => {
    const none: SqlPart = { sql: '', parameters: [] };
    const asOf = after?.asOf ?? null;
    if (!key || asOf === null) return select('t', none);
    const unmoved = select('t', none, { sql: 't.updated_at <= ?', parameters: [asOf] });
    const moved = select('f', { sql: FORMER, parameters: [asOf] }, { sql: 't.updated_at > ?', parameters: [asOf] });
    return {
      sql: `SELECT * FROM (SELECT * FROM (${unmoved.sql}) unmoved UNION ALL SELECT * FROM (${moved.sql}) moved) places
        ${orderBy('place', 'id')}`,
      parameters: [...unmoved.parameters, ...moved.parameters],
    };
  };
  const { sql, parameters } = whole();
  const rows = await database.rows<Row & Placed>(sql, parameters);
  const last = rows.length > limit ? rows[limit - 1] : undefined;
  return {
    rows: rows.slice(0, limit).map(({ place: _place, as_of: _asOf, ...row }) => row as unknown as Row),
    last: last && { id: last.id, ...(key && { key: last.place, asOf: after?.asOf ?? last.as_of }) },
  };
}

/**
 * Stores the places of the entries that a condition on `t` finds. Call it before they change, in the same unit of work.
 */
export async function keepPlaces(database: Database, table: string, sortKey: string, of: SqlPart): Promise<void> {
  await database.write(
    `INSERT INTO former_place (organisation_id, record_id, updated_at, sort_key)
     SELECT t.organisation_id, t.id, t.updated_at, ${sortKey} FROM ${table} t
     WHERE ${of.sql} AND NOT EXISTS (SELECT 1 FROM former_place f
       WHERE f.organisation_id = t.organisation_id AND f.record_id = t.id AND f.updated_at = t.updated_at)`,
    of.parameters,
  );
}

/** Entries of a range with a former place that is not older than their present place. */
export async function misplaced(
  database: Database,
  range: RowRange,
  table: string,
  name: string,
): Promise<NewFinding[]> {
  const { sql, parameters } = range.in('t', 'id');
  const rows = await database.rows<{ reference: string; updated_at: number; at: number }>(
    `SELECT t.${name} AS reference, t.updated_at, f.updated_at AS at FROM ${table} t
     JOIN former_place f ON f.organisation_id = t.organisation_id AND f.record_id = t.id
     WHERE ${sql} AND f.updated_at >= t.updated_at ORDER BY t.id, f.updated_at`,
    parameters,
  );
  return rows.map(({ reference, updated_at, at }) => ({
    kind: table,
    reference,
    found: `it had a former place at ${at}`,
    expected: `a former place before ${updated_at}, its latest change`,
  }));
}
