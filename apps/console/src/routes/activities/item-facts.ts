import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { batchesOf, call, keyOf, MAX_ENTRIES } from '../../operations/call';
import type { Item } from '../../operations/operations';
import { type Data, allItems, type Entry, referenceOf, STATUSES } from './model';

/** The items of the bank by their references, without their questions. */
export const itemFacts = (references: readonly string[]) => {
  const wanted = [...new Set(references)].sort();
  return queryOptions({
    queryKey: [...keyOf('get itembank/items'), 'facts', wanted],
    queryFn: async ({ signal }): Promise<ReadonlyMap<string, Item>> => {
      const found = new Map<string, Item>();
      for (const some of batchesOf(wanted)) {
        const input = {
          references: some,
          limit: MAX_ENTRIES,
          status: [...STATUSES],
          include: { items: ['max_score' as const] },
        };
        for (const item of (await call('get itembank/items', input, signal)).data)
          found.set(item.reference.toLowerCase(), item);
      }
      return found;
    },
    placeholderData: keepPreviousData,
  });
};

export type Standing = 'present' | 'missing' | 'unpublished' | 'archived' | 'elsewhere' | 'unknown';

/**
 * The state of an item of an activity. `elsewhere`: the item belongs to another bank, which this screen does not read.
 */
export function standingOf(entry: Entry, own: number, facts: ReadonlyMap<string, Item> | undefined): Standing {
  if (isElsewhere(entry, own)) return 'elsewhere';
  if (!facts) return 'unknown';
  const item = facts.get(referenceOf(entry).toLowerCase());
  if (!item) return 'missing';
  return item.status === 'published' ? 'present' : item.status;
}

const isElsewhere = (entry: Entry, own: number): boolean =>
  typeof entry !== 'string' && entry.organisation_id !== undefined && entry.organisation_id !== own;

/** The items of the activity's own bank. */
export const ownReferences = (data: Data, own: number): string[] =>
  allItems(data)
    .filter((entry) => !isElsewhere(entry, own))
    .map(referenceOf);
