import { Type, type Static } from '@sinclair/typebox';

import { type Scope } from '#kernel';
import { Items, STATUSES } from '#content';
import {
  adaptive,
  jsonObject,
  nullable,
  optional,
  reference,
  text,
  widgetList,
  words,
} from '../../../declaration/fields';
import { tags } from '../../../declaration/tag-fields';
import { bank, ifRevision, meta } from '../../../declaration/inputs';
import { type Operation, operation } from '../../../declaration/operation';
import { written } from '../../../declaration/results';

const ItemInput = Type.Object({
  reference: reference(),
  new_reference: optional(reference('New reference of the item; activities with the item are updated.')),
  title: optional(nullable(text({ description: 'Title, for authors.' }))),
  description: optional(nullable(text({ description: 'Description, for authors.' }))),
  note: optional(nullable(text({ description: 'Note, for authors.' }))),
  source: optional(nullable(text({ description: 'Where the item comes from, for authors.' }))),
  status: optional(
    words(STATUSES, {
      description:
        'Status of the item. Default: `unpublished`; `published` if the item is sent to the final state of its workflow.',
    }),
  ),
  definition: jsonObject(
    'Layout: `widgets: [{reference}]`, or `regions: [{type, width, widgets}]`, with at least one widget.',
  ),
  questions: optional(widgetList('Questions of the item; default: those of the definition.')),
  features: optional(widgetList('Features of the item; default: those of the definition.')),
  metadata: optional(nullable(jsonObject('`acknowledgements` and `scoring_type`.'))),
  tags: optional(tags()),
  dynamic_content_data: optional(nullable(jsonObject('Unchanged when absent; null clears it.'))),
  adaptive: optional(adaptive('`difficulty`, exposures. Unchanged when absent; null clears it.')),
  authoring_workflow: optional(
    nullable(
      Type.Object(
        {
          reference: text({ min: 1, max: 150, description: 'Reference of the workflow; ignores case.' }),
          state: text({ min: 1, max: 150, description: 'State in it.' }),
        },
        { description: 'Unchanged when absent; null removes the item from its workflow.' },
      ),
    ),
  ),
  if_revision: ifRevision(),
});

const SetItemsInput = Type.Object({
  ...bank,
  ...meta,
  items: Type.Array(ItemInput, { maxItems: 50, description: 'The items.' }),
});

@operation({
  path: 'itembank/items',
  action: 'set',
  summary: 'Creates or replaces items. Absent members are cleared unless their description says otherwise.',
  example: {
    items: [
      {
        reference: 'capitals',
        definition: { widgets: [{ reference: 'capital-1' }] },
        tags: { Subject: ['Geography'] },
      },
    ],
  },
  input: SetItemsInput,
  output: Type.Array(Type.Never()),
})
export class SetItems implements Operation<typeof SetItemsInput> {
  constructor(private readonly items: Items) {}

  async execute(input: Static<typeof SetItemsInput>, scope: Scope) {
    const done = await this.items.set(
      input.items.map((item) => ({
        reference: item.reference,
        newReference: item.new_reference,
        title: item.title,
        description: item.description,
        note: item.note,
        source: item.source,
        status: item.status,
        definition: item.definition,
        questions: item.questions,
        features: item.features,
        metadata: item.metadata,
        tags: item.tags,
        dynamicContentData: item.dynamic_content_data,
        adaptive: item.adaptive,
        workflow: item.authoring_workflow,
        ifRevision: item.if_revision,
      })),
      scope,
    );
    return written(done);
  }
}
