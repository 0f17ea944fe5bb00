import { Fault, type Shelf } from '#kernel';

/** A write that began before this much time may still be about to land. */
const SETTLED_MS = 2_000;

/**
 * The shelf that a request reads from or writes to.
 * @throws Fault 20004 for a moment whose commits may not all have landed, and for one of an item pool.
 */
export function shelfOf(
  organisation: number,
  { item_pool_id: pool, as_of: asOf }: { item_pool_id?: string; as_of?: number },
  now: number,
): Shelf {
  if (asOf === undefined) return { organisation, pool };
  if (pool !== undefined)
    throw new Fault(
      'value',
      'as_of reads the item bank as it stood; an item pool has no past: leave as_of or item_pool_id out.',
      '/as_of',
    );
  if (asOf > now - SETTLED_MS)
    throw new Fault(
      'value',
      `as_of must lie ${SETTLED_MS / 1000} seconds back, so that everything written until then has landed; ${new Date(asOf).toISOString()} can be asked for from ${new Date(asOf + SETTLED_MS).toISOString()} on.`,
      '/as_of',
    );
  return { organisation, asOf };
}
