import { infiniteQueryOptions, queryOptions, useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useEffect, useMemo } from 'react';
import { call, type Input, keyOf, pagesOf } from '../../operations/call';
import type { useAddress } from '../../ui/use-address';
import { STATUSES } from '../items/filters';
import { filterOf } from '../sessions/filters';
import { distinct } from '../sessions/sessions-query';
import type { Response, Session } from '../sessions/shown-session';
import { keyOfTarget } from './marks';

type Address = ReturnType<typeof useAddress>;

/** An answer in the queue. */
export interface Entry {
  key: string;
  session: Session;
  response: Response;
  /** Place of the response in the session. */
  at: number;
  max: number;
}

const PAGE = 50;
/** Sessions in a queue. */
export const MAX_SHOWN = 1000;

const pages = (input: Input<'get sessions/responses'>, isEnabled: boolean) =>
  infiniteQueryOptions({
    queryKey: [...keyOf('get sessions/responses'), 'queue', input],
    enabled: isEnabled,
    // The queue is not read again while somebody marks. The screen adds the new marks itself.
    staleTime: Infinity,
    queryFn: async ({ signal, pageParam }) => {
      const next = pageParam === '' ? {} : { next: pageParam };
      const { data, meta } = await call(
        'get sessions/responses',
        { ...input, ...next, sort: 'asc', limit: PAGE },
        signal,
      );
      return { sessions: data, next: data.length < PAGE ? undefined : meta.next };
    },
    initialPageParam: '',
    getNextPageParam: ({ next }, all) => (all.length * PAGE < MAX_SHOWN ? next : undefined),
  });

/** The references of all items with any of the questions. Archived items have answers too. */
const holdersOf = (questions: readonly string[]) =>
  queryOptions({
    queryKey: [...keyOf('get itembank/items'), 'holders', questions],
    queryFn: async ({ signal }) => {
      const input = { questions: { references: [...questions] }, status: [...STATUSES], limit: PAGE };
      const found: string[] = [];
      for await (const items of pagesOf((next) => call('get itembank/items', { ...input, ...next }, signal)))
        found.push(...items.map(({ reference }) => reference));
      return found;
    },
  });

/** The answers to mark, as the address selects and orders them. */
export function useQueue(address: Address) {
  const filter = filterOf(address);
  const questions = address.list('question');
  const isNarrow = [filter.items, filter.activity_id, filter.session_id].some((list) => list !== undefined);
  // Sessions are found by items: by those that have the question.
  const byQuestion = questions.length > 0 && !isNarrow;
  const lookup = useQuery({ ...holdersOf(questions), enabled: byQuestion });
  const holders = byQuestion ? (lookup.data ?? []) : [];
  const input = byQuestion ? { ...filter, items: holders } : filter;
  const sessions = useInfiniteQuery(pages(input, isNarrow || holders.length > 0));
  const { data, hasNextPage, isFetchingNextPage, isError, fetchNextPage, dataUpdatedAt } = sessions;
  useEffect(() => {
    if (hasNextPage && !isFetchingNextPage && !isError) void fetchNextPage();
  }, [hasNextPage, isFetchingNextPage, isError, fetchNextPage]);
  const loaded = useMemo(() => distinct(data?.pages.flatMap((page) => page.sessions) ?? []), [data]);
  const isByLearner = address.get('order') === 'learner';
  const withAll = address.get('all') === '1';
  const wanted = { items: filter.items, questions };
  const selection = JSON.stringify(wanted);
  const entries = useMemo(
    () => entriesOf(loaded, JSON.parse(selection) as typeof wanted, { isByLearner, withAll }),
    [loaded, selection, isByLearner, withAll],
  );
  return {
    entries,
    sessions: loaded.length,
    isChosen: isNarrow || questions.length > 0,
    isLoading: sessions.isLoading || lookup.isLoading || isFetchingNextPage || (hasNextPage && !isError),
    isCut: loaded.length >= MAX_SHOWN,
    error: lookup.error ?? sessions.error,
    refetch: (): Promise<unknown> => (lookup.error ? lookup.refetch() : sessions.refetch()),
    readAt: dataUpdatedAt,
  };
}

function entriesOf(
  sessions: readonly Session[],
  { items, questions }: { items?: string[]; questions: string[] },
  { isByLearner, withAll }: { isByLearner: boolean; withAll: boolean },
): Entry[] {
  const entries = sessions.flatMap((session) =>
    session.responses.flatMap((response, at): Entry[] => {
      const { item_reference: item = '', question_reference: question = '', response_id: id = '' } = response;
      const isWanted =
        (!items || items.includes(item)) &&
        (questions.length === 0 || questions.includes(question)) &&
        (withAll || response.automarkable === false);
      if (!isWanted) return [];
      const key = keyOfTarget({ session_id: session.session_id, response_id: id });
      return [{ key, session, response, at, max: response.max_score ?? 0 }];
    }),
  );
  if (isByLearner) return entries;
  const order = [...new Set(entries.map(({ response }) => questionOf(response)))];
  return order.flatMap((question) => entries.filter(({ response }) => questionOf(response) === question));
}

const questionOf = ({ item_reference: item, question_reference: question }: Response) => `${item}\n${question}`;
