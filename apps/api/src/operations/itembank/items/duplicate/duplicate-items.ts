import { Type, type Static } from '@sinclair/typebox';

import { type Scope } from '#kernel';
import { contentOf, Duplication } from '#content';
import { flag, optional, reference } from '../../../../declaration/fields';
import { bank, ifRevision, meta } from '../../../../declaration/inputs';
import { type Operation, operation } from '../../../../declaration/operation';
import { keyed } from '../../../../declaration/results';
import { ItemCopy, itemView } from '../item-view';

const DuplicateItemsInput = Type.Object({
  ...bank,
  ...meta,
  items: Type.Array(
    Type.Object({
      reference: reference('Reference of the item to copy.'),
      new_reference: optional(reference('Reference of the copy; default: a UUID.')),
      if_revision: ifRevision(),
    }),
    { maxItems: 50, description: 'The items to copy, each once.' },
  ),
  duplicate_shared_passages: flag('Whether shared passages are copied too; otherwise the copies use the same ones.'),
});

const SHOWN = new Set(['adaptive']);

@operation({
  path: 'itembank/items/duplicate',
  action: 'set',
  summary: 'Copies items with their questions and features; returns the copies by source item.',
  example: { items: [{ reference: 'capitals', new_reference: 'capitals-2' }] },
  input: DuplicateItemsInput,
  output: Type.Record(Type.String(), ItemCopy),
})
export class DuplicateItems implements Operation<typeof DuplicateItemsInput> {
  constructor(private readonly duplication: Duplication) {}

  async execute(input: Static<typeof DuplicateItemsInput>, scope: Scope) {
    const copies = await this.duplication.items(
      input.items.map((entry) => ({
        reference: entry.reference,
        newReference: entry.new_reference,
        ifRevision: entry.if_revision,
      })),
      { sharedPassages: input.duplicate_shared_passages ?? false },
      scope,
    );
    return keyed(
      [...copies].map(([key, copy]) => ({ key, record: itemView(copy, SHOWN, { content: contentOf(copy.body) }) })),
    );
  }
}
