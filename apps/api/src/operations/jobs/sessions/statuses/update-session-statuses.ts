import { Type, type Static } from '@sinclair/typebox';

import { type Scope } from '#kernel';
import { SessionStatuses, SETTABLE_STATUSES } from '#sessions';
import { text } from '../../../../declaration/fields';
import { bank, meta } from '../../../../declaration/inputs';
import { type Operation, operation } from '../../../../declaration/operation';
import { statusAmong } from '../../../sessions/status-field';
import { StartedJob, startedJob } from '../../started-job';

const UpdateSessionStatusesInput = Type.Object({
  ...bank,
  ...meta,
  statuses: Type.Array(
    Type.Object({
      session_id: text({ description: 'Id of the session.' }),
      user_id: text({ description: 'Learner whose session it is.' }),
      status: statusAmong(SETTABLE_STATUSES, 'New status:'),
    }),
    { maxItems: 100, description: 'The sessions, each once.' },
  ),
});

@operation({
  path: 'jobs/sessions/statuses',
  action: 'update',
  summary:
    'Starts a job that changes the statuses of sessions. Completed sessions are scored again, and event receivers are notified.',
  example: {
    statuses: [{ session_id: '00000000-0000-4000-8000-000000000001', user_id: 'learner-1', status: 'Completed' }],
  },
  input: UpdateSessionStatusesInput,
  output: StartedJob,
})
export class UpdateSessionStatuses implements Operation<typeof UpdateSessionStatusesInput> {
  constructor(private readonly statuses: SessionStatuses) {}

  async execute({ statuses }: Static<typeof UpdateSessionStatusesInput>, scope: Scope) {
    const job = await this.statuses.start(
      statuses.map(({ session_id, user_id, status }) => ({ sessionId: session_id, userId: user_id, status })),
      scope,
    );
    return startedJob(job);
  }
}
