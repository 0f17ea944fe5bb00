import { Type, type Static } from '@sinclair/typebox';

import { type Scope } from '#kernel';
import { Activities } from '#content';
import { bank, meta } from '../../../../declaration/inputs';
import { type Operation, operation } from '../../../../declaration/operation';
import { nothing } from '../../../../declaration/results';
import { retagEntries, retagsOf } from '../../../retag-input';

const SetActivitiesTagsInput = Type.Object({ ...bank, ...meta, activities: retagEntries() });

@operation({
  path: 'itembank/activities/tags',
  action: 'set',
  summary: 'Replaces all tags of each listed activity.',
  example: { activities: [{ reference: 'geography-1', tags: { Subject: ['Geography'] } }] },
  input: SetActivitiesTagsInput,
  output: Type.Array(Type.Never()),
})
export class SetActivitiesTags implements Operation<typeof SetActivitiesTagsInput> {
  constructor(private readonly activities: Activities) {}

  async execute({ activities }: Static<typeof SetActivitiesTagsInput>, scope: Scope) {
    await this.activities.retag(retagsOf(activities), 'replace', scope);
    return nothing();
  }
}
