import { Type, type Static } from '@sinclair/typebox';

import { Authors } from '#access';
import { Fault, type Position, type Scope } from '#kernel';
import { Activities, STATUSES } from '#content';
import { flag, optional, references, words } from '../../../declaration/fields';
import { advancedTagFilter, tagFilter } from '../../../declaration/tag-fields';
import { include, paging, past, shelf, sorting, times } from '../../../declaration/inputs';
import { type Operation, operation } from '../../../declaration/operation';
import { page } from '../../../declaration/results';
import { orderOf, tagQueryOf } from '../../record-query';
import { Activity, ACTIVITY_EXTRAS, activityView } from './activity-view';

const GetActivitiesInput = Type.Object({
  ...shelf,
  ...past,
  ...paging,
  ...sorting(['created', 'updated']),
  ...times,
  ...include('activities', ACTIVITY_EXTRAS),
  references: optional(references('References of activities.')),
  item_references: optional(
    Type.Object(
      {
        all: optional(references('The activity must hold all of these items.')),
        either: optional(references('The activity must hold at least one of these items.')),
      },
      { description: 'Needs `all`, `either` or both; items of the same item bank.' },
    ),
  ),
  status: optional(Type.Array(words(STATUSES), { description: 'Default: published and unpublished.' })),
  tags: tagFilter(),
  advanced_tags: advancedTagFilter(),
  populate_userdata: flag('Show the authors of `created_by` and `last_updated_by`, when these are included.'),
});

@operation({
  path: 'itembank/activities',
  action: 'get',
  summary: 'Reads activities, filtered, sorted and paged.',
  example: { references: ['demo-science'] },
  input: GetActivitiesInput,
  output: Type.Array(Activity),
})
export class GetActivities implements Operation<typeof GetActivitiesInput> {
  constructor(
    private readonly activities: Activities,
    private readonly authors: Authors,
  ) {}

  async execute(input: Static<typeof GetActivitiesInput>, { shelf }: Scope, after?: Position) {
    const held = input.item_references;
    if (held && !held.all && !held.either)
      throw new Fault(
        'missing',
        'item_references needs all or either: {"all": […]} or {"either": […]}.',
        '/item_references',
      );
    if (held && shelf.pool !== undefined)
      throw new Fault(
        'value',
        'item_references does not work on item pools; leave item_pool_id out.',
        '/item_references',
      );
    const { entries, after: next } = await this.activities.find(shelf, {
      references: input.references,
      status: input.status ?? ['published', 'unpublished'],
      tags: tagQueryOf(input),
      holdsAllOf: held?.all,
      holdsOneOf: held?.either,
      ...orderOf(input),
      after,
    });
    const included = new Set<string>(input.include?.activities);
    const ids = entries.flatMap(({ createdBy, updatedBy }) => [createdBy, updatedBy]);
    const users = input.populate_userdata ? await this.authors.find(shelf.organisation, ids) : undefined;
    return page(
      entries.map((activity) => activityView(activity, included, users)),
      next,
    );
  }
}
