import { Type, type Static } from '@sinclair/typebox';

import { type Position, type Scope } from '#kernel';
import { MarkingRounds, STAGES } from '#marking';
import { optional, text, words } from '../../../../declaration/fields';
import { bank, paging } from '../../../../declaration/inputs';
import { type Operation, operation } from '../../../../declaration/operation';
import { pageOf } from '../../../../declaration/results';
import { MarkedAnswer, markedAnswerView } from '../answer-view';

const GetMarkingMarksInput = Type.Object({
  ...bank,
  ...paging,
  round: text({ description: 'Reference of the round.' }),
  stages: optional(
    Type.Array(words(STAGES), {
      maxItems: STAGES.length,
      description: 'Answers that wait for one of these marks, or are settled. Default: all.',
    }),
  ),
});

@operation({
  path: 'sessions/marking/marks',
  action: 'get',
  summary: 'Reads the answers of a marking round with all their marks, even if the round is blind.',
  example: { round: '01KE0XN8Y4V2M6ZB3T9QWJ7C5R', stages: ['third'] },
  input: GetMarkingMarksInput,
  output: Type.Array(MarkedAnswer),
})
export class GetMarkingMarks implements Operation<typeof GetMarkingMarksInput> {
  constructor(private readonly rounds: MarkingRounds) {}

  async execute(
    { round, stages, limit = 50 }: Static<typeof GetMarkingMarksInput>,
    { shelf }: Scope,
    after?: Position,
  ) {
    const { entries, after: next } = await this.rounds.marks(shelf.organisation, round, {
      stages,
      limit,
      after,
    });
    return pageOf(entries.map(markedAnswerView), next);
  }
}
