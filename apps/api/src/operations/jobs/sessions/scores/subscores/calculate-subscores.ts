import { Type, type Static } from '@sinclair/typebox';

import { type Scope } from '#kernel';
import { Subscores } from '#sessions';
import { text } from '../../../../../declaration/fields';
import { bank } from '../../../../../declaration/inputs';
import { type Operation, operation } from '../../../../../declaration/operation';
import { resource } from '../../../../../declaration/outputs';

const CalculateSubscoresInput = Type.Object({
  ...bank,
  session_id: Type.Array(text(), { maxItems: 100, description: 'Ids of sessions, each once.' }),
});

const StartedCalculation = resource(
  'StartedCalculation',
  'The job that computes subscores; its `results` have them under `sessions`.',
  {
    job_reference: text('Reference of the job.'),
    ignored_sessions: Type.Array(Type.String(), {
      description: 'Ids of sessions that do not exist, or had no subscores when they were taken.',
    }),
  },
);

@operation({
  path: 'jobs/sessions/scores/subscores',
  action: 'get',
  summary: 'Starts a job that computes the subscores of sessions; its results contain them.',
  example: { session_id: ['00000000-0000-4000-8000-000000000001'] },
  input: CalculateSubscoresInput,
  output: StartedCalculation,
})
export class CalculateSubscores implements Operation<typeof CalculateSubscoresInput> {
  constructor(private readonly subscores: Subscores) {}

  async execute({ session_id }: Static<typeof CalculateSubscoresInput>, scope: Scope) {
    const { job, ignored } = await this.subscores.start(session_id, scope);
    const view: Static<typeof StartedCalculation> = { job_reference: job, ignored_sessions: ignored };
    return { data: JSON.stringify(view) };
  }
}
