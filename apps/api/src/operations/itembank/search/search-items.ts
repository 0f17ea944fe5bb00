import { type Static, Type } from '@sinclair/typebox';

import { type Position, type Scope } from '#kernel';
import { ItemSearch } from '#content';
import { maxTime, minTime, text } from '../../../declaration/fields';
import { bank, paging } from '../../../declaration/inputs';
import { type Operation, operation } from '../../../declaration/operation';
import { pageOf } from '../../../declaration/results';
import { itemFilters, selectedItems } from '../items/item-filters';
import { hitView, SearchHit } from './hit-view';

const SearchItemsInput = Type.Object({
  ...bank,
  ...paging,
  text: text({
    min: 1,
    max: 500,
    description:
      'Words that the item, its questions and its features together must contain: at most 20. Ignores case and accents. A word of three letters or more also finds longer words that begin with it; words in double quotes must follow each other and be whole.',
  }),
  mintime: minTime('time of creation'),
  maxtime: maxTime('time of creation'),
  ...itemFilters,
});

@operation({
  path: 'itembank/search',
  action: 'get',
  summary: 'Finds items by the words in their texts, the best hits first, at most 1,000 of them.',
  example: { text: 'photosynthesis "green leaves"', status: ['published'], limit: 10 },
  input: SearchItemsInput,
  output: Type.Array(SearchHit),
})
export class SearchItems implements Operation<typeof SearchItemsInput> {
  constructor(private readonly search: ItemSearch) {}

  async execute(input: Static<typeof SearchItemsInput>, { shelf: { organisation } }: Scope, after?: Position) {
    const found = await this.search.find(organisation, {
      text: input.text,
      ...selectedItems(input),
      from: input.mintime,
      to: input.maxtime,
      limit: input.limit ?? 50,
      after,
    });
    const result = pageOf(found.entries.map(hitView), found.after);
    return found.waiting > 0 ? { ...result, meta: { not_indexed: found.waiting } } : result;
  }
}
