import { type Static } from '@sinclair/typebox';

import { type Scope } from '#kernel';
import { Duplication } from '#content';
import { type Operation, operation } from '../../../../declaration/operation';
import { copiedWidgets, duplicateWidgets, duplicateWidgetsInput } from '../../duplicate-widgets';
import { Feature } from '../../widget-view';

const DuplicateFeaturesInput = duplicateWidgetsInput('feature');

@operation({
  path: 'itembank/features/duplicate',
  action: 'set',
  summary: 'Copies the features of items; returns the copies by item and by source feature.',
  example: { item_references: ['capitals'] },
  input: DuplicateFeaturesInput,
  output: copiedWidgets(Feature),
})
export class DuplicateFeatures implements Operation<typeof DuplicateFeaturesInput> {
  constructor(private readonly duplication: Duplication) {}

  async execute(input: Static<typeof DuplicateFeaturesInput>, scope: Scope) {
    return duplicateWidgets(this.duplication, 'feature', input, scope);
  }
}
