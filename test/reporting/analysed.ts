import { type JsonObject } from '#kernel';
import { choicesOf } from '#scoring';
import { type Analysis } from '../../libs/reporting/src/domain/analysis/figures';
import { ItemAnalysis, percentOf, totalOf } from '../../libs/reporting/src/domain/analysis/item-analysis';
import { type Answered } from '../../libs/reporting/src/domain/analysis/question-tally';
import { ScoreDistribution } from '../../libs/reporting/src/domain/analysis/score-groups';

/** An answer worth one point, named by its place in the session. */
export const answered = (place: number, values: Partial<Answered> = {}): Answered => ({
  organisation: 1,
  item: `item-${place + 1}`,
  question: `question-${place + 1}`,
  type: 'shorttext',
  score: 0,
  maxScore: 1,
  attempted: true,
  value: null,
  ...values,
});

/** A session in which each question of one point has the score of its place. */
export const scored = (scores: readonly (number | null)[], maxScore = 1): Answered[] =>
  scores.map((score, place) => answered(place, { score, maxScore }));

/** Passes the sessions twice, as the job does. */
export function analysed(sessions: readonly (readonly Answered[])[], only?: 'target'): Analysis {
  const distribution = new ScoreDistribution();
  for (const session of sessions) {
    const percent = percentOf(totalOf(session));
    if (percent !== null) distribution.add(percent);
  }
  const analysis = new ItemAnalysis(distribution, only);
  for (const session of sessions) analysis.add(session);
  return analysis.figures();
}

/** The choices of a question; empty for a question without choices. */
export const choices = (type: string, question: JsonObject) => choicesOf(type, { type, ...question })!;
