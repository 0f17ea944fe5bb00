import { Type, type Static } from '@sinclair/typebox';

import { type Scope } from '#kernel';
import { RoundMarking } from '#marking';
import { text } from '../../../../declaration/fields';
import { bank, meta } from '../../../../declaration/inputs';
import { type Operation, operation } from '../../../../declaration/operation';
import { GivenMark, givenMarkView } from './given-mark-view';

const UpdateMarkingMarksInput = Type.Object({
  ...bank,
  ...meta,
  round: text({ description: 'Reference of the round.' }),
  answer: text({ description: 'Reference of the answer.' }),
});

@operation({
  path: 'sessions/marking/marks',
  action: 'update',
  summary:
    'Takes back the mark of the marker in `meta.user`, unless another person has marked the answer since. A repeated call changes nothing.',
  example: {
    round: '01KE0XN8Y4V2M6ZB3T9QWJ7C5R',
    answer: '01KE0XQ4G8N1S5DPA2R7VHM3FY',
    meta: { user: { id: 'marker-1' } },
  },
  input: UpdateMarkingMarksInput,
  output: GivenMark,
})
export class UpdateMarkingMarks implements Operation<typeof UpdateMarkingMarksInput> {
  constructor(private readonly marking: RoundMarking) {}

  async execute({ round, answer }: Static<typeof UpdateMarkingMarksInput>, scope: Scope) {
    return givenMarkView(answer, await this.marking.mark(round, answer, { score: null, comment: null }, scope));
  }
}
