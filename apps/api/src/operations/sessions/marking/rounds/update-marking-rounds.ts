import { Type, type Static } from '@sinclair/typebox';

import { type Scope } from '#kernel';
import { MarkingRounds } from '#marking';
import { text, words } from '../../../../declaration/fields';
import { bank, meta } from '../../../../declaration/inputs';
import { type Operation, operation } from '../../../../declaration/operation';
import { nothing } from '../../../../declaration/results';

const UpdateMarkingRoundsInput = Type.Object({
  ...bank,
  ...meta,
  reference: text({ description: 'Reference of the round.' }),
  status: words(['open', 'closed'], {
    description:
      'In a closed round nobody marks, and scores stay as they are. Closing also stops the collection of answers; the round keeps those that it has.',
  }),
});

@operation({
  path: 'sessions/marking/rounds',
  action: 'update',
  summary: 'Closes a marking round, or opens it again.',
  example: { reference: '01KE0XN8Y4V2M6ZB3T9QWJ7C5R', status: 'closed' },
  input: UpdateMarkingRoundsInput,
  output: Type.Array(Type.Unknown()),
})
export class UpdateMarkingRounds implements Operation<typeof UpdateMarkingRoundsInput> {
  constructor(private readonly rounds: MarkingRounds) {}

  async execute({ reference, status }: Static<typeof UpdateMarkingRoundsInput>, scope: Scope) {
    await this.rounds.move(reference, status, scope);
    return nothing();
  }
}
