import { Type, type Static } from '@sinclair/typebox';

import { Authors } from '#access';
import { type Position, type Scope } from '#kernel';
import { ScoreReasons, Sessions } from '#sessions';
import { flag, optional } from '../../../declaration/fields';
import { type Operation, operation } from '../../../declaration/operation';
import { page } from '../../../declaration/results';
import { queryOf, sessionFilters } from '../session-query';
import { scoresView, SessionScores } from './scores-view';

/** Sessions on a page with reasons, which need the rules of all their responses. */
const MAX_WITH_REASONS = 10;

const GetScoresInput = Type.Object({
  ...sessionFilters,
  include_response_scores: flag('Whether the score of each response is returned too.'),
  include: optional(
    Type.Object(
      {
        reasons: flag(
          `Beyond the specification: whether each response is returned with the reasons of its score. Then a page has at most ${MAX_WITH_REASONS} sessions.`,
        ),
      },
      { description: 'Further properties to return.' },
    ),
  ),
});

@operation({
  path: 'sessions/scores',
  action: 'get',
  summary: 'Reads the scores and subscores of sessions.',
  example: { activity_id: ['geography-1'], limit: 5 },
  input: GetScoresInput,
  output: Type.Array(SessionScores),
})
export class GetScores implements Operation<typeof GetScoresInput> {
  constructor(
    private readonly sessions: Sessions,
    private readonly reasons: ScoreReasons,
    private readonly authors: Authors,
  ) {}

  async execute(input: Static<typeof GetScoresInput>, { shelf }: Scope, after?: Position) {
    const { organisation } = shelf;
    const withReasons = input.include?.reasons ?? false;
    const withResponses = withReasons || (input.include_response_scores ?? false);
    const query = queryOf(input, after);
    const { entries, after: next } = await this.sessions.find(
      organisation,
      withReasons ? { ...query, limit: Math.min(query.limit, MAX_WITH_REASONS) } : query,
      { texts: ['subscores'], ...(withResponses ? { responses: true } : {}) },
    );
    const reasons = withReasons ? await this.reasons.of(organisation, entries) : undefined;
    const all = [...(reasons?.values() ?? [])].flat();
    const ids = all.flatMap(({ mark, changes }) => [mark, ...changes].flatMap(({ author }) => author ?? []));
    const authors = await this.authors.find(organisation, ids);
    return page(
      entries.map((session) => scoresView(session, { withResponses, reasons: reasons?.get(session.id), authors })),
      next,
    );
  }
}
