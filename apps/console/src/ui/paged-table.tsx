import { DataTable, type DataTableProps } from './data-table';
import { Empty } from './empty';
import { QueryFault } from './loaded';

/** A query that reads pages, as `useInfiniteQuery` returns it. */
interface PagesQuery<T> {
  data: { pages: { data: T[] }[] } | undefined;
  error: Error | null;
  isPending: boolean;
  fetchStatus: string;
  hasNextPage: boolean;
  isFetchingNextPage: boolean;
  fetchNextPage(): Promise<unknown>;
  refetch(): Promise<unknown>;
}

interface PagedTableProps<T> extends Pick<
  DataTableProps<T>,
  'label' | 'columns' | 'keyOf' | 'current' | 'open' | 'height' | 'selected' | 'select'
> {
  query: PagesQuery<T>;
  /** Absent: all rows of the query. */
  rows?: readonly T[];
  /** Says that there is nothing, and what a person can do about it. */
  none: string;
  help?: string;
}

/** The rows that a query has loaded so far. */
export const rowsOf = <T,>({ data }: Pick<PagesQuery<T>, 'data'>): T[] =>
  data?.pages.flatMap((page) => page.data) ?? [];

/** A table of all rows of a query that reads pages, or the reason why it failed. Scrolling loads more pages. */
export function PagedTable<T>({ query, rows = rowsOf(query), none, help, ...table }: PagedTableProps<T>) {
  const isFirst = query.isPending && query.fetchStatus !== 'idle';
  return (
    <>
      <QueryFault query={query} />
      <DataTable
        {...table}
        rows={rows}
        hasMore={query.hasNextPage}
        loadMore={query.error === null ? () => void query.fetchNextPage() : undefined}
        isLoading={isFirst || query.isFetchingNextPage}
        empty={query.error === null && <Empty title={none} help={help} />}
      />
    </>
  );
}
