import { type Static } from '@sinclair/typebox';

import { type Scope } from '#kernel';
import { Duplication } from '#content';
import { type Operation, operation } from '../../../../declaration/operation';
import { copiedWidgets, duplicateWidgets, duplicateWidgetsInput } from '../../duplicate-widgets';
import { Question } from '../../widget-view';

const DuplicateQuestionsInput = duplicateWidgetsInput('question');

@operation({
  path: 'itembank/questions/duplicate',
  action: 'set',
  summary: 'Copies the questions of items; returns the copies by item and by source question.',
  example: { item_references: ['capitals'] },
  input: DuplicateQuestionsInput,
  output: copiedWidgets(Question),
})
export class DuplicateQuestions implements Operation<typeof DuplicateQuestionsInput> {
  constructor(private readonly duplication: Duplication) {}

  async execute(input: Static<typeof DuplicateQuestionsInput>, scope: Scope) {
    return duplicateWidgets(this.duplication, 'question', input, scope);
  }
}
