import { Type, type Static } from '@sinclair/typebox';

import { type Position, type Scope } from '#kernel';
import { scoresRecord, Sessions, statusRecord } from '#sessions';
import { optional } from '../../../declaration/fields';
import { type Operation, operation } from '../../../declaration/operation';
import { page } from '../../../declaration/results';
import { FLAT, flatMetadataNames, metadataNames } from '../session-metadata-field';
import { queryOf, sessionFilters } from '../session-query';
import { allMetadataOf, sessionView } from '../session-view';

const GetResponsesInput = Type.Object({
  ...sessionFilters,
  include: optional(
    Type.Object(
      {
        sessions: optional(Type.Object({ session_metadata: metadataNames }, { description: 'Of each session.' })),
        [FLAT]: flatMetadataNames,
      },
      { description: 'Further properties to return.' },
    ),
  ),
});

@operation({
  path: 'sessions/responses',
  action: 'get',
  summary: 'Reads sessions with the responses of their learners.',
  example: { activity_id: ['geography-1'], limit: 5 },
  input: GetResponsesInput,
  output: Type.Array(Type.Ref('Session')),
})
export class GetResponses implements Operation<typeof GetResponsesInput> {
  constructor(private readonly sessions: Sessions) {}

  async execute(input: Static<typeof GetResponsesInput>, { shelf }: Scope, after?: Position) {
    const { include } = input;
    const names = [...(include?.sessions?.session_metadata ?? []), ...(include?.[FLAT] ?? [])];
    const { entries, after: next } = await this.sessions.find(shelf.organisation, queryOf(input, after), {
      texts: [
        'responses',
        'items',
        'subscores',
        'metadata',
        ...(names.includes('session_tags') ? ['tags' as const] : []),
      ],
    });
    return page(
      entries.map((session) => {
        const { responses, items, subscores } = session.texts;
        const facts = Object.assign(statusRecord(session), scoresRecord(session));
        const metadata = JSON.stringify(allMetadataOf(session, names));
        return sessionView(facts, { subscores, metadata, items, responses });
      }),
      next,
    );
  }
}
