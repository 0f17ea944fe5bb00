import { Type, type Static } from '@sinclair/typebox';

import { type Scope } from '#kernel';
import { Widgets } from '#content';
import { bank, meta } from '../../../declaration/inputs';
import { type Operation, operation } from '../../../declaration/operation';
import { setWidgets, widgetEntries } from '../widgets';

const SetQuestionsInput = Type.Object({ ...bank, ...meta, questions: widgetEntries() });

@operation({
  path: 'itembank/questions',
  action: 'set',
  summary: 'Creates or replaces questions.',
  example: {
    questions: [
      {
        reference: 'capital-1',
        type: 'shorttext',
        data: {
          type: 'shorttext',
          stimulus: '<p>The capital of Australia?</p>',
          validation: { valid_response: { score: 1, value: 'Canberra' } },
        },
      },
    ],
  },
  input: SetQuestionsInput,
  output: Type.Array(Type.Never()),
})
export class SetQuestions implements Operation<typeof SetQuestionsInput> {
  constructor(private readonly widgets: Widgets) {}

  async execute({ questions }: Static<typeof SetQuestionsInput>, scope: Scope) {
    return setWidgets(this.widgets, 'question', questions, scope);
  }
}
