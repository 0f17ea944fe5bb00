import { type Static } from '@sinclair/typebox';

import { type Position, type Scope } from '#kernel';
import { Widgets } from '#content';
import { type Operation, operation } from '../../../declaration/operation';
import { Question } from '../widget-view';
import { foundWidgets, getWidgets, getWidgetsInput } from '../widgets';

const GetQuestionsInput = getWidgetsInput('questions');

@operation({
  path: 'itembank/questions',
  action: 'get',
  summary: 'Reads questions, filtered, sorted and paged; with item_references, by item.',
  example: { references: ['demo-science-air-boiling'] },
  input: GetQuestionsInput,
  output: foundWidgets(Question),
})
export class GetQuestions implements Operation<typeof GetQuestionsInput> {
  constructor(private readonly widgets: Widgets) {}

  async execute(input: Static<typeof GetQuestionsInput>, { shelf }: Scope, after?: Position) {
    return getWidgets(this.widgets, 'question', input, input.include?.questions, shelf, after);
  }
}
