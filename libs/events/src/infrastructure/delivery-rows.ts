import { type Database } from '#platform';
import { type DeliveryStatus, type OpenDelivery } from '../domain/delivery';
import { type SinkReference } from '../domain/sink';

export interface DeliveryRow {
  organisation_id: number;
  sink_id: string;
  number: number;
  event_id: string;
  event_key: string;
  status: DeliveryStatus;
  attempts: number;
  failed_since: number | null;
  due_at: number | null;
  changed_at: number;
}

const KEY = ['organisation_id', 'sink_id', 'number'];
const STATE = ['status', 'attempts', 'failed_since', 'due_at', 'changed_at'];

export function deliveryOf(row: DeliveryRow): OpenDelivery {
  return {
    number: row.number,
    event: row.event_id,
    key: row.event_key,
    status: row.status,
    attempts: row.attempts,
    failedSince: row.failed_since,
    dueAt: row.due_at,
  };
}

/** Inserts or updates deliveries. */
export async function writeOpen(
  database: Database,
  { organisation, id }: SinkReference,
  deliveries: readonly OpenDelivery[],
  now: number,
): Promise<void> {
  await database.insert(
    'event_delivery',
    [...KEY, 'event_id', 'event_key', ...STATE],
    deliveries.map(({ number, event, key, status, attempts, failedSince, dueAt }) => [
      organisation,
      id,
      number,
      event,
      key,
      status,
      attempts,
      failedSince,
      dueAt,
      now,
    ]),
    database.dialect.onDuplicate(KEY, STATE),
  );
}
