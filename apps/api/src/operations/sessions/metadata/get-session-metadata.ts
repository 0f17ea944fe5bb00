import { Type, type Static } from '@sinclair/typebox';

import { type Position, type Scope } from '#kernel';
import { Sessions } from '#sessions';
import { type Operation, operation } from '../../../declaration/operation';
import { resource } from '../../../declaration/outputs';
import { page } from '../../../declaration/results';
import { queryOf, sessionFilters } from '../session-query';
import { identity, sessionTags, sessionView } from '../session-view';

const GetSessionMetadataInput = Type.Object(sessionFilters);

const SessionMetadata = resource('SessionMetadata', 'The tags of a session.', {
  user_id: identity.user_id,
  session_id: identity.session_id,
  metadata: Type.Object({ session_tags: sessionTags }, { description: 'Metadata of the session.' }),
});

@operation({
  path: 'sessions/metadata',
  action: 'get',
  summary: 'Reads the tags of sessions.',
  example: { session_id: ['00000000-0000-4000-8000-000000000001'] },
  input: GetSessionMetadataInput,
  output: Type.Array(SessionMetadata),
})
export class GetSessionMetadata implements Operation<typeof GetSessionMetadataInput> {
  constructor(private readonly sessions: Sessions) {}

  async execute(input: Static<typeof GetSessionMetadataInput>, { shelf }: Scope, after?: Position) {
    const query = queryOf(input, after);
    const { entries, after: next } = await this.sessions.find(shelf.organisation, query, { texts: ['tags'] });
    return page(
      entries.map(({ userId, sessionId, texts }) =>
        sessionView<Static<typeof SessionMetadata>, 'metadata'>(
          { user_id: userId, session_id: sessionId },
          { metadata: `{"session_tags":${texts.tags!}}` },
        ),
      ),
      next,
    );
  }
}
