import { Fault, foldCase, place } from '#kernel';
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

/** Servers join at most about 60 tables, and each required tag is one. */
const MAX_REQUIRED = 50;
/** Servers consider every order of look-ups of types. With 50 types, that takes minutes. */
const MAX_TYPES = 10;

/**
 * Tags that content must all carry, as the stores take them.
 * @param what the members of the request that contain them, for a message.
 * @throws Fault 20002 for more tags than a search can have.
 */
export function requiredTags(required: readonly TagPattern[], at: string, what = place(at)): TagPattern[] {
  const named = required.filter(({ name }) => name !== undefined);
  const types = new Map(
    required.filter(({ name }) => name === undefined).map((pattern) => [foldCase(pattern.type), pattern]),
  );
  if (named.length + types.size > MAX_REQUIRED || types.size > MAX_TYPES)
    throw new Fault(
      'too-many',
      `${what} may hold at most ${MAX_REQUIRED} tags together, ${MAX_TYPES} of them without a name; they hold ${named.length + types.size}, ${types.size} of them without a name.`,
      at,
    );
  return [...named, ...types.values()];
}

/** Combines the two tag filters into one condition. */
export function tagQueryOf({
  tags = [],
  advanced_tags: { all, either, none } = { all: [], either: [], none: [] },
}: {
  tags?: TagPattern[];
  advanced_tags?: TagQuery;
}): TagQuery | undefined {
  if (tags.length + all.length + either.length === 0) return undefined;
  const at = tags.length > 0 ? '/tags' : '/advanced_tags/all';
  return { all: requiredTags([...tags, ...all], at, 'tags and advanced_tags.all'), either, none };
}
