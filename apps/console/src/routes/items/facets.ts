import { useQuery } from '@tanstack/react-query';
import { type Output, read } from '../../operations/call';
import { type BankSearch, filtersOf } from './filters';

export type Facets = Output<'get itembank/facets'>;

/**
 * The numbers beside the filters, and the number of items that meet all filters. While new filters are counted, the
 * numbers of the last ones stay, and nobody knows how many items fit.
 */
export function useFacets(search: BankSearch): { facets: Facets | undefined; fitting: Facets | undefined } {
  const { data, isPlaceholderData } = useQuery({
    ...read('get itembank/facets', {
      ...filtersOf(search),
      ...(search.text === undefined ? {} : { text: search.text }),
      facets: ['status', 'workflow_state', 'question_type', 'author', 'tag'],
      values: 100,
    }),
    // The list shows the error of a refused text.
    retry: false,
  });
  const facets = data?.data;
  return { facets, fitting: isPlaceholderData ? undefined : facets };
}
