import { Fault, foldCase, type Shelf } from '#kernel';
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

/** Servers join at most about 60 tables; each required tag is one. */
const MOST_REQUIRED = 50;
/** Servers weigh every order in which to look types up: with 50 of them that alone takes minutes. */
const MOST_TYPES = 10;

/** The two tag filters as one condition. */
export function tagQueryOf({
  tags = [],
  advanced_tags: { all, either, none } = { all: [], either: [], none: [] },
}: {
  tags?: TagPattern[];
  advanced_tags?: TagQuery;
}): TagQuery | undefined {
  if (tags.length + all.length + either.length === 0) return undefined;
  const named = [...tags, ...all].filter(({ name }) => name !== undefined);
  const types = new Map(
    [...tags, ...all].filter(({ name }) => name === undefined).map((pattern) => [foldCase(pattern.type), pattern]),
  );
  if (named.length + types.size > MOST_REQUIRED || types.size > MOST_TYPES)
    throw new Fault(
      'too-many',
      `tags and advanced_tags.all may hold at most ${MOST_REQUIRED} tags together, ${MOST_TYPES} of them without a name; they hold ${named.length + types.size}, ${types.size} of them without a name.`,
      tags.length > 0 ? '/tags' : '/advanced_tags/all',
    );
  return { all: [...named, ...types.values()], either, none };
}

/** @throws Fault 30001: no pool has this reference. */
export function refusePool({ pool }: Shelf): void {
  if (pool !== undefined)
    throw new Fault('reference-unknown', `There is no item pool ${JSON.stringify(pool)}.`, '/item_pool_id');
}
