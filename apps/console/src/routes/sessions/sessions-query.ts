import { infiniteQueryOptions } from '@tanstack/react-query';
import { call, type Input, keyOf, type Output } from '../../operations/call';

export type SessionRow = Output<'get sessions/statuses'>[number] & { score?: number; max_score?: number };

const PAGE = 50;

/**
 * Sessions with their scores, newest first. The service also offers a page after the last session, for later changes.
 * Here a page that is not full is the last one.
 */
export const sessionPages = (input: Input<'get sessions/statuses'>) =>
  infiniteQueryOptions({
    queryKey: [...keyOf('get sessions/statuses'), input, 'with scores'],
    queryFn: async ({ signal, pageParam }) => {
      const asked = { ...input, limit: PAGE, ...(pageParam === '' ? {} : { next: pageParam }) };
      const { data, meta } = await call('get sessions/statuses', asked, signal);
      const scores = await scoresOf(
        data.map(({ session_id }) => session_id),
        signal,
      );
      const rows: SessionRow[] = data.map((row) => ({ ...row, ...scores.get(row.session_id) }));
      return { data: rows, next: data.length < PAGE ? undefined : meta.next };
    },
    initialPageParam: '',
    getNextPageParam: ({ next }) => next,
  });

async function scoresOf(ids: string[], signal: AbortSignal) {
  if (ids.length === 0) return new Map<string, { score: number; max_score: number }>();
  const { data } = await call('get sessions/scores', { session_id: ids, limit: PAGE }, signal);
  return new Map(data.map(({ session_id, score, max_score }) => [session_id, { score, max_score }]));
}

/** Removes duplicates: a session that changed while pages were read is returned again. */
export function distinct<T extends { session_id: string }>(rows: readonly T[]): T[] {
  return [...new Map(rows.map((row) => [row.session_id, row])).values()];
}
