import { Type, type Static } from '@sinclair/typebox';

import { type Scope } from '#kernel';
import { MarkingRounds } from '#sessions';
import { bank } from '../../../../declaration/inputs';
import { type Operation, operation } from '../../../../declaration/operation';
import { page } from '../../../../declaration/results';

const GetMarkingQuestionsInput = Type.Object({ ...bank });

@operation({
  path: 'sessions/marking/questions',
  action: 'get',
  summary:
    'Reads the questions of completed sessions whose answers people mark, with counts. Most sessions come first.',
  example: {},
  input: GetMarkingQuestionsInput,
  output: Type.Array(Type.Ref('MarkedQuestion')),
})
export class GetMarkingQuestions implements Operation<typeof GetMarkingQuestionsInput> {
  constructor(private readonly rounds: MarkingRounds) {}

  async execute(_: Static<typeof GetMarkingQuestionsInput>, { shelf }: Scope) {
    const questions = await this.rounds.questions(shelf.organisation);
    return page(
      questions.map(({ reference, type, items, sessions, inRounds, settled }) =>
        JSON.stringify({ reference, type, items, sessions, in_rounds: inRounds, settled }),
      ),
    );
  }
}
