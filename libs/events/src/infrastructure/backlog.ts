import { organisationRows } from '#access';
import { type Database } from '#platform';
import { timeOf } from '#kernel';
import { type Backlog, type SinkBacklog } from '../application/ports/delivery-store';
import { type DeliveryStatus } from '../domain/delivery';
import { type SinkType } from '../domain/sink';

/**
 * The backlog of all organisations. Numbers have no gaps, so the lag of a sink is a difference of numbers, and the next
 * event has the next number. So this counts only failed and unnumbered events, by an index.
 */
export async function readBacklog(database: Database): Promise<Backlog> {
  const { inWrittenOrder, byIndex } = database.dialect;
  const sinks = await database.rows<Record<'sinks' | 'failing' | 'paused' | 'behind', number | string> & SinkRow>(
    `SELECT s.type, COUNT(*) AS sinks, SUM(CASE WHEN s.failures > 0 THEN 1 ELSE 0 END) AS failing,
       COUNT(s.paused_at) AS paused,
       SUM(COALESCE(t.last_number - s.reached, 0)) AS behind, MIN(e.recorded_at) AS oldest
     FROM event_sink s
     LEFT JOIN event_stream t ON t.organisation_id = s.organisation_id
     LEFT JOIN event e ON e.organisation_id = s.organisation_id AND e.number = s.reached + 1
     GROUP BY s.type`,
  );
  const open = await database.rows<{ type: SinkType; status: DeliveryStatus; deliveries: number | string }>(
    `SELECT ${inWrittenOrder} s.type, d.status, COUNT(*) AS deliveries FROM event_sink s
     JOIN event_delivery d ${byIndex('event_delivery_due')}
       ON d.organisation_id = s.organisation_id AND d.status IN ('waiting', 'dead') AND d.sink_id = s.id
     GROUP BY s.type, d.status`,
  );
  const [unnumbered] = await database.rows<{ events: number | string; oldest: string | null }>(
    `SELECT ${inWrittenOrder} COUNT(e.id) AS events, MIN(e.id) AS oldest FROM ${organisationRows('o')}
     JOIN event e ${byIndex('event_number')} ON e.organisation_id = o.id AND e.number IS NULL`,
  );
  const openOf = (type: SinkType, status: DeliveryStatus) =>
    Number(open.find((row) => row.type === type && row.status === status)?.deliveries ?? 0);
  return {
    sinks: sinks.map((row): SinkBacklog => ({
      type: row.type,
      sinks: Number(row.sinks),
      failing: Number(row.failing),
      paused: Number(row.paused),
      behind: Number(row.behind),
      oldest: row.oldest,
      waiting: openOf(row.type, 'waiting'),
      dead: openOf(row.type, 'dead'),
    })),
    unnumbered: { events: Number(unnumbered!.events), oldest: unnumbered!.oldest ? timeOf(unnumbered!.oldest) : null },
  };
}

interface SinkRow {
  type: SinkType;
  oldest: number | null;
}
