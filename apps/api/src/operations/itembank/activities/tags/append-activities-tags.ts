import { Type, type Static } from '@sinclair/typebox';

import { type Scope } from '#kernel';
import { Activities } from '#content';
import { bank, meta } from '../../../../declaration/inputs';
import { type Operation, operation } from '../../../../declaration/operation';
import { nothing } from '../../../../declaration/results';
import { retagEntries, retagsOf } from '../../../retag-input';

const AppendActivitiesTagsInput = Type.Object({ ...bank, ...meta, activities: retagEntries() });

@operation({
  path: 'itembank/activities/tags',
  action: 'update',
  summary: 'Adds tags to each listed activity; its other tags stay.',
  example: { activities: [{ reference: 'geography-1', tags: { Grade: ['5'] } }] },
  input: AppendActivitiesTagsInput,
  output: Type.Array(Type.Never()),
})
export class AppendActivitiesTags implements Operation<typeof AppendActivitiesTagsInput> {
  constructor(private readonly activities: Activities) {}

  async execute({ activities }: Static<typeof AppendActivitiesTagsInput>, scope: Scope) {
    await this.activities.retag(retagsOf(activities), 'append', scope);
    return nothing();
  }
}
