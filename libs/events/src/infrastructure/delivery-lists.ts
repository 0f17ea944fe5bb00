import { Conditions, type Database, questionMarks } from '#platform';
import { type DeliveryQuery, type ListedAttempt, type ListedDelivery } from '../application/ports/delivery-store';
import { type DeliveryStatus } from '../domain/delivery';
import { DELIVERY_COLUMNS } from './delivery-rows';

/** `place`: the id of the attempt. */
type AttemptRow = Omit<ListedAttempt, 'answer'> & ListedAttempt['answer'] & { place: string };

/** Newest first. */
export async function listAttempts(
  database: Database,
  query: DeliveryQuery & { failed?: boolean },
): Promise<ListedAttempt[]> {
  const failed = query.failed ? `AND a.outcome <> 'delivered'` : '';
  const rows = await ofEach('a', query, ({ text, parameters }) =>
    database.rows<AttemptRow>(
      `SELECT a.organisation_id AS organisation, a.sink_id AS id, a.event_id AS event, a.number, a.attempt, a.outcome,
         a.http_status AS httpStatus, a.error, a.duration AS durationMs, a.attempted_at AS attemptedAt, a.id AS place
       FROM event_attempt a WHERE ${text} ${failed} ORDER BY a.id DESC LIMIT ${query.limit}`,
      parameters,
    ),
  );
  rows.sort((a, b) => (a.place < b.place ? 1 : -1));
  return rows.slice(0, query.limit).map(({ place: _, outcome, httpStatus, error, ...attempt }) => ({
    ...attempt,
    answer: { outcome, httpStatus, error },
  }));
}

/** The latest change first. */
export async function listOpen(
  database: Database,
  query: DeliveryQuery & { status: DeliveryStatus },
): Promise<ListedDelivery[]> {
  const rows = await ofEach('d', query, ({ text, parameters }) =>
    database.rows<ListedDelivery>(
      `SELECT ${DELIVERY_COLUMNS}, d.organisation_id AS organisation, d.sink_id AS id, d.changed_at AS changedAt, e.kind
       FROM event_delivery d
       LEFT JOIN event e ON e.organisation_id = d.organisation_id AND e.id = d.event_id
       WHERE d.status = '${query.status}' AND ${text}
       ORDER BY d.changed_at DESC, d.number DESC LIMIT ${query.limit}`,
      parameters,
    ),
  );
  rows.sort((a, b) => b.changedAt - a.changedAt || b.number - a.number);
  return rows.slice(0, query.limit);
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
