import { Type, type Static } from '@sinclair/typebox';

import { type Position, type Scope } from '#kernel';
import { SessionQuestions, Sessions } from '#sessions';
import { flag, optional } from '../../../declaration/fields';
import { type Operation, operation } from '../../../declaration/operation';
import { page } from '../../../declaration/results';
import { FLAT, flatMetadataNames, metadataNames } from '../session-metadata-field';
import { queryOf, sessionFilters } from '../session-query';
import { responsesView, Session } from './responses-view';

/** Sessions on a page with their questions, which may be long. */
const MAX_WITH_QUESTIONS = 10;

const GetResponsesInput = Type.Object({
  ...sessionFilters,
  include: optional(
    Type.Object(
      {
        sessions: optional(
          Type.Object({ session_metadata: metadataNames }, { description: 'Properties of each session.' }),
        ),
        [FLAT]: flatMetadataNames,
        questions: flag(
          `Beyond the specification: whether each session is returned with the questions that its scores are based on, and their keys. Then a page has at most ${MAX_WITH_QUESTIONS} sessions.`,
        ),
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
  output: Type.Array(Session),
})
export class GetResponses implements Operation<typeof GetResponsesInput> {
  constructor(
    private readonly sessions: Sessions,
    private readonly questions: SessionQuestions,
  ) {}

  async execute(input: Static<typeof GetResponsesInput>, { shelf, readable }: Scope, after?: Position) {
    const { include } = input;
    const names = [...(include?.sessions?.session_metadata ?? []), ...(include?.[FLAT] ?? [])];
    const withQuestions = include?.questions ?? false;
    const query = queryOf(input, after);
    const limit = withQuestions ? Math.min(query.limit, MAX_WITH_QUESTIONS) : query.limit;
    const { entries, after: next } = await this.sessions.find(
      shelf.organisation,
      { ...query, limit },
      {
        texts: [
          'responses',
          'items',
          'subscores',
          'metadata',
          ...(names.includes('session_tags') ? ['tags' as const] : []),
        ],
      },
    );
    const questions = withQuestions ? await this.questions.of(shelf.organisation, entries, readable) : undefined;
    return page(
      entries.map((session) => responsesView(session, names, questions?.get(session.id))),
      next,
    );
  }
}
