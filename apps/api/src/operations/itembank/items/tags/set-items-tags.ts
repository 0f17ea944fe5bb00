import { Type, type Static } from '@sinclair/typebox';

import { type Scope } from '#kernel';
import { Items } from '#content';
import { bank, meta } from '../../../../declaration/inputs';
import { type Operation, operation } from '../../../../declaration/operation';
import { nothing } from '../../../../declaration/results';
import { retagEntries, retagsOf } from '../../../retag-input';

const SetItemsTagsInput = Type.Object({ ...bank, ...meta, items: retagEntries() });

@operation({
  path: 'itembank/items/tags',
  action: 'set',
  summary: 'Replaces all tags of each listed item.',
  example: { items: [{ reference: 'capitals', tags: { Subject: ['Geography'] } }] },
  input: SetItemsTagsInput,
  output: Type.Array(Type.Never()),
})
export class SetItemsTags implements Operation<typeof SetItemsTagsInput> {
  constructor(private readonly items: Items) {}

  async execute({ items }: Static<typeof SetItemsTagsInput>, scope: Scope) {
    await this.items.retag(retagsOf(items), 'replace', scope);
    return nothing();
  }
}
