import { type Database } from '#platform';

interface SentEvent {
  kind: string;
  payload: Record<string, unknown>;
}

/** The events of a session, in order. */
export async function eventsOf(database: Database, sessionId: string): Promise<SentEvent[]> {
  const rows = await database.rows<{ kind: string; payload: string }>(
    'SELECT kind, payload FROM event WHERE organisation_id = 1 AND event_key = ? ORDER BY id',
    [sessionId],
  );
  return rows.map(({ kind, payload }) => ({ kind, payload: JSON.parse(payload) as SentEvent['payload'] }));
}
