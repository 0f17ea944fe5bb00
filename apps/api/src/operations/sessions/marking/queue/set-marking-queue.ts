import { Type, type Static } from '@sinclair/typebox';

import { type Scope } from '#kernel';
import { RoundMarking } from '#marking';
import { optional, text } from '../../../../declaration/fields';
import { bank, meta } from '../../../../declaration/inputs';
import { type Operation, operation } from '../../../../declaration/operation';
import { TakenAnswer, takenView } from '../answer-view';

const SetMarkingQueueInput = Type.Object({
  ...bank,
  ...meta,
  round: text({ description: 'Reference of the round.' }),
  answer: optional(
    text({
      description:
        'Takes this answer, for example to mark it again. It must wait for a mark, or this marker must have marked it last.',
    }),
  ),
  after: optional(
    text({
      description: 'Takes the answer after this one, and releases the answer that the marker has in hand.',
    }),
  ),
});

@operation({
  path: 'sessions/marking/queue',
  action: 'set',
  summary:
    'Gives the marker in `meta.user` the next answer of a round. Nobody else gets it for 15 minutes. A repeated call gives the same answer.',
  example: { round: '01KE0XN8Y4V2M6ZB3T9QWJ7C5R', meta: { user: { id: 'marker-1' } } },
  input: SetMarkingQueueInput,
  output: TakenAnswer,
})
export class SetMarkingQueue implements Operation<typeof SetMarkingQueueInput> {
  constructor(private readonly marking: RoundMarking) {}

  async execute({ round, answer, after }: Static<typeof SetMarkingQueueInput>, scope: Scope) {
    return {
      data: JSON.stringify(takenView(await this.marking.take(round, { answer, after }, scope))),
    };
  }
}
