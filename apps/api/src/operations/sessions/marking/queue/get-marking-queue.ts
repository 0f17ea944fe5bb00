import { Type, type Static } from '@sinclair/typebox';

import { type Scope } from '#kernel';
import { RoundMarking } from '#marking';
import { text } from '../../../../declaration/fields';
import { bank } from '../../../../declaration/inputs';
import { type Operation, operation } from '../../../../declaration/operation';
import { AnswerToMark, answerToMarkView } from '../answer-view';

const GetMarkingQueueInput = Type.Object({
  ...bank,
  round: text({ description: 'Reference of the round.' }),
  answer: text({ description: 'Reference of the answer, from `sessions/marking/queue` set.' }),
});

@operation({
  path: 'sessions/marking/queue',
  action: 'get',
  summary: 'Reads an answer to mark with its question. In a blind round, without the learner and the marks of others.',
  example: { round: '01KE0XN8Y4V2M6ZB3T9QWJ7C5R', answer: '01KE0XQ4G8N1S5DPA2R7VHM3FY' },
  input: GetMarkingQueueInput,
  output: AnswerToMark,
})
export class GetMarkingQueue implements Operation<typeof GetMarkingQueueInput> {
  constructor(private readonly marking: RoundMarking) {}

  async execute({ round, answer }: Static<typeof GetMarkingQueueInput>, scope: Scope) {
    return {
      data: JSON.stringify(answerToMarkView(await this.marking.answer(round, answer, scope), scope)),
    };
  }
}
