import { type Static, Type } from '@sinclair/typebox';
import { type Counted, FACETS, ItemSearch } from '#content';
import { type Scope } from '#kernel';
import { Workflows } from '#workflows';
import { integer, maxTime, minTime, optional, text, words } from '../../../declaration/fields';
import { bank } from '../../../declaration/inputs';
import { type Operation, operation } from '../../../declaration/operation';
import { itemFilters, selectedItems } from '../items/item-filters';

const CountItemsInput = Type.Object({
  ...bank,
  text: optional(
    text({ min: 1, max: 500, description: 'Words that the items must hold, as of `get itembank/search`.' }),
  ),
  facets: optional(
    Type.Array(words(FACETS), {
      maxItems: 20,
      description: 'What to count by. Default: `status`, `workflow_state` and `question_type`. Empty: only the total.',
    }),
  ),
  values: optional(
    integer({ minimum: 1, maximum: 100, default: 20, description: 'The largest number of values of each facet.' }),
  ),
  mintime: minTime('time of creation'),
  maxtime: maxTime('time of creation'),
  ...itemFilters,
});

@operation({
  path: 'itembank/facets',
  action: 'get',
  summary: 'Counts the items that fit filters, by status, workflow state, type, author and tag.',
  example: { status: ['published'], facets: ['question_type', 'tag'], values: 10 },
  input: CountItemsInput,
  output: Type.Ref('Facets'),
})
export class CountItems implements Operation<typeof CountItemsInput> {
  constructor(
    private readonly search: ItemSearch,
    private readonly workflows: Workflows,
  ) {}

  async execute(input: Static<typeof CountItemsInput>, { shelf: { organisation } }: Scope) {
    const facets = new Set(input.facets ?? (['status', 'workflow_state', 'question_type'] as const));
    const { total, isComplete, counts } = await this.search.count(
      organisation,
      { text: input.text, ...selectedItems(input), from: input.mintime, to: input.maxtime },
      [...facets],
      input.values ?? 20,
    );
    const workflows = await this.workflows.byIds(
      organisation,
      (counts.workflow_state ?? []).flatMap(({ owner }) => owner ?? []),
    );
    return { data: JSON.stringify({ total, complete: isComplete, ...view(counts, workflows) }), records: total };
  }
}

function view(counts: Counted['counts'], workflows: ReadonlyMap<string, string>): Record<string, object[]> {
  return Object.fromEntries(
    Object.entries(counts).map(([facet, values]) => [
      facet,
      values.map(({ owner, value, items: count }) => {
        if (facet === 'workflow_state') return { workflow: workflows.get(owner ?? '') ?? null, state: value, count };
        return facet === 'tag' ? { type: owner, name: value, count } : { value, count };
      }),
    ]),
  );
}
