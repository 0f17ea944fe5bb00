export const EVENT_COLUMNS = 'id, number, kind, event_key AS "key", payload, recorded_at AS recordedAt';

/** The first rows that together have at most this many bytes, but at least one row. */
export function within<T extends { size: number | null }>(rows: readonly T[], maxBytes: number): T[] {
  let bytes = 0;
  const end = rows.findIndex(({ size }, index) => (bytes += size ?? 0) > maxBytes && index > 0);
  return end < 0 ? [...rows] : rows.slice(0, end);
}
