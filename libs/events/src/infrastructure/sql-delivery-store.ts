import { Injectable } from '@nestjs/common';
import { Database, questionMarks } from '#platform';
import {
  type Backlog,
  type DeliveryQuery,
  DeliveryStore,
  type Lease,
  type ListedAttempt,
  type ListedDelivery,
  type NextEvents,
  type BatchOutcome,
} from '../application/ports/delivery-store';
import { type DeliveryStatus, type DueDelivery, type OpenDelivery } from '../domain/delivery';
import { type Event, type EventKind } from '../domain/event';
import { type SinkReference } from '../domain/sink';
import { readBacklog } from './backlog';
import { countDeliveries, listAttempts, listOpen } from './delivery-lists';
import { EventLeases } from './event-leases';
import { EVENT_COLUMNS, within } from './event-rows';
import { DELIVERY_COLUMNS, writeOpen } from './delivery-rows';
import { storeOutcome } from './batch-outcome';

/** The number of events to scan at a time for the kinds of a sink. */
const SCAN_BATCH_SIZE = 2_000;

/** Selects the first waiting delivery of each key. */
const IS_FIRST = `NOT EXISTS (
  SELECT 1 FROM event_delivery f WHERE f.organisation_id = d.organisation_id AND f.sink_id = d.sink_id
  AND f.event_key = d.event_key AND f.number < d.number AND f.status = 'waiting')`;

const OF_SINK = 'organisation_id = ? AND sink_id = ?';

@Injectable()
export class SqlDeliveryStore extends DeliveryStore {
  private readonly leases: EventLeases;

  constructor(private readonly database: Database) {
    super();
    this.leases = new EventLeases(database);
  }

  override async organisationsWithWork(worker: string, now: number): Promise<number[]> {
    return this.leases.organisationsWithWork(worker, now);
  }

  override async claim(organisation: number, worker: string, now: number, until: number): Promise<Lease | undefined> {
    return this.leases.claim(organisation, worker, now, until);
  }

  override async extend(lease: Lease, until: number): Promise<boolean> {
    return this.leases.extend(lease, until);
  }

  override async release(lease: Lease): Promise<void> {
    await this.leases.release(lease);
  }

  override async backlog(): Promise<Backlog> {
    return readBacklog(this.database);
  }

  override async next(
    organisation: number,
    kinds: readonly EventKind[] | null,
    after: number,
    limit: number,
    maxBytes: number,
  ): Promise<NextEvents> {
    const stream = await this.database.row<{ last_number: number }>(
      'SELECT last_number FROM event_stream WHERE organisation_id = ?',
      [organisation],
    );
    const upTo = Math.min(stream?.last_number ?? 0, after + SCAN_BATCH_SIZE);
    if (upTo <= after || kinds?.length === 0) return { events: [], reached: Math.max(upTo, after) };
    const rows = await this.database.rows<{ id: string; number: number; size: number }>(
      `SELECT id, number, size FROM event WHERE organisation_id = ? AND number > ? AND number <= ?
       ${kinds ? `AND kind IN (${questionMarks(kinds.length)})` : ''} ORDER BY number LIMIT ${limit}`,
      [organisation, after, upTo, ...(kinds ?? [])],
    );
    const fitting = within(rows, maxBytes);
    const isAll = fitting.length === rows.length && rows.length < limit;
    const events = await this.bodies(organisation, fitting);
    return { events: [...events.values()], reached: isAll ? upTo : fitting.at(-1)!.number };
  }

  override async waiting(sink: SinkReference, limit: number): Promise<number> {
    const row = await this.database.row<{ waiting: number }>(
      `SELECT COUNT(*) AS waiting FROM (
         SELECT 1 FROM event_delivery WHERE ${OF_SINK} AND status = 'waiting' LIMIT ${limit}) counted`,
      [sink.organisation, sink.id],
    );
    return Number(row!.waiting);
  }

  override async blocked({ organisation, id }: SinkReference, keys: readonly string[]): Promise<Set<string>> {
    if (keys.length === 0) return new Set();
    const rows = await this.database.rows<{ event_key: string }>(
      `SELECT DISTINCT event_key FROM event_delivery
       WHERE ${OF_SINK} AND event_key IN (${questionMarks(keys.length)}) AND status = 'waiting'`,
      [organisation, id, ...keys],
    );
    return new Set(rows.map((row) => row.event_key));
  }

