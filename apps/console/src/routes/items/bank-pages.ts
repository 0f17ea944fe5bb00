import { infiniteQueryOptions } from '@tanstack/react-query';
import { type Answer, call, keyOf } from '../../operations/call';
import type { Item, SearchHit } from '../../operations/operations';
import { type BankSearch, filtersOf, LISTED, PAGE, sortingOf } from './filters';

/** An item of the list. After a search for words, it has snippets that contain them. */
export type Row = Item & { highlights?: SearchHit['highlights'] };

/** The items that fit the filters of the address, page by page: in the chosen order, or the best hits first. */
export const bankPages = (search: BankSearch) =>
  infiniteQueryOptions({
    queryKey: [...keyOf('get itembank/items'), 'bank', filtersOf(search), search.text, sortingOf(search)],
    queryFn: ({ signal, pageParam }): Promise<Answer<Row[]>> => {
      const page = { ...filtersOf(search), limit: PAGE, ...(pageParam === '' ? {} : { next: pageParam }) };
      return search.text === undefined
        ? call('get itembank/items', { ...page, ...sortingOf(search), include: { items: [...LISTED] } }, signal)
        : found({ ...page, text: search.text }, signal);
    },
    initialPageParam: '',
    getNextPageParam: ({ meta }) => meta.next,
  });

/** A page of hits, each with its item. */
async function found(
  input: Parameters<typeof call<'get itembank/search'>>[1],
  signal: AbortSignal,
): Promise<Answer<Row[]>> {
  const { data: hits, meta } = await call('get itembank/search', input, signal);
  if (hits.length === 0) return { data: [], meta };
  const references = hits.map(({ reference }) => reference);
  const { data } = await call(
    'get itembank/items',
    { references, limit: PAGE, include: { items: [...LISTED] } },
    signal,
  );
  const items = new Map(data.map((item) => [item.reference, item]));
  const rows = hits.flatMap(({ reference, highlights }): Row[] => {
    const item = items.get(reference);
    return item ? [{ ...item, highlights }] : [];
  });
  return { data: rows, meta };
}
