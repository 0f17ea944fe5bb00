import { Type, type Static } from '@sinclair/typebox';

import { type Scope } from '#kernel';
import { type MarkedQuestion as Question, MarkingRounds } from '#marking';
import { integer, text } from '../../../../declaration/fields';
import { bank } from '../../../../declaration/inputs';
import { type Operation, operation } from '../../../../declaration/operation';
import { resource } from '../../../../declaration/outputs';
import { pageOf } from '../../../../declaration/results';

const GetMarkingQuestionsInput = Type.Object({ ...bank });

const MarkedQuestion = resource('MarkedQuestion', 'A question whose answers people mark.', {
  reference: text('Reference of the question.'),
  type: text('Type of the question.'),
  items: Type.Array(Type.String(), { description: 'Present references of the items that show it.' }),
  sessions: integer('Completed sessions that have it.'),
  in_rounds: integer('Its answers in marking rounds; one in several rounds counts once.'),
  settled: integer('Those of them whose marks give a score in a round.'),
});

const questionView = (question: Question): Static<typeof MarkedQuestion> => ({
  reference: question.reference,
  type: question.type,
  items: question.items,
  sessions: question.sessions,
  in_rounds: question.inRounds,
  settled: question.settled,
});

@operation({
  path: 'sessions/marking/questions',
  action: 'get',
  summary:
    'Reads the questions in completed sessions that only people can mark, with counts. The question in most sessions comes first.',
  example: {},
  input: GetMarkingQuestionsInput,
  output: Type.Array(MarkedQuestion),
})
export class GetMarkingQuestions implements Operation<typeof GetMarkingQuestionsInput> {
  constructor(private readonly rounds: MarkingRounds) {}

  async execute(_: Static<typeof GetMarkingQuestionsInput>, { shelf }: Scope) {
    const questions = await this.rounds.questions(shelf.organisation);
    return pageOf(questions.map(questionView));
  }
}
