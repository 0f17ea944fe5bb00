import { Type, type Static } from '@sinclair/typebox';

import { type Position, type Scope } from '#kernel';
import { Sessions } from '#sessions';
import { type Operation, operation } from '../../../../declaration/operation';
import { page } from '../../../../declaration/results';
import { queryOf, sessionFilters } from '../../session-query';
import { scoresView, SessionScores } from '../../scores/scores-view';

const GetResponseScoresInput = Type.Object(sessionFilters);

@operation({
  path: 'sessions/responses/scores',
  action: 'get',
  summary: 'Reads the scores of sessions together with the score of each response.',
  example: { session_id: ['00000000-0000-4000-8000-000000000001'] },
  input: GetResponseScoresInput,
  output: Type.Array(SessionScores),
})
export class GetResponseScores implements Operation<typeof GetResponseScoresInput> {
  constructor(private readonly sessions: Sessions) {}

  async execute(input: Static<typeof GetResponseScoresInput>, { shelf }: Scope, after?: Position) {
    const { entries, after: next } = await this.sessions.find(shelf.organisation, queryOf(input, after), {
      texts: ['subscores'],
      responses: true,
    });
    return page(
      entries.map((session) => scoresView(session, { withResponses: true })),
      next,
    );
  }
}
