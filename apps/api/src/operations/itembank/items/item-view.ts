import { Type } from '@sinclair/typebox';
import { type JsonText } from '#kernel';
import { NO_ADAPTIVE, SCORING_TYPES, type StoredRecord } from '#content';
import { jsonObject, nullable, number, optional, text, words } from '../../../declaration/fields';
import {
  adaptiveParameters,
  dateTime,
  namesOf,
  onRequest,
  resource,
  revision,
  status,
  tagsByType as tags,
  type Texts,
} from '../../../declaration/outputs';
import { members, membersOf, objectOf, recordExtras, storedExtras, tagsByType } from '../../record-view';

const ListedWidget = Type.Object({
  reference: text('Reference of the widget.'),
  type: text('Its type code, such as `mcq`.'),
});

/** Members of the stored body, which is passed on as text. */
const body = {
  title: nullable(text('Title, for authors.')),
  description: nullable(text('Description, for authors.')),
  note: nullable(text('Note, for authors.')),
  source: nullable(text('Where the item comes from, for authors.')),
  definition: jsonObject('Layout: `widgets`, or `regions` with widgets; each widget has its `reference`.'),
  questions: Type.Array(ListedWidget, { description: 'The questions of the item.' }),
  features: Type.Array(ListedWidget, { description: 'The features of the item.' }),
  metadata: nullable(
    Type.Object(
      {
        acknowledgements: optional(nullable(text('Credits; may hold HTML.'))),
        scoring_type: optional(
          nullable(
            words(SCORING_TYPES, { description: 'How question scores are combined into the score of the item.' }),
          ),
        ),
      },
      { additionalProperties: true, description: 'Further facts about the item.' },
    ),
  ),
};

const always = {
  reference: text('Name of the item, unique in its item bank.'),
  status: status('Status of the item.'),
  ...body,
  tags,
  workflow: Type.Null({ description: 'Kept for clients that expect it; null.' }),
};

const extras = {
  authoring_workflow: onRequest(
    'authoring_workflow',
    nullable(
      Type.Object(
        { reference: text('Reference of the workflow.'), state: text('State in it.') },
        { description: 'The workflow of the item; null without one.' },
      ),
    ),
  ),
  adaptive: onRequest('adaptive', adaptiveParameters),
  dynamic_content_data: onRequest(
    'dynamic_content_data',
    nullable(jsonObject('Data for the dynamic content of the item.')),
  ),
  max_score: onRequest('max_score', number('Maximum score of the item.')),
  created_by: onRequest('created_by', text('Id of the user who created the item.')),
  last_updated_by: onRequest('last_updated_by', text('Id of the user who changed the item last.')),
  dt_created: dateTime('dt_created', 'of creation'),
  dt_updated: dateTime('dt_updated', 'of the last change'),
  revision,
};
export const ITEM_EXTRAS = namesOf(extras);

export const Item = resource('Item', 'Questions and features in a layout, which learners see together.', {
  ...always,
  ...extras,
});

export const ItemCopy = resource('ItemCopy', 'A new copy of an item.', {
  ...always,
  adaptive: adaptiveParameters,
  content: text('HTML of the definition: a placeholder for each question and feature, in order.'),
});

const WITHOUT_ADAPTIVE = JSON.stringify(NO_ADAPTIVE);

/** Optional members of an item beyond its record. */
interface ItemFacts {
  maxScore?: number;
  /** Reference of its workflow. */
  workflow?: string;
  /** The HTML that its definition gives. */
  content?: string;
}

/** An item as reads show it. */
export function itemView(record: StoredRecord, include: ReadonlySet<string>, facts: ItemFacts = {}): JsonText {
  const { maxScore, workflow, content } = facts;
  const { reference, status, ...further }: Omit<Texts<typeof Item> & { content?: JsonText }, keyof typeof body> = {
    reference: JSON.stringify(record.reference),
    status: JSON.stringify(record.status),
    tags: tagsByType(record.tags),
    workflow: 'null',
    authoring_workflow: include.has('authoring_workflow')
      ? JSON.stringify(workflow === undefined ? null : { reference: workflow, state: record.workflowState })
      : undefined,
    ...recordExtras(record, include),
    ...storedExtras(record, include, { adaptive: WITHOUT_ADAPTIVE, dynamic_content_data: 'null' }),
    max_score: maxScore === undefined ? undefined : JSON.stringify(maxScore),
    content: content === undefined ? undefined : JSON.stringify(content),
  };
  return objectOf(members({ reference, status }), membersOf(record.body), members(further));
}
