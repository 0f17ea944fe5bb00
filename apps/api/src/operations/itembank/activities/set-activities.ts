import { Type, type Static } from '@sinclair/typebox';

import { type Scope } from '#kernel';
import { Activities, STATUSES } from '#content';
import { adaptive, jsonObject, nullable, optional, reference, text, words } from '../../../declaration/fields';
import { tags } from '../../../declaration/tag-fields';
import { bank, ifRevision, meta } from '../../../declaration/inputs';
import { type Operation, operation } from '../../../declaration/operation';
import { written } from '../../../declaration/results';

const ActivityInput = Type.Object({
  reference: reference(),
  title: optional(nullable(text({ description: 'Unchanged when absent; null clears it.' }))),
  description: optional(nullable(text({ description: 'Description, for authors.' }))),
  status: optional(words(STATUSES, { default: 'published', description: 'Status of the activity.' })),
  tags: optional(tags()),
  data: optional(
    jsonObject(
      '`items` (references, or objects with one), `sections` with `items` of their own, `config`, `rendering_type`. `activity_id`, `name`, `state` and `type`, which reads derive, are ignored.',
    ),
  ),
  base_template_id: optional(
    nullable(text({ max: 150, description: 'Deprecated. Stored and returned, not applied.' })),
  ),
  adaptive: optional(adaptive('`difficulty`, `operational_exposure`, `seeding_exposure`.')),
  metadata: optional(nullable(jsonObject('Unchanged when absent; null clears it.'))),
  if_revision: ifRevision(),
});

const SetActivitiesInput = Type.Object({
  ...bank,
  ...meta,
  activities: Type.Array(ActivityInput, { maxItems: 50, description: 'The activities.' }),
});

@operation({
  path: 'itembank/activities',
  action: 'set',
  summary: 'Creates or replaces activities. Absent members are cleared unless their description says otherwise.',
  example: { activities: [{ reference: 'geography-1', title: 'Geography 1', data: { items: ['capitals'] } }] },
  input: SetActivitiesInput,
  output: Type.Array(Type.Never()),
})
export class SetActivities implements Operation<typeof SetActivitiesInput> {
  constructor(private readonly activities: Activities) {}

  async execute(input: Static<typeof SetActivitiesInput>, scope: Scope) {
    const done = await this.activities.set(
      input.activities.map((activity) => ({
        reference: activity.reference,
        title: activity.title,
        description: activity.description,
        status: activity.status,
        tags: activity.tags,
        data: activity.data,
        baseTemplateId: activity.base_template_id,
        adaptive: activity.adaptive,
        metadata: activity.metadata,
        ifRevision: activity.if_revision,
      })),
      scope,
    );
    return written(done);
  }
}
