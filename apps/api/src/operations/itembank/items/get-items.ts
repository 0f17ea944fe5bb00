import { Type, type Static } from '@sinclair/typebox';

import { type Position, type Scope } from '#kernel';
import { Items } from '#content';
import { Workflows } from '#workflows';
import { include, paging, past, shelf, sorting, times } from '../../../declaration/inputs';
import { type Operation, operation } from '../../../declaration/operation';
import { page } from '../../../declaration/results';
import { orderOf } from '../../record-query';
import { itemFilters, selectedItems } from './item-filters';
import { Item, ITEM_EXTRAS, itemView } from './item-view';

const GetItemsInput = Type.Object({
  ...shelf,
  ...past,
  ...paging,
  ...sorting(['created', 'updated', 'reference', 'title']),
  ...times,
  ...include('items', ITEM_EXTRAS),
  ...itemFilters,
});

@operation({
  path: 'itembank/items',
  action: 'get',
  summary: 'Reads items, filtered, sorted and paged.',
  example: { tags: [{ type: 'Subject', name: 'Science' }], status: ['published'], limit: 2 },
  input: GetItemsInput,
  output: Type.Array(Item),
})
export class GetItems implements Operation<typeof GetItemsInput> {
  constructor(
    private readonly items: Items,
    private readonly workflows: Workflows,
  ) {}

  async execute(input: Static<typeof GetItemsInput>, { shelf }: Scope, after?: Position) {
    const { entries, after: next } = await this.items.find(shelf, {
      ...selectedItems(input),
      ...orderOf(input),
      after,
    });
    const included = new Set<string>(input.include?.items);
    const scores = included.has('max_score')
      ? await this.items.maxScores(
          shelf,
          entries.map(({ reference }) => reference),
        )
      : undefined;
    const workflows = included.has('authoring_workflow')
      ? await this.workflows.byIds(
          shelf.organisation,
          entries.map(({ workflowId }) => workflowId),
        )
      : undefined;
    return page(
      entries.map((item) =>
        itemView(item, included, {
          maxScore: scores?.get(item.reference),
          workflow: workflows?.get(item.workflowId ?? ''),
        }),
      ),
      next,
    );
  }
}
