import { Type, type Static } from '@sinclair/typebox';

import { type Scope } from '#kernel';
import { RoundMarking } from '#marking';
import { nullable, optional, text } from '../../../../declaration/fields';
import { bank, meta } from '../../../../declaration/inputs';
import { type Operation, operation } from '../../../../declaration/operation';
import { GivenMark, givenMarkView } from './given-mark-view';

const MAX_COMMENT_LENGTH = 10_000;

const SetMarkingMarksInput = Type.Object({
  ...bank,
  ...meta,
  round: text({ description: 'Reference of the round.' }),
  answer: text({ description: 'Reference of the answer.' }),
  score: Type.Number({
    minimum: 0,
    maximum: 1_000_000_000,
    description: 'Points, at most the maximum of the response.',
  }),
  if_response_hash: optional(
    text({
      description:
        'The `response_hash` that the marker has read. The mark is refused if the learner has changed the response since.',
    }),
  ),
  comment: optional(nullable(text({ max: MAX_COMMENT_LENGTH, description: 'Comment of the marker.' }))),
});

@operation({
  path: 'sessions/marking/marks',
  action: 'set',
  summary:
    'Stores the mark that the marker in `meta.user` gives to an answer of a round. Once the marks of the answer are settled, a job gives the response its score.',
  example: {
    round: '01KE0XN8Y4V2M6ZB3T9QWJ7C5R',
    answer: '01KE0XQ4G8N1S5DPA2R7VHM3FY',
    score: 3,
    meta: { user: { id: 'marker-1' } },
  },
  input: SetMarkingMarksInput,
  output: GivenMark,
})
export class SetMarkingMarks implements Operation<typeof SetMarkingMarksInput> {
  constructor(private readonly marking: RoundMarking) {}

  async execute(
    { round, answer, score, comment, if_response_hash: seen }: Static<typeof SetMarkingMarksInput>,
    scope: Scope,
  ) {
    const text = comment === undefined || comment === '' ? null : comment;
    return givenMarkView(answer, await this.marking.mark(round, answer, { score, comment: text, seen }, scope));
  }
}
