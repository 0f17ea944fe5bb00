import { type Static, Type } from '@sinclair/typebox';

import { type Scope } from '#kernel';
import { JOB_ACTIONS, Jobs } from '#jobs';
import { text, words } from '../../declaration/fields';
import { bank, meta } from '../../declaration/inputs';
import { type Operation, operation } from '../../declaration/operation';
import { nothing } from '../../declaration/results';

const UpdateJobsInput = Type.Object({
  ...bank,
  ...meta,
  references: Type.Array(text({ min: 1, max: 26 }), {
    maxItems: 50,
    description: 'References of the jobs, each once.',
  }),
  action: words(JOB_ACTIONS, {
    description:
      '`cancel` halts jobs that wait or run; what they have done stays. `retry` lets halted jobs go on where they stopped.',
  }),
});

@operation({
  path: 'jobs',
  action: 'update',
  summary: 'Cancels jobs that wait or run, or retries halted ones: all of them or none.',
  example: { references: ['01K1JZ8Q4V6C8M2T5W7X9Y0ABC'], action: 'cancel' },
  input: UpdateJobsInput,
  output: Type.Array(Type.Never()),
})
export class UpdateJobs implements Operation<typeof UpdateJobsInput> {
  constructor(private readonly jobs: Jobs) {}

  async execute({ references, action }: Static<typeof UpdateJobsInput>, { shelf }: Scope) {
    await this.jobs.update(shelf.organisation, references, action);
    return nothing();
  }
}
