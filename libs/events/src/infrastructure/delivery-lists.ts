import { Conditions, type Database, questionMarks } from '#platform';
import { type DeliveryQuery, type ListedAttempt, type ListedDelivery } from '../application/ports/delivery-store';
import { type DeliveryStatus, type Outcome } from '../domain/delivery';
import { type EventKind } from '../domain/event';
import { deliveryOf, type DeliveryRow } from './delivery-rows';

interface AttemptRow {
  id: string;
  organisation_id: number;
  sink_id: string;
  event_id: string;
  number: number;
  attempt: number;
  outcome: Outcome;
  http_status: number | null;
  duration: number;
  error: string | null;
  attempted_at: number;
}

/** Newest first. */
export async function listAttempts(
  database: Database,
  query: DeliveryQuery & { failed?: boolean },
): Promise<ListedAttempt[]> {
  const failed = query.failed ? `AND a.outcome <> 'delivered'` : '';
  const rows = await ofEach('a', query, ({ text, parameters }) =>
    database.rows<AttemptRow>(
      `SELECT a.* FROM event_attempt a WHERE ${text} ${failed} ORDER BY a.id DESC LIMIT ${query.limit}`,
      parameters,
    ),
  );
  rows.sort((a, b) => (a.id < b.id ? 1 : -1));
  return rows.slice(0, query.limit).map((row) => ({
    organisation: row.organisation_id,
    id: row.sink_id,
    event: row.event_id,
    number: row.number,
    attempt: row.attempt,
    answer: { outcome: row.outcome, httpStatus: row.http_status, error: row.error },
    durationMs: row.duration,
    attemptedAt: row.attempted_at,
  }));
}

/** The latest change first. */
export async function listOpen(
  database: Database,
  query: DeliveryQuery & { status: DeliveryStatus },
): Promise<ListedDelivery[]> {
  const rows = await ofEach('d', query, ({ text, parameters }) =>
    database.rows<DeliveryRow & { kind: EventKind | null }>(
      `SELECT d.*, e.kind FROM event_delivery d
       LEFT JOIN event e ON e.organisation_id = d.organisation_id AND e.id = d.event_id
       WHERE d.status = '${query.status}' AND ${text}
       ORDER BY d.changed_at DESC, d.number DESC LIMIT ${query.limit}`,
      parameters,
    ),
  );
  rows.sort((a, b) => b.changed_at - a.changed_at || b.number - a.number);
  return rows.slice(0, query.limit).map((row) => ({
    ...deliveryOf(row),
    organisation: row.organisation_id,
    id: row.sink_id,
    kind: row.kind,
    changedAt: row.changed_at,
  }));
}

/** Reads each sink separately by an index, so that only the newest rows of each are sorted. */
async function ofEach<T>(
  table: string,
  { sinks, events }: DeliveryQuery,
  read: (of: Conditions) => Promise<T[]>,
): Promise<T[]> {
  const rows: T[] = [];
  for (const { organisation, id } of sinks) {
    const conditions = new Conditions();
    conditions.add(`${table}.organisation_id = ? AND ${table}.sink_id = ?`, organisation, id);
    if (events) conditions.in(`${table}.event_id`, events);
    rows.push(...(await read(conditions)));
  }
  return rows;
}

export async function countDeliveries(
  database: Database,
  organisations: readonly number[],
): Promise<Map<string, { dead: number; waiting: number }>> {
  const counts = new Map<string, { dead: number; waiting: number }>();
  if (organisations.length === 0) return counts;
  const rows = await database.rows<{ sink_id: string; status: DeliveryStatus; deliveries: number | string }>(
    `SELECT sink_id, status, COUNT(*) AS deliveries FROM event_delivery
     WHERE organisation_id IN (${questionMarks(organisations.length)}) GROUP BY organisation_id, sink_id, status`,
    organisations,
  );
  for (const { sink_id: id, status, deliveries } of rows)
    counts.set(id, { ...(counts.get(id) ?? { dead: 0, waiting: 0 }), [status]: Number(deliveries) });
  return counts;
}
