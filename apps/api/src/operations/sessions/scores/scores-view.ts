import { type Static, Type } from '@sinclair/typebox';
import { type Author, type JsonText } from '#kernel';
import { type ScoreReason, scoresRecord, type SessionRecord } from '#sessions';
import { optional } from '../../../declaration/fields';
import { resource } from '../../../declaration/outputs';
import { identity, responseScore, ResponseScore, sessionView, status, totals } from '../session-view';
import { reasonView, Reasons } from './reason-view';

const ExplainedScore = Type.Object({ ...ResponseScore.properties, reasons: optional(Reasons) });

export const SessionScores = resource('SessionScores', 'The scores of a session.', {
  ...identity,
  ...totals,
  status,
  responses: optional(
    Type.Array(ExplainedScore, {
      description:
        'The score of each response. Of `sessions/scores` only with `include_response_scores` or `include.reasons`.',
    }),
  ),
});

/**
 * @param reasons one for each response.
 * @param authors whom the reasons name.
 */
export function scoresView(
  session: SessionRecord,
  {
    withResponses,
    reasons,
    authors = new Map(),
  }: { withResponses: boolean; reasons?: readonly ScoreReason[]; authors?: ReadonlyMap<string, Author> },
): JsonText {
  return sessionView<Static<typeof SessionScores>, 'subscores' | 'responses'>(scoresRecord(session), {
    subscores: session.texts.subscores,
    responses: withResponses ? JSON.stringify(responsesView(session, reasons, authors)) : undefined,
  });
}

function responsesView(
  { responses }: SessionRecord,
  reasons: readonly ScoreReason[] | undefined,
  authors: ReadonlyMap<string, Author>,
): Static<typeof ExplainedScore>[] {
  return responses!.map((response, at) => ({
    ...responseScore(response),
    reasons: reasons && reasonView(reasons[at]!, authors),
  }));
}
