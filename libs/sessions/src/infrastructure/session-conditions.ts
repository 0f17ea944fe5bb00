import { Conditions, type Database, type SqlPart } from '#platform';
import { type Period, type SessionFilter } from '../application/ports/session-reader';

/** The conditions of a filter on `session s`, except for the list in `without`. */
export function conditionsOf(organisation: number, filter: SessionFilter, without?: ListFilter): Conditions {
  const conditions = new Conditions();
  conditions.add('s.organisation_id = ?', organisation);
  if (filter.sessionIds) conditions.in('s.session_id', filter.sessionIds);
  for (const { list, column } of LISTS) {
    const values = filter[list];
    if (values && list !== without) conditions.in(column, values);
  }
  if (filter.itemReferences && without !== 'formIds') showing(conditions, filter.itemReferences);
  if (filter.isAdaptive) conditions.add('s.is_adaptive = 1');
  between(conditions, 's.updated_at', filter.updated);
  between(conditions, 's.started_at', filter.started);
  between(conditions, 's.completed_at', filter.completed);
  return conditions;
}

function showing(conditions: Conditions, references: readonly string[]): void {
  const items = new Conditions();
  items.in('i.reference', references);
  conditions.add(
    `EXISTS (SELECT 1 FROM form_item i WHERE i.organisation_id = s.organisation_id
     AND i.item_organisation_id = s.organisation_id AND i.form_id = s.form_id AND ${items.text})`,
    ...items.parameters,
  );
}

function between(conditions: Conditions, column: string, { from, to }: Period = {}): void {
  if (from !== undefined) conditions.add(`${column} >= ?`, from);
  if (to !== undefined) conditions.add(`${column} <= ?`, to);
}

type ListFilter = 'userIds' | 'activityIds' | 'statuses' | 'formIds';

/**
 * The list filters that can use an index, the most selective first.
 * - Up to `merged` values: one query per value along the index, each limited to the page, and a merge. The cost does
 * not depend on the depth of the page.
 * - Up to `sorted` values: one query by the index, with a sort of all its sessions.
 * - More values: sessions are read in their order until the page is full, unless the server has a better plan
 * (decision 36).
 */
const LISTS = [
  { list: 'userIds', column: 's.user_id', index: 'session_user', merged: 10, sorted: 200 },
  { list: 'activityIds', column: 's.activity_id', index: 'session_activity', merged: 20, sorted: 0 },
  { list: 'statuses', column: 's.status', index: 'session_status', merged: 4, sorted: 0 },
] as const;

/**
 * Up to this many forms, sessions with an item are found by their forms; beyond it, the form of each session is tested.
 */
const MERGED_FORMS = 20;

/** Up to this many sessions that changed in a period are sorted; more are read in their order. */
const SORTED = 5_000;

export interface Order {
  direction: 'asc' | 'desc';
  /** The id before the first session. */
  after?: string;
  until?: number;
}

/** The two parts of a statement: FROM, with the sessions as `s`, and the rest with conditions, order and limit. */
export interface Source {
  tables: SqlPart;
  rest: SqlPart;
}

/**
 * At most `limit` sessions in the order of their creation. Reads indexes in this order only to the end of the page.
 * Sorts and merges handle ids alone.
 */
export async function inOrder(
  database: Database,
  organisation: number,
  filter: SessionFilter,
  order: Order,
  limit: number,
): Promise<Source> {
  const ordered = (column: string) => `ORDER BY ${column} ${order.direction.toUpperCase()}`;
  const read = (conditions: Conditions, index?: string): Source => {
    if (order.after !== undefined) conditions.add(order.direction === 'asc' ? 's.id > ?' : 's.id < ?', order.after);
    // The `+ 0` keeps this condition from using an index, because nearly all sessions meet it.
    if (order.until !== undefined) conditions.add('s.updated_at + 0 <= ?', order.until);
    const { text, parameters } = conditions;
    const hint = index === undefined ? '' : ` ${database.dialect.byIndex(index)}${database.dialect.bySureIndex(index)}`;
    return {
      tables: { sql: `session s${hint}`, parameters: [] },
      rest: { sql: `WHERE ${text} ${ordered('s.id')} LIMIT ${limit}`, parameters },
    };
  };
  const sorted = (ids: SqlPart): Source => ({
    tables: {
      sql: `(${ids.sql}) k CROSS JOIN session s ON s.organisation_id = ? AND s.id = k.id`,
      parameters: [...ids.parameters, organisation],
    },
    rest: { sql: ordered('s.id'), parameters: [] },
  });
  const idsOf = ({ tables, rest }: Source): SqlPart => ({
    sql: `SELECT s.id FROM ${tables.sql} ${rest.sql}`,
    parameters: [...tables.parameters, ...rest.parameters],
  });
  const all = (index?: string) => read(conditionsOf(organisation, filter), index);
  /** Reads the page of each value along the index, and merges these into one page. */
  const merged = (list: ListFilter, column: string, index: string, values: readonly string[]): Source => {
    const parts = values.map((value) => {
      const conditions = conditionsOf(organisation, filter, list);
      conditions.add(`${column} = ?`, value);
      return read(conditions, index);
    });
    if (parts.length === 1) return parts[0]!;
    const ids = parts.map(idsOf);
    return sorted({
      sql: `${ids.map(({ sql }) => `SELECT id FROM (${sql}) part`).join(' UNION ALL ')} ${ordered('id')} LIMIT ${limit}`,
      parameters: ids.flatMap(({ parameters }) => parameters),
    });
  };
  if (filter.sessionIds) return sorted(idsOf(all()));
  if (filter.updated && (await changedFew(database, organisation, filter.updated)))
    return sorted(idsOf(all('session_updated')));
  const by = LISTS.find(({ list }) => filter[list]);
  if (filter.itemReferences && (!by || by.list === 'statuses')) {
    const forms = await formsShowing(database, organisation, filter.itemReferences);
    if (forms.length > 0 && forms.length <= MERGED_FORMS) return merged('formIds', 's.form_id', 'session_form', forms);
  }
  if (filter.isAdaptive && (!by || by.list === 'statuses')) return all('session_adaptive');
  if (!by) return all();
  const values = [...new Set<string>(filter[by.list])];
  if (values.length === 0 || values.length > Math.max(by.merged, by.sorted)) return sorted(idsOf(all()));
  if (values.length > by.merged) return sorted(idsOf(all(by.index)));
  return merged(by.list, by.column, by.index, values);
}

/** The first forms that show one of the items, at most one more than can be merged. */
async function formsShowing(
  database: Database,
  organisation: number,
  references: readonly string[],
): Promise<string[]> {
  const conditions = new Conditions();
  conditions.add('organisation_id = ? AND item_organisation_id = ?', organisation, organisation);
  conditions.in('reference', references);
  const rows = await database.rows<{ form_id: string }>(
    `SELECT DISTINCT form_id FROM form_item WHERE ${conditions.text} LIMIT ${MERGED_FORMS + 1}`,
    conditions.parameters,
  );
  return rows.map(({ form_id }) => form_id);
}

async function changedFew(database: Database, organisation: number, updated: Period): Promise<boolean> {
  const conditions = conditionsOf(organisation, { updated });
  const beyond = await database.row(
    `SELECT 1 AS more FROM session s ${database.dialect.byIndex('session_updated')}
     WHERE ${conditions.text} ORDER BY s.updated_at LIMIT 1 OFFSET ${SORTED}`,
    conditions.parameters,
  );
  return beyond === undefined;
}
