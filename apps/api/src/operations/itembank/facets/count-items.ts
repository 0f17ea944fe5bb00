import { type Static, Type } from '@sinclair/typebox';
import { FACETS, ItemSearch } from '#content';
import { type Scope } from '#kernel';
import { Workflows } from '#workflows';
import { integer, maxTime, minTime, optional, text, words } from '../../../declaration/fields';
import { bank } from '../../../declaration/inputs';
import { type Operation, operation } from '../../../declaration/operation';
import { itemFilters, selectedItems } from '../items/item-filters';
import { Facets, facetsView } from './facets-view';

const CountItemsInput = Type.Object({
  ...bank,
  text: optional(
    text({ min: 1, max: 500, description: 'Words that the items must contain, as in `get itembank/search`.' }),
  ),
  facets: optional(
    Type.Array(words(FACETS), {
      maxItems: 20,
      description:
        'Facets to count by. Default: `status`, `workflow_state` and `question_type`. Empty: only the total.',
    }),
  ),
  values: optional(
    integer({ minimum: 1, maximum: 100, default: 20, description: 'Maximum number of values for each facet.' }),
  ),
  mintime: minTime('time of creation'),
  maxtime: maxTime('time of creation'),
  ...itemFilters,
});

@operation({
  path: 'itembank/facets',
  action: 'get',
  summary: 'Counts the items that match filters, by status, workflow state, type, author and tag.',
  example: { status: ['published'], facets: ['question_type', 'tag'], values: 10 },
  input: CountItemsInput,
  output: Facets,
})
export class CountItems implements Operation<typeof CountItemsInput> {
  constructor(
    private readonly search: ItemSearch,
    private readonly workflows: Workflows,
  ) {}

  async execute(input: Static<typeof CountItemsInput>, { shelf: { organisation } }: Scope) {
    const facets = new Set(input.facets ?? (['status', 'workflow_state', 'question_type'] as const));
    const counted = await this.search.count(
      organisation,
      { text: input.text, ...selectedItems(input), from: input.mintime, to: input.maxtime },
      [...facets],
      input.values ?? 20,
    );
    const workflows = await this.workflows.byIds(
      organisation,
      (counted.counts.workflow_state ?? []).map(({ owner }) => owner),
    );
    return { data: JSON.stringify(facetsView(counted, workflows)), records: counted.total };
  }
}