  override async due(
    { organisation, id }: SinkReference,
    now: number,
    limit: number,
    maxBytes: number,
  ): Promise<DueDelivery[]> {
    const rows = await this.database.rows<OpenDelivery & { size: number | null }>(
      `SELECT ${DELIVERY_COLUMNS}, e.size FROM event_delivery d
       LEFT JOIN event e ON e.organisation_id = d.organisation_id AND e.id = d.event_id
       WHERE d.organisation_id = ? AND d.status = 'waiting' AND d.sink_id = ? AND d.due_at <= ? AND ${IS_FIRST}
       ORDER BY d.due_at, d.number LIMIT ${limit}`,
      [organisation, id, now],
    );
    const fitting = within(rows, maxBytes);
    const present = fitting.filter(({ size }) => size !== null);
    const contents = await this.bodies(
      organisation,
      present.map(({ event }) => ({ id: event })),
    );
    return fitting.map(({ size: _, ...delivery }) => ({ ...delivery, content: contents.get(delivery.event) }));
  }

  /** Bodies by event id, in the order of the numbers. */
  private async bodies(organisation: number, events: readonly { id: string }[]) {
    if (events.length === 0) return new Map<string, Event>();
    const rows = await this.database.rows<Event>(
      `SELECT ${EVENT_COLUMNS} FROM event WHERE organisation_id = ? AND id IN (${questionMarks(events.length)})
       ORDER BY number`,
      [organisation, ...events.map(({ id }) => id)],
    );
    return new Map(rows.map((event) => [event.id, event]));
  }

  override async storeOutcome(lease: Lease, outcome: BatchOutcome, now: number): Promise<boolean> {
    return this.database.run(async () => {
      if (!(await this.leases.isHeld(lease))) return false;
      await storeOutcome(this.database, outcome, now);
      return true;
    });
  }

  override async attempts(query: DeliveryQuery & { failed?: boolean }): Promise<ListedAttempt[]> {
    return listAttempts(this.database, query);
  }

  override async open(query: DeliveryQuery & { status: DeliveryStatus }): Promise<ListedDelivery[]> {
    return listOpen(this.database, query);
  }

  override async counts(organisations: readonly number[]): Promise<Map<string, { dead: number; waiting: number }>> {
    return countDeliveries(this.database, organisations);
  }

  override async retryDead(
    { organisation, id }: SinkReference,
    numbers: readonly number[],
    now: number,
  ): Promise<number> {
    if (numbers.length === 0) return 0;
    return this.database.write(
      `UPDATE event_delivery SET status = 'waiting', attempts = 0, failed_since = NULL, due_at = ?, changed_at = ?
       WHERE ${OF_SINK} AND number IN (${questionMarks(numbers.length)}) AND status = 'dead'`,
      [now, now, organisation, id, ...numbers],
    );
  }

  override async repeat(sink: SinkReference, events: readonly string[], now: number): Promise<number> {
    if (events.length === 0) return 0;
    const { organisation, id } = sink;
    return this.database.run(async () => {
      const rows = await this.database.rows<Pick<OpenDelivery, 'event' | 'number' | 'key'>>(
        `SELECT e.id AS event, e.number, e.event_key AS "key" FROM event e
         JOIN event_sink s ON s.organisation_id = e.organisation_id AND s.id = ?
         LEFT JOIN event_delivery d ON d.organisation_id = e.organisation_id AND d.sink_id = s.id AND d.number = e.number
         WHERE e.organisation_id = ? AND e.id IN (${questionMarks(events.length)}) AND e.number <= s.reached
         AND (d.status IS NULL OR d.status = 'dead')`,
        [id, organisation, ...events],
      );
      const again = { status: 'waiting', attempts: 0, failedSince: null, dueAt: now } as const;
      await writeOpen(
        this.database,
        sink,
        rows.map((row) => ({ ...row, ...again })),
        now,
      );
      return rows.length;
    });
  }

  override async removeOld(organisation: number, before: number, limit: number): Promise<number> {
    const dead = await this.database.rows<{ sink_id: string; number: number }>(
      `SELECT sink_id, number FROM event_delivery WHERE organisation_id = ? AND status = 'dead' AND changed_at < ?
       LIMIT ${limit}`,
      [organisation, before],
    );
    if (dead.length > 0)
      await this.database.write(
        `DELETE FROM event_delivery WHERE organisation_id = ? AND status = 'dead'
         AND ${this.database.dialect.pairs('sink_id', 'number', dead.length)}`,
        [organisation, ...dead.flatMap(({ sink_id, number }) => [sink_id, number])],
      );
    const attempts = await this.database.rows<{ id: string }>(
      `SELECT id FROM event_attempt WHERE organisation_id = ? AND attempted_at < ? ORDER BY id LIMIT ${limit}`,
      [organisation, before],
    );
    if (attempts.length > 0)
      await this.database.write(
        `DELETE FROM event_attempt WHERE organisation_id = ? AND id IN (${questionMarks(attempts.length)})`,
        [organisation, ...attempts.map(({ id }) => id)],
      );
    return Math.max(dead.length, attempts.length);
  }
}
