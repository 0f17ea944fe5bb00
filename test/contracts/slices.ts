import { type Position, type Slice } from '#kernel';

/**
 * Reads all entries of a list, slice by slice.
 * @throws Error unless `after` is set exactly when another slice exists: a slice with it is full and not the last one.
 */
export async function allSlices<T>(
  find: (after: Position | undefined) => Promise<Slice<T>>,
  limit: number,
): Promise<T[]> {
  const entries: T[] = [];
  let after: Position | undefined;
  for (;;) {
    const slice: Slice<T> = await find(after);
    if (slice.entries.length > limit)
      throw new Error(`A slice of ${slice.entries.length} entries; the limit was ${limit}.`);
    if (after !== undefined && slice.entries.length === 0) throw new Error('`after` led to an empty slice.');
    entries.push(...slice.entries);
    if (slice.after === undefined) return entries;
    if (slice.entries.length < limit) throw new Error('`after` is set after a slice that is not full.');
    if (JSON.stringify(slice.after) === JSON.stringify(after)) throw new Error('`after` leads back to itself.');
    // Positions travel in paging tokens, as JSON.
    after = JSON.parse(JSON.stringify(slice.after)) as Position;
  }
}
