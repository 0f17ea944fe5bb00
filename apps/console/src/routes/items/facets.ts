import { useQuery } from '@tanstack/react-query';
import { type Output, read } from '../../operations/call';
import { type BankSearch, filtersOf } from './filters';

export type Facets = Output<'get itembank/facets'>;

/** The numbers beside the filters. They count the items that meet all filters. */
export function useFacets(search: BankSearch): Facets | undefined {
  const { data } = useQuery({
    ...read('get itembank/facets', {
      ...filtersOf(search),
      ...(search.text === undefined ? {} : { text: search.text }),
      facets: ['status', 'workflow_state', 'question_type', 'author', 'tag'],
      values: 100,
    }),
    // The list shows the error of a refused text.
    retry: false,
  });
  return data?.data;
}
