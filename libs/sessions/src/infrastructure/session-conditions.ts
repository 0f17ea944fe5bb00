import { Conditions, type Database, type SqlPart } from '#platform';
import { type Period, type SessionFilter } from '../application/ports/session-reader';

/** The conditions of a filter on the table `session`, but for the list in `without`. */
export function conditionsOf(organisation: number, filter: SessionFilter, without?: ListFilter): Conditions {
  const conditions = new Conditions();
  conditions.add('organisation_id = ?', organisation);
  if (filter.sessionIds) conditions.in('session_id', filter.sessionIds);
  for (const { list, column } of LISTS) {
    const values = filter[list];
    if (values && list !== without) conditions.in(column, values);
  }
  if (filter.isAdaptive) conditions.add('is_adaptive = 1');
  between(conditions, 'updated_at', filter.updated);
  between(conditions, 'started_at', filter.started);
  between(conditions, 'completed_at', filter.completed);
  return conditions;
}

function between(conditions: Conditions, column: string, { from, to }: Period = {}): void {
  if (from !== undefined) conditions.add(`${column} >= ?`, from);
  if (to !== undefined) conditions.add(`${column} <= ?`, to);
}

type ListFilter = 'userIds' | 'activityIds' | 'statuses';

/**
 * The lists by which sessions are looked for, the one that leaves fewest first. Up to `merged` values are read one by one
 * along their index, each no further than the page reaches, and then merged: this costs the same however deep the page
 * lies. Of up to `sorted`, all sessions that have one of them are sorted. For more, sessions are passed in their order until
 * the page is full, unless the server knows better (docs/decisions/0036).
 */
const LISTS = [
  { list: 'userIds', column: 'user_id', index: 'session_user', merged: 10, sorted: 200 },
  { list: 'activityIds', column: 'activity_id', index: 'session_activity', merged: 20, sorted: 0 },
  { list: 'statuses', column: 'status', index: 'session_status', merged: 4, sorted: 0 },
] as const;

/** Sessions that changed in a period are sorted where they are at most so many. */
const SORTED = 5_000;

export interface Order {
  direction: 'asc' | 'desc';
  /** Where it begins: the id before the first. */
  after?: string;
  until?: number;
}

/** Ids in the order of creation, as a statement. */
export async function idsInOrder(
  database: Database,
  organisation: number,
  filter: SessionFilter,
  order: Order,
  limit: number,
): Promise<SqlPart> {
  const ordered = `ORDER BY id ${order.direction.toUpperCase()} LIMIT ${limit}`;
  const selected = (conditions: Conditions, index?: string): SqlPart => {
    if (order.after !== undefined) conditions.add(order.direction === 'asc' ? 'id > ?' : 'id < ?', order.after);
    // Not for an index: nearly all sessions meet it.
    if (order.until !== undefined) conditions.add('updated_at + 0 <= ?', order.until);
    const table = index === undefined ? 'session' : `session ${database.dialect.byIndex(index)}`;
    return { sql: `SELECT id FROM ${table} WHERE ${conditions.text} ${ordered}`, parameters: conditions.parameters };
  };
  const whole = (index?: string) => selected(conditionsOf(organisation, filter), index);
  if (filter.sessionIds) return whole();
  if (filter.updated && (await changedFew(database, organisation, filter.updated))) return whole('session_updated');
  const by = LISTS.find(({ list }) => filter[list]);
  if (!by || (filter.isAdaptive && by.list === 'statuses')) return whole(filter.isAdaptive && 'session_adaptive');
  const values = [...new Set<string>(filter[by.list])];
  if (values.length === 0 || values.length > Math.max(by.merged, by.sorted)) return whole();
  if (values.length > by.merged) return whole(by.index);
  const parts = values.map((value) => {
    const conditions = conditionsOf(organisation, filter, by.list);
    conditions.add(`${by.column} = ?`, value);
    return selected(conditions, by.index);
  });
  if (parts.length === 1) return parts[0]!;
  return {
    sql: `${parts.map(({ sql }) => `SELECT id FROM (${sql}) part`).join(' UNION ALL ')} ${ordered}`,
    parameters: parts.flatMap(({ parameters }) => parameters),
  };
}

async function changedFew(database: Database, organisation: number, updated: Period): Promise<boolean> {
  const conditions = conditionsOf(organisation, { updated });
  const beyond = await database.row(
    `SELECT 1 AS more FROM session ${database.dialect.byIndex('session_updated')}
     WHERE ${conditions.text} ORDER BY updated_at LIMIT 1 OFFSET ${SORTED}`,
    conditions.parameters,
  );
  return beyond === undefined;
}
