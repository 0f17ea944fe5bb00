import { Fault, SETTLED_MS, type Shelf } from '#kernel';
import { type Pools } from '#pools';

/**
 * The shelf that a request reads from or writes to.
 * @throws Fault 20004 for a moment so recent that writes before it may not have landed, and for a moment with an item
 * pool;
 *   30001 for a pool that does not exist.
 */
export async function shelfOf(
  organisation: number,
  { item_pool_id: pool, as_of: asOf }: { item_pool_id?: string; as_of?: number },
  now: number,
  pools: Pools,
): Promise<Shelf> {
  if (asOf === undefined)
    return pool === undefined ? { organisation } : { organisation, pool: await pools.shelf(organisation, pool) };
  if (pool !== undefined)
    throw new Fault(
      'value',
      'as_of reads the item bank as it stood; an item pool has no past: leave as_of or item_pool_id out.',
      '/as_of',
    );
  if (asOf > now - SETTLED_MS)
    throw new Fault(
      'value',
      `as_of must be at least ${SETTLED_MS / 1000} seconds ago, so that all earlier writes are visible; ${new Date(asOf).toISOString()} can be read from ${new Date(asOf + SETTLED_MS).toISOString()} on.`,
      '/as_of',
    );
  return { organisation, asOf };
}
