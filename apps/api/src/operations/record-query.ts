import { Fault, type Shelf } from '#kernel';
import { type TagPattern, type TagQuery } from '#tagging';

/** Order, bounds and size of a list, as the stores take them. */
export function orderOf<F extends string>(input: {
  sort?: 'asc' | 'desc';
  sort_field?: F;
  mintime?: number;
  maxtime?: number;
  limit?: number;
}) {
  return {
    sort: { field: input.sort_field ?? ('created' as F), ascending: input.sort === 'asc' },
    from: input.mintime,
    to: input.maxtime,
    limit: input.limit ?? 50,
  };
}

/** The two tag filters as one condition. */
export function tagQueryOf({ tags, advanced_tags: advanced }: { tags?: TagPattern[]; advanced_tags?: TagQuery }): TagQuery | undefined {
  if (!tags && !advanced) return undefined;
  return { all: [...(tags ?? []), ...(advanced?.all ?? [])], either: advanced?.either ?? [], none: advanced?.none ?? [] };
}

/** @throws Fault 30001: no pool has this reference. */
export function refusePool({ pool }: Shelf): void {
  if (pool !== undefined)
    throw new Fault('reference-unknown', `There is no item pool ${JSON.stringify(pool)}.`, '/item_pool_id');
}
