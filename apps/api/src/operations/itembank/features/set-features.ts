import { Type, type Static } from '@sinclair/typebox';

import { type Scope } from '#kernel';
import { Widgets } from '#content';
import { bank, meta } from '../../../declaration/inputs';
import { type Operation, operation } from '../../../declaration/operation';
import { setWidgets, widgetEntries } from '../widgets';

const SetFeaturesInput = Type.Object({ ...bank, ...meta, features: widgetEntries() });

@operation({
  path: 'itembank/features',
  action: 'set',
  summary: 'Creates or replaces features.',
  example: {
    features: [
      {
        reference: 'passage-1',
        type: 'sharedpassage',
        data: { type: 'sharedpassage', content: '<p>A text to read.</p>' },
      },
    ],
  },
  input: SetFeaturesInput,
  output: Type.Array(Type.Never()),
})
export class SetFeatures implements Operation<typeof SetFeaturesInput> {
  constructor(private readonly widgets: Widgets) {}

  async execute({ features }: Static<typeof SetFeaturesInput>, scope: Scope) {
    return setWidgets(this.widgets, 'feature', features, scope);
  }
}
