import { type JsonText } from '#kernel';
import { type Event, type EventKind } from '../domain/event';

export interface EventRow {
  id: string;
  number: number;
  kind: EventKind;
  event_key: string;
  payload: JsonText;
  recorded_at: number;
}

export const EVENT_COLUMNS = 'id, number, kind, event_key, payload, recorded_at';

export function eventOf({ id, number, kind, event_key: key, payload, recorded_at: recordedAt }: EventRow): Event {
  return { id, number, kind, key, payload, recordedAt };
}

/** The first rows that together have at most this many bytes, but at least one row. */
export function within<T extends { size: number | null }>(rows: readonly T[], maxBytes: number): T[] {
  let bytes = 0;
  const end = rows.findIndex(({ size }, index) => (bytes += size ?? 0) > maxBytes && index > 0);
  return end < 0 ? [...rows] : rows.slice(0, end);
}
