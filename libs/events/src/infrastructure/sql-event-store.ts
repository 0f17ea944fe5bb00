import { Injectable } from '@nestjs/common';
import { organisationIds } from '#access';
import { firstIdAt } from '#kernel';
import { Conditions, Database, questionMarks } from '#platform';
import { type EventQuery, EventStore, type ListedEvent, type RecordedEvent } from '../application/ports/event-store';
import { addStream } from './event-leases';

const COLUMNS = ['organisation_id', 'id', 'kind', 'event_key', 'payload', 'size', 'recorded_at'];

@Injectable()
export class SqlEventStore extends EventStore {
  constructor(private readonly database: Database) {
    super();
  }

  override async latest(organisation: number, keys: readonly string[]): Promise<string | undefined> {
    if (keys.length === 0) return undefined;
    const row = await this.database.row<{ latest: string | null }>(
      `SELECT MAX(id) AS latest FROM event WHERE organisation_id = ? AND event_key IN (${questionMarks(keys.length)})`,
      [organisation, ...keys],
    );
    return row!.latest ?? undefined;
  }

  override async add(organisation: number, events: readonly RecordedEvent[]): Promise<void> {
    await this.database.insert(
      'event',
      COLUMNS,
      events.map(({ id, kind, key, payload, recordedAt }) => [
        organisation,
        id,
        kind,
        key,
        payload,
        Buffer.byteLength(payload),
        recordedAt,
      ]),
    );
  }

  override async number(organisation: number, limit: number): Promise<number> {
    return this.database.run(async () => {
      const last = await this.lockLast(organisation);
      const rows = await this.database.rows<{ id: string }>(
        `SELECT id FROM event WHERE organisation_id = ? AND number IS NULL ORDER BY id LIMIT ${limit}`,
        [organisation],
      );
      if (rows.length === 0) return 0;
      const ids = rows.map(({ id }) => id);
      await this.database.write(
        `UPDATE event SET number = CASE id ${'WHEN ? THEN ? '.repeat(ids.length)} END
         WHERE organisation_id = ? AND id IN (${questionMarks(ids.length)})`,
        [...ids.flatMap((id, index) => [id, last + 1 + index]), organisation, ...ids],
      );
      await this.database.write('UPDATE event_stream SET last_number = ? WHERE organisation_id = ?', [
        last + ids.length,
        organisation,
      ]);
      return ids.length;
    });
  }

  /**
   * Locks the row, so that only one process assigns numbers. So no number is assigned twice, and a rollback leaves no
   * gap.
   */
  private async lockLast(organisation: number): Promise<number> {
    const locked = () =>
      this.database.row<{ last_number: number }>(
        `SELECT last_number FROM event_stream WHERE organisation_id = ? ${this.database.dialect.forUpdate}`,
        [organisation],
      );
    const stream = await locked();
    if (stream) return stream.last_number;
    await addStream(this.database, organisation);
    return (await locked())!.last_number;
  }

  override async organisations(): Promise<number[]> {
    return organisationIds(this.database);
  }

  override async list({ organisations, ids, key, limit }: EventQuery): Promise<ListedEvent[]> {
    const events: ListedEvent[] = [];
    // Queries each organisation by an index, so that only its newest rows are sorted.
    for (const organisation of organisations) {
      const conditions = new Conditions();
      conditions.add('organisation_id = ?', organisation);
      if (ids) conditions.in('id', ids);
      if (key !== undefined) conditions.add('event_key = ?', key);
      events.push(
        ...(await this.database.rows<ListedEvent>(
          `SELECT organisation_id AS organisation, id, number, kind, event_key AS "key", recorded_at AS recordedAt
           FROM event WHERE ${conditions.text} ORDER BY id DESC LIMIT ${limit}`,
          conditions.parameters,
        )),
      );
    }
    return events.sort((a, b) => (a.id < b.id ? 1 : -1)).slice(0, limit);
  }

  override async removeDelivered(organisation: number, before: number, limit: number): Promise<number> {
    const rows = await this.database.rows<{ id: string }>(
      `SELECT e.id FROM event e WHERE e.organisation_id = ? AND e.id < ? AND e.number IS NOT NULL
       AND NOT EXISTS (SELECT 1 FROM event_sink s WHERE s.organisation_id = e.organisation_id AND s.reached < e.number)
       AND NOT EXISTS (
         SELECT 1 FROM event_delivery d WHERE d.organisation_id = e.organisation_id AND d.event_id = e.id)
       ORDER BY e.id LIMIT ${limit}`,
      [organisation, firstIdAt(before)],
    );
    if (rows.length === 0) return 0;
    return this.database.write(
      `DELETE FROM event WHERE organisation_id = ? AND id IN (${questionMarks(rows.length)})`,
      [organisation, ...rows.map(({ id }) => id)],
    );
  }
}
