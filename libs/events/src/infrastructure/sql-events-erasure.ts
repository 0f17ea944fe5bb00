import { Injectable } from '@nestjs/common';
import { inParts } from '#kernel';
import { Conditions, Database, questionMarks } from '#platform';
import { type ForgottenEvents, type ErasableEvent, EventsErasure } from '../application/ports/events-erasure';
import { type EventKind } from '../domain/event';

const ERASED: EventKind = 'learner-erased';
const NOTHING = '{}';
const BATCH_SIZE = 1_000;

@Injectable()
export class SqlEventsErasure extends EventsErasure {
  constructor(private readonly database: Database) {
    super();
  }

  override async ofKeys(
    organisation: number,
    keys: readonly string[],
    limit: number,
    after?: string,
  ): Promise<ErasableEvent[]> {
    const conditions = new Conditions();
    conditions.add('organisation_id = ?', organisation);
    conditions.in('event_key', keys);
    if (after !== undefined) conditions.add('id > ?', after);
    return this.database.rows<ErasableEvent>(
      `SELECT id, kind, event_key AS "key", payload, recorded_at AS recordedAt FROM event
       WHERE ${conditions.text} ORDER BY id LIMIT ${limit}`,
      conditions.parameters,
    );
  }

  override async forget(organisation: number, keys: readonly string[], instead: string): Promise<ForgottenEvents> {
    const { database } = this;
    // Locks this row before the events, in the same order as numbering and delivery.
    await database.row(`SELECT token FROM event_stream WHERE organisation_id = ? ${database.dialect.forUpdate}`, [
      organisation,
    ]);
    const where = `organisation_id = ? AND event_key IN (${questionMarks(keys.length)})`;
    const parameters = [organisation, ...keys];
    const removed = await database.write(`DELETE FROM event WHERE ${where} AND number IS NULL`, parameters);
    const rows = await database.rows<{ id: string }>(`SELECT id FROM event WHERE ${where}`, parameters);
    if (rows.length === 0) return { removed, emptied: 0, deliveries: 0 };
    // The new token invalidates the lease. So a batch in progress is not stored, and starts again from the current
    // rows.
    await database.write(
      'UPDATE event_stream SET token = token + 1, worker = NULL, lease_until = NULL WHERE organisation_id = ?',
      [organisation],
    );
    let deliveries = 0;
    for (const part of inParts(rows, BATCH_SIZE))
      deliveries += await database.write(
        `DELETE FROM event_delivery WHERE organisation_id = ? AND event_id IN (${questionMarks(part.length)})`,
        [organisation, ...part.map(({ id }) => id)],
      );
    const emptied = await database.write(
      `UPDATE event SET kind = ?, event_key = ?, payload = ?, size = ? WHERE ${where}`,
      [ERASED, instead, NOTHING, NOTHING.length, ...parameters],
    );
    return { removed, emptied, deliveries };
  }
}
