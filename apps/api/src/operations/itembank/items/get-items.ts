import { Type, type Static } from '@sinclair/typebox';

import { type Position, type Scope } from '#kernel';
import { Items, SCORING_TYPES, STATUSES, type StoredRecord } from '#content';
import { MAX_STATES, Workflows } from '#workflows';
import { optional, references, text, words } from '../../../declaration/fields';
import { advancedTagFilter, tagFilter } from '../../../declaration/tag-fields';
import { include, paging, past, shelf, sorting, times } from '../../../declaration/inputs';
import { type Operation, operation } from '../../../declaration/operation';
import { page } from '../../../declaration/results';
import { orderOf, tagQueryOf } from '../../record-query';
import { ITEM_EXTRAS, itemView } from './item-view';

const GetItemsInput = Type.Object({
  ...shelf,
  ...past,
  ...paging,
  ...sorting(['created', 'updated', 'reference', 'title']),
  ...times,
  ...include('items', ITEM_EXTRAS),
  references: optional(references('References of items.')),
  status: optional(Type.Array(words(STATUSES), { description: 'Default: all.' })),
  tags: tagFilter(),
  advanced_tags: advancedTagFilter(),
  authoring_workflow: optional(
    Type.Object(
      {
        reference: text({ min: 1, max: 150, description: 'Reference of the workflow; ignores case.' }),
        states: optional(
          Type.Array(text({ max: 150 }), {
            maxItems: MAX_STATES + 1,
            description: 'Default: `Unassigned` and all states.',
          }),
        ),
      },
      { description: 'Items that go through this workflow.' },
    ),
  ),
  created_by: optional(Type.Array(text(), { maxItems: 1000, description: 'Ids of the users who created the items.' })),
  questions: optional(
    Type.Object(
      {
        references: optional(references('Items that hold at least one of these widgets.')),
        types: optional(
          Type.Array(text(), { maxItems: 1000, description: 'Items that hold a widget of one of these types.' }),
        ),
      },
      { description: 'Items by the questions and features that they hold.' },
    ),
  ),
  scoring_type: optional(
    Type.Array(words([...SCORING_TYPES, 'per-dichotomous']), {
      description: 'Default: all. `per-dichotomous` is `dichotomous`.',
    }),
  ),
});

@operation({
  path: 'itembank/items',
  action: 'get',
  summary: 'Reads items, filtered, sorted and paged.',
  example: { tags: [{ type: 'Subject', name: 'Science' }], status: ['published'], limit: 2 },
  input: GetItemsInput,
  output: Type.Array(Type.Ref('Item')),
})
export class GetItems implements Operation<typeof GetItemsInput> {
  constructor(
    private readonly items: Items,
    private readonly workflows: Workflows,
  ) {}

  async execute(input: Static<typeof GetItemsInput>, { shelf }: Scope, after?: Position) {
    const { entries, after: next } = await this.items.find(shelf, {
      references: input.references,
      status: input.status,
      types: input.scoring_type?.map((type) => (type === 'per-dichotomous' ? 'dichotomous' : type)),
      tags: tagQueryOf(input),
      holdsOneOf: input.questions?.references,
      holdsTypes: input.questions?.types,
      createdBy: input.created_by,
      workflow: input.authoring_workflow,
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
      ? await this.workflows.byIds(shelf.organisation, idsOfWorkflows(entries))
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

function idsOfWorkflows(items: readonly StoredRecord[]): string[] {
  return [...new Set(items.flatMap(({ workflowId }) => workflowId ?? []))];
}
