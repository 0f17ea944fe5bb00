import { type Static, Type } from '@sinclair/typebox';
import { Widgets } from '#content';
import { jsonObject, optional, text } from '../../../declaration/fields';
import { bank } from '../../../declaration/inputs';
import { type Operation, operation } from '../../../declaration/operation';
import { resource } from '../../../declaration/outputs';
import { pageOf } from '../../../declaration/results';

const Written = Type.Object({
  type: text({ min: 1, max: 64, description: 'Type code, such as `mcq`.' }),
  data: jsonObject('Definition of the question or feature.'),
});

const GetWarningsInput = Type.Object({
  ...bank,
  questions: optional(
    Type.Array(Written, { maxItems: 50, description: 'Questions to check; they need not be stored.' }),
  ),
  features: optional(Type.Array(Written, { maxItems: 50, description: 'Features to check; they need not be stored.' })),
});

const ContentWarning = resource('ContentWarning', 'A likely mistake in a question or feature.', {
  rule: text({ description: 'Name of the rule, such as `option-unknown`.' }),
  pointer: text({ description: 'JSON pointer into the request.' }),
  message: text({ description: 'The mistake and how to correct it.' }),
});

@operation({
  path: 'itembank/warnings',
  action: 'get',
  summary: 'Checks questions and features for likely mistakes, as `set` does, and stores nothing.',
  example: {
    questions: [
      {
        type: 'mcq',
        data: {
          options: [{ label: 'Canberra', value: '0' }],
          validation: { valid_response: { score: 1, value: ['1'] } },
        },
      },
    ],
  },
  input: GetWarningsInput,
  output: Type.Array(ContentWarning),
})
export class GetWarnings implements Operation<typeof GetWarningsInput> {
  constructor(private readonly widgets: Widgets) {}

  async execute({ questions = [], features = [] }: Static<typeof GetWarningsInput>) {
    const found = [
      ...(await this.widgets.warnings('question', questions)),
      ...(await this.widgets.warnings('feature', features)),
    ].slice(0, 50);
    return pageOf(found.map(({ rule, at: pointer, message }) => ({ rule, pointer, message })));
  }
}
