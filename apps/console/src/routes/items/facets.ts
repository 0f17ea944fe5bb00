import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { type Output, read } from '../../operations/call';
import { type BankSearch, filtersOf } from './filters';

export type Facets = Output<'get itembank/facets'>;

/**
 * `facets`: the numbers beside the filters. While new filters are counted, they are those of the last filters.
 * `fitting`: the same for the present filters; absent until they are counted.
 */
export function useFacets(search: BankSearch): { facets: Facets | undefined; fitting: Facets | undefined } {
  const { data, isPlaceholderData } = useQuery({
    ...read('get itembank/facets', {
      ...filtersOf(search),
      ...(search.text === undefined ? {} : { text: search.text }),
      facets: ['status', 'workflow_state', 'question_type', 'author', 'tag'],
      values: 100,
    }),
    placeholderData: keepPreviousData,
    // The list shows the error of a refused text.
    retry: false,
  });
  const facets = data?.data;
  return { facets, fitting: isPlaceholderData ? undefined : facets };
}
