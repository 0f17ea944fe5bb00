import { SCORING_TYPES } from '#content';
import { type JsonSchema, refTo } from '../json-schema';
import { adaptive, dateTime, object, onRequest, revision, status, tags, text, textOrNull } from './members';

const listedWidget: JsonSchema = {
  type: 'object',
  required: ['reference', 'type'],
  properties: { reference: text('Reference of the widget.'), type: text('Its type code, such as `mcq`.') },
};

export const Item: JsonSchema = {
  type: 'object',
  description: 'Questions and features in a layout, which learners see together.',
  required: [
    'reference',
    'status',
    'title',
    'description',
    'note',
    'source',
    'definition',
    'questions',
    'features',
    'metadata',
    'tags',
    'workflow',
  ],
  properties: {
    reference: text('Name of the item, unique in its item bank.'),
    status: status('Where the item stands in its life.'),
    title: textOrNull('Title, for authors.'),
    description: textOrNull('Description, for authors.'),
    note: textOrNull('Note, for authors.'),
    source: textOrNull('Where the item comes from, for authors.'),
    definition: object('Layout: `widgets`, or `regions` with widgets; each widget has its `reference`.'),
    questions: { type: 'array', items: listedWidget, description: 'The questions of the item.' },
    features: { type: 'array', items: listedWidget, description: 'The features of the item.' },
    metadata: {
      type: ['object', 'null'],
      properties: {
        acknowledgements: textOrNull('Credits; may hold HTML.'),
        scoring_type: {
          type: ['string', 'null'],
          enum: [...SCORING_TYPES, null],
          description: 'How question scores are combined into the score of the item.',
        },
      },
      description: 'Further facts about the item.',
    },
    tags,
    workflow: { description: 'Kept for clients that expect it; null.' },
    authoring_workflow: onRequest('authoring_workflow', {
      type: ['object', 'null'],
      properties: { reference: text('Reference of the workflow.'), state: text('State in it.') },
      description: 'The workflow of the item; null without one.',
    }),
    adaptive: onRequest('adaptive', adaptive),
    dynamic_content_data: onRequest('dynamic_content_data', {
      type: ['object', 'null'],
      description: 'Data for the dynamic content of the item.',
    }),
    max_score: onRequest('max_score', { type: 'number', description: 'Highest score that the item can give.' }),
    created_by: onRequest('created_by', text('Id of the user who created the item.')),
    last_updated_by: onRequest('last_updated_by', text('Id of the user who changed the item last.')),
    dt_created: dateTime('dt_created', 'of creation'),
    dt_updated: dateTime('dt_updated', 'of the last change'),
    revision,
  },
};

export const ItemCopy: JsonSchema = {
  type: 'object',
  description: 'A new copy of an item.',
  required: [...(Item.required as string[]), 'adaptive', 'content'],
  properties: {
    ...Object.fromEntries((Item.required as string[]).map((name) => [name, (Item.properties as JsonSchema)[name]!])),
    adaptive,
    content: text('HTML of the definition: a placeholder for each question and feature, in order.'),
  },
};

export const SearchHit: JsonSchema = {
  type: 'object',
  description: 'An item that a search found.',
  required: ['reference', 'title', 'status', 'question_types', 'score', 'highlights'],
  properties: {
    reference: text('Name of the item.'),
    title: textOrNull('Title, for authors.'),
    status: status('Where the item stands in its life.'),
    question_types: {
      type: 'array',
      items: { type: 'string' },
      description: 'Type codes of its questions, each once, in their order.',
    },
    score: {
      type: 'number',
      description: 'How well the item fits; hits of one search compare, those of several do not.',
    },
    highlights: {
      type: 'array',
      maxItems: 3,
      description: 'Where the words were found. Empty when only the reference holds them.',
      items: {
        type: 'object',
        required: ['kind', 'reference', 'parts'],
        properties: {
          kind: { type: 'string', enum: ['item', 'question', 'feature'], description: 'Whose text it is.' },
          reference: text('Reference of the item, question or feature.'),
          parts: {
            type: 'array',
            description: 'A piece of the text, in parts that follow each other.',
            items: {
              type: 'object',
              required: ['text', 'match'],
              properties: {
                text: text('Plain text: to be escaped before it is put into HTML.'),
                match: { type: 'boolean', description: 'Whether it was searched for.' },
              },
            },
          },
        },
      },
    },
  },
};

const counted = (description: string, members: Record<string, JsonSchema>): JsonSchema => ({
  type: 'array',
  description,
  items: {
    type: 'object',
    required: [...Object.keys(members), 'count'],
    properties: { ...members, count: { type: 'integer', description: 'Number of items.' } },
  },
});

export const Facets: JsonSchema = {
  type: 'object',
  description: 'Numbers of items, by the facets of the request; of each facet the commonest values first.',
  required: ['total', 'complete'],
  properties: {
    total: { type: 'integer', description: 'Number of items, at most 100,000.' },
    complete: { type: 'boolean', description: 'Whether there are no more items than were counted.' },
    status: counted('By status.', { value: status('Status.') }),
    workflow_state: counted('By workflow and state.', {
      workflow: textOrNull('Reference of the workflow; null: in none.'),
      state: textOrNull('State in it; null: in no workflow.'),
    }),
    question_type: counted('By type of the questions and features that they hold.', { value: text('Type code.') }),
    scoring_type: counted('By scoring type.', { value: text('Scoring type.') }),
    author: counted('By the user who created them.', {
      value: textOrNull('Id of the user; null: no user was named.'),
    }),
    tag_type: counted('By tag type.', { value: text('Name of the type.') }),
    tag: counted('By tag.', { type: text('Type of the tag.'), name: text('Name of the tag.') }),
  },
};

