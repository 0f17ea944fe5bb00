import { type Database } from '#platform';
import { type OpenDelivery } from '../domain/delivery';
import { type SinkReference } from '../domain/sink';

/** The columns of an OpenDelivery. */
export const DELIVERY_COLUMNS =
  'd.number, d.event_id AS event, d.event_key AS "key", d.status, d.attempts, d.failed_since AS failedSince, d.due_at AS dueAt';

const KEY = ['organisation_id', 'sink_id', 'number'];
const STATE = ['status', 'attempts', 'failed_since', 'due_at', 'changed_at'];

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
