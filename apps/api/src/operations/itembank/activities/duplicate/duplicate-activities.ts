import { Type, type Static } from '@sinclair/typebox';

import { type Scope } from '#kernel';
import { ActivityDuplication } from '#content';
import { flag, optional, reference } from '../../../../declaration/fields';
import { bank, ifRevision, meta } from '../../../../declaration/inputs';
import { type Operation, operation } from '../../../../declaration/operation';
import { StartedJob, startedJob } from '../../../jobs/started-job';

const DuplicateActivitiesInput = Type.Object({
  ...bank,
  ...meta,
  activities: Type.Array(
    Type.Object({
      reference: reference('Reference of the activity to copy.'),
      new_reference: optional(reference('Reference of the copy; default: a UUID.')),
      if_revision: ifRevision(),
    }),
    { maxItems: 10, description: 'The activities to copy, each once.' },
  ),
  duplicate_shared_passages: flag('Whether shared passages are copied too; otherwise the copies use the same ones.'),
});

@operation({
  path: 'itembank/activities/duplicate',
  action: 'set',
  summary: 'Starts a job that copies activities together with their items, questions and features.',
  example: { activities: [{ reference: 'geography-1', new_reference: 'geography-2' }] },
  input: DuplicateActivitiesInput,
  output: StartedJob,
})
export class DuplicateActivities implements Operation<typeof DuplicateActivitiesInput> {
  constructor(private readonly duplication: ActivityDuplication) {}

  async execute(input: Static<typeof DuplicateActivitiesInput>, scope: Scope) {
    const job = await this.duplication.start(
      input.activities.map((entry) => ({
        reference: entry.reference,
        newReference: entry.new_reference,
        ifRevision: entry.if_revision,
      })),
      { sharedPassages: input.duplicate_shared_passages ?? false },
      scope,
    );
    return startedJob(job);
  }
}
