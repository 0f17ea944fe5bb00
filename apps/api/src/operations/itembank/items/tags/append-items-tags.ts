import { Type, type Static } from '@sinclair/typebox';

import { type Scope } from '#kernel';
import { Items } from '#content';
import { bank, meta } from '../../../../declaration/inputs';
import { type Operation, operation } from '../../../../declaration/operation';
import { nothing } from '../../../../declaration/results';
import { retagEntries, retagsOf } from '../../../retag-input';

const AppendItemsTagsInput = Type.Object({ ...bank, ...meta, items: retagEntries() });

@operation({
  path: 'itembank/items/tags',
  action: 'update',
  summary: 'Adds tags to each listed item; its other tags stay.',
  example: { items: [{ reference: 'capitals', tags: { Grade: ['5'] } }] },
  input: AppendItemsTagsInput,
  output: Type.Array(Type.Never()),
})
export class AppendItemsTags implements Operation<typeof AppendItemsTagsInput> {
  constructor(private readonly items: Items) {}

  async execute({ items }: Static<typeof AppendItemsTagsInput>, scope: Scope) {
    await this.items.retag(retagsOf(items), 'append', scope);
    return nothing();
  }
}
