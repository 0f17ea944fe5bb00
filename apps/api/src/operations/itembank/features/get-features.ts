import { type Static } from '@sinclair/typebox';

import { type Position, type Scope } from '#kernel';
import { Widgets } from '#content';
import { type Operation, operation } from '../../../declaration/operation';
import { Feature } from '../widget-view';
import { foundWidgets, getWidgets, getWidgetsInput } from '../widgets';

const GetFeaturesInput = getWidgetsInput('features');

@operation({
  path: 'itembank/features',
  action: 'get',
  summary: 'Reads features, filtered, sorted and paged; with item_references, by item.',
  example: { limit: 2 },
  input: GetFeaturesInput,
  output: foundWidgets(Feature),
})
export class GetFeatures implements Operation<typeof GetFeaturesInput> {
  constructor(private readonly widgets: Widgets) {}

  async execute(input: Static<typeof GetFeaturesInput>, { shelf }: Scope, after?: Position) {
    return getWidgets(this.widgets, 'feature', input, input.include?.features, shelf, after);
  }
}
