import { Type, type Static } from '@sinclair/typebox';

import { type Scope } from '#kernel';
import { SessionTags } from '#sessions';
import { text } from '../../../../declaration/fields';
import { bank, meta } from '../../../../declaration/inputs';
import { type Operation, operation } from '../../../../declaration/operation';
import { tags } from '../../../../declaration/tag-fields';
import { StartedJob, startedJob } from '../../started-job';

/** Small enough to keep a batch of sessions a small write. */
const MAX_TAGS = 100;

const SetSessionMetadataInput = Type.Object({
  ...bank,
  ...meta,
  session_metadata: Type.Array(
    Type.Object({
      session_id: text({ description: 'Id of the session.' }),
      user_id: text({ description: 'Learner whose session it is.' }),
      metadata: Type.Object(
        {
          session_tags: tags(
            'All tags of the session: a list of {type, name}, or names by type; an empty list removes all.',
            MAX_TAGS,
          ),
        },
        { description: 'New metadata of the session.' },
      ),
    }),
    { maxItems: 100, description: 'The sessions, each once.' },
  ),
});

@operation({
  path: 'jobs/sessions/metadata',
  action: 'set',
  summary: 'Starts a job that replaces the tags of sessions.',
  example: {
    session_metadata: [
      {
        session_id: '00000000-0000-4000-8000-000000000001',
        user_id: 'learner-1',
        metadata: { session_tags: [{ type: 'Class', name: '5b' }] },
      },
    ],
  },
  input: SetSessionMetadataInput,
  output: StartedJob,
})
export class SetSessionMetadata implements Operation<typeof SetSessionMetadataInput> {
  constructor(private readonly tags: SessionTags) {}

  async execute({ session_metadata }: Static<typeof SetSessionMetadataInput>, scope: Scope) {
    const job = await this.tags.start(
      session_metadata.map(({ session_id, user_id, metadata }) => ({
        sessionId: session_id,
        userId: user_id,
        tags: metadata.session_tags,
      })),
      scope,
    );
    return startedJob(job);
  }
}