export const SavedView: JsonSchema = {
  type: 'object',
  description: 'Filters of a list under a name.',
  required: ['reference', 'screen', 'name', 'shared', 'owner', 'address', 'revision'],
  properties: {
    reference: text('Identifies the view in its organisation.'),
    screen: text('Of which list it is.'),
    name: text('What people read.'),
    shared: { type: 'boolean', description: 'Whether everybody of the organisation sees it.' },
    owner: textOrNull('Id of its author; null: of an account that was removed. Then anybody may replace it.'),
    address: object('Filters, order and columns.'),
    revision: { type: 'integer', description: 'Number of the revision, for `if_revision`.' },
  },
};

const widget = (kind: 'question' | 'feature', description: string, widgetType: string): JsonSchema => ({
  type: 'object',
  description,
  required: ['reference', 'widget_type', 'type', 'data'],
  properties: {
    reference: text(`Name of the ${kind}; questions and features of an item bank share one namespace.`),
    widget_type: { type: 'string', const: widgetType, description: 'Tells questions from features.' },
    type: text('Type code.'),
    data: object('Definition; its members depend on the type.'),
    metadata: {
      type: ['object', 'null'],
      properties: {
        name: textOrNull('Name, for authors.'),
        template_reference: textOrNull('Template it was made from.'),
      },
      description: 'Further facts.',
    },
    dt_created: dateTime('dt_created', 'of creation'),
    dt_updated: dateTime('dt_updated', 'of the last change'),
    revision,
  },
});

export const Question = widget('question', 'Something to answer.', 'response');

export const Feature = widget(
  'feature',
  'An element beside questions: a passage, a calculator, a recording.',
  'feature',
);

const user = (name: string, description: string) =>
  onRequest(name, {
    description: `${description} With \`populate_userdata\` an object with their name and address.`,
    anyOf: [{ type: 'string' }, refTo('User')],
  });

export const Activity: JsonSchema = {
  type: 'object',
  description: 'A list of items, with settings for their presentation.',
  required: ['reference', 'status', 'description', 'data', 'adaptive', 'tags'],
  properties: {
    reference: text('Name of the activity, unique in its item bank.'),
    status: status('Where the activity stands in its life.'),
    description: text('Description, for authors.'),
    data: {
      type: 'object',
      description: 'Definition. Members that are not listed here are returned unchanged.',
      properties: {
        items: {
          type: 'array',
          description: 'The items in order, each in the format in which it was set.',
          items: { anyOf: [{ type: 'string', description: 'Reference of an item.' }, refTo('ActivityItem')] },
        },
        sections: {
          type: 'array',
          items: { type: 'object' },
          description: 'Sections, with `items` and `config` of their own.',
        },
        config: object('Settings of the player, such as `navigation`.'),
        rendering_type: text('How the player shows the items, such as `assess` or `inline`.'),
        activity_id: text('The reference. Derived, like the next three: a set ignores it.'),
        name: text('The title, or the reference when there is none.'),
        state: { type: 'string', const: 'initial', description: 'Always `initial`.' },
        type: { type: 'string', const: 'submit_practice', description: 'Always `submit_practice`.' },
      },
    },
    adaptive,
    tags,
    base_template_id: { type: 'string', deprecated: true, description: 'Base template, where one was set.' },
    title: onRequest('title', textOrNull('Title, for authors.')),
    metadata: onRequest('metadata', { type: ['object', 'null'], description: 'Further facts.' }),
    activity_id: onRequest('activity_id', text('The reference again.')),
    created_by: user('created_by', 'Id of the user who created the activity.'),
    last_updated_by: user('last_updated_by', 'Id of the user who changed the activity last.'),
    dt_created: dateTime('dt_created', 'of creation'),
    dt_updated: dateTime('dt_updated', 'of the last change'),
    revision,
  },
};

export const ActivityItem: JsonSchema = {
  type: 'object',
  description: 'An item as an activity names it.',
  required: ['reference', 'id', 'organisation_id'],
  properties: {
    reference: text('Reference of the item.'),
    id: text('Id of the item, which stays the same when it is renamed.'),
    organisation_id: { type: 'integer', description: 'Organisation of the item bank.' },
  },
};

export const AssetUpload: JsonSchema = {
  type: 'object',
  description: 'The addresses of an asset for upload and for reading.',
  required: ['upload', 'public', 'content_type'],
  properties: {
    upload: text(
      'Address for an HTTP `PUT` of the file, valid for 60 minutes, without credentials. The header `Content-Type` must equal `content_type`.',
    ),
    public: text('Address without its scheme, `//host/path`, at which anyone can read the asset after its upload.'),
    content_type: text('Media type of the asset.'),
  },
};
