import { newId } from '#kernel';
import { type Database, questionMarks } from '#platform';
import { type BatchOutcome } from '../application/ports/delivery-store';
import { type SinkReference } from '../domain/sink';
import { writeOpen } from './delivery-rows';

const ATTEMPT = [
  'organisation_id',
  'id',
  'sink_id',
  'event_id',
  'number',
  'attempt',
  'outcome',
  'http_status',
  'duration',
  'error',
  'attempted_at',
];

/**
 * Stores the outcome of a batch. Call it in the unit of work that holds the lease. The number of statements does not
 * depend on the number of events.
 */
export async function storeOutcome(database: Database, outcome: BatchOutcome, now: number): Promise<void> {
  const { sink, progress, open, done, recovered } = outcome;
  const { organisation, id } = sink;
  const { reached, failures, failingSince, pausedUntil } = progress;
  const found = await database.write(
    `UPDATE event_sink SET reached = ?, failures = ?, failing_since = ?, paused_until = ?
     WHERE organisation_id = ? AND id = ?`,
    [reached, failures, failingSince, pausedUntil, organisation, id],
  );
  if (found === 0) return;
  // Runs before the deliveries of this batch are written, so that new failures keep their pause.
  if (recovered)
    await database.write(
      `UPDATE event_delivery SET due_at = ? WHERE organisation_id = ? AND status = 'waiting' AND sink_id = ? AND due_at > ?`,
      [now, organisation, id, now],
    );
  await database.remove(
    'event_delivery',
    { sql: 'organisation_id = ? AND sink_id = ?', parameters: [organisation, id] },
    'number',
    done.map(({ number }) => number),
  );
  await writeOpen(database, sink, open, now);
  const ended = [...done, ...open.filter(({ status }) => status === 'dead')];
  await makeNextDue(database, sink, [...new Set(ended.map(({ key }) => key))], now);
  await log(database, outcome);
}

/** Makes the next delivery of each key due, if it waited only for the one before it. */
async function makeNextDue(
  database: Database,
  { organisation, id }: SinkReference,
  keys: readonly string[],
  now: number,
): Promise<void> {
  if (keys.length === 0) return;
  const rows = await database.rows<{ number: number }>(
    `SELECT MIN(number) AS number FROM event_delivery
     WHERE organisation_id = ? AND sink_id = ? AND event_key IN (${questionMarks(keys.length)}) AND status = 'waiting'
     GROUP BY event_key`,
    [organisation, id, ...keys],
  );
  if (rows.length === 0) return;
  await database.write(
    `UPDATE event_delivery SET due_at = ? WHERE organisation_id = ? AND sink_id = ?
     AND number IN (${questionMarks(rows.length)}) AND due_at IS NULL`,
    [now, organisation, id, ...rows.map(({ number }) => number)],
  );
}

async function log(database: Database, { sink: { organisation, id }, attempts }: BatchOutcome): Promise<void> {
  await database.insert(
    'event_attempt',
    ATTEMPT,
    attempts.map(({ number, event, attempt, answer, durationMs, attemptedAt }) => [
      organisation,
      newId(attemptedAt),
      id,
      event,
      number,
      attempt,
      answer.outcome,
      answer.httpStatus,
      durationMs,
      answer.error,
      attemptedAt,
    ]),
  );
}
