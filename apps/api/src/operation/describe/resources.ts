import { SCORING_TYPES, STATUSES, TEMPLATE_STATUSES } from '#content';
import { JOB_STATUSES } from '#jobs';
import { type JsonSchema, refTo } from './json-schema';

/* The records that reads answer with. Operations name them in their output as Type.Ref('Item'). */

const text = (description: string): JsonSchema => ({ type: 'string', description });
const textOrNull = (description: string): JsonSchema => ({ type: ['string', 'null'], description });
const object = (description: string): JsonSchema => ({ type: 'object', description });
const onRequest = (name: string, schema: JsonSchema): JsonSchema => ({
  ...schema,
  description: `${schema.description as string} Only with \`${name}\` in \`include\`.`,
});

const status = (description: string): JsonSchema => ({ type: 'string', enum: [...STATUSES], description });
const dateTime = (name: string, of: string) =>
  onRequest(name, {
    type: 'string',
    pattern: '^\\d{4}-\\d{2}-\\d{2} \\d{2}:\\d{2}:\\d{2}$',
    examples: ['2026-01-31 09:30:00'],
    description: `Time ${of}, UTC.`,
  });

const tags: JsonSchema = {
  type: 'object',
  additionalProperties: { type: 'array', items: { type: 'string' } },
  description: 'Names by tag type, in the order in which they were set.',
  examples: [{ Subject: ['Mathematics'], Grade: ['5', '6'] }],
};

const numberOrNull = (description: string): JsonSchema => ({ type: ['number', 'null'], description });
const adaptive: JsonSchema = {
  type: 'object',
  properties: {
    difficulty: numberOrNull('Difficulty on the scale of ability estimates.'),
    operational_exposure: { description: 'Exposure as part of a score, or null.' },
    seeding_exposure: { description: 'Exposure for calibration, or null.' },
  },
  description: 'Parameters of adaptive tests.',
};

const revision = onRequest('revision', {
  type: 'integer',
  description: 'Number of the present revision; it rises with every change. `if_revision` of a write takes it.',
});

const listedWidget: JsonSchema = {
  type: 'object',
  required: ['reference', 'type'],
  properties: { reference: text('Reference of the widget.'), type: text('Its type code, such as `mcq`.') },
};

const Item: JsonSchema = {
  type: 'object',
  description: 'What a learner is shown at a time: questions and features in a layout.',
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
    definition: object('Layout: `widgets`, or `regions` that hold them, each widget with its `reference`.'),
    questions: { type: 'array', items: listedWidget, description: 'The questions of the item.' },
    features: { type: 'array', items: listedWidget, description: 'The features of the item.' },
    metadata: {
      type: ['object', 'null'],
      properties: {
        acknowledgements: textOrNull('Credits; may hold HTML.'),
        scoring_type: {
          type: ['string', 'null'],
          enum: [...SCORING_TYPES, null],
          description: 'How the scores of the questions make the score of the item.',
        },
      },
      description: 'Further facts about the item.',
    },
    tags,
    workflow: { description: 'Kept for clients that expect it; null.' },
    authoring_workflow: onRequest('authoring_workflow', {
      type: ['object', 'null'],
      properties: { reference: text('Reference of the workflow.'), state: text('State in it.') },
      description: 'The workflow that the item goes through; null outside any.',
    }),
    adaptive: onRequest('adaptive', adaptive),
    dynamic_content_data: onRequest('dynamic_content_data', {
      type: ['object', 'null'],
      description: 'Data from which an item with dynamic content is filled.',
    }),
    max_score: onRequest('max_score', { type: 'number', description: 'Highest score that the item can give.' }),
    created_by: onRequest('created_by', text('Id of the user who created the item.')),
    last_updated_by: onRequest('last_updated_by', text('Id of the user who changed the item last.')),
    dt_created: dateTime('dt_created', 'of creation'),
    dt_updated: dateTime('dt_updated', 'of the last change'),
    revision,
  },
};

const ItemCopy: JsonSchema = {
  type: 'object',
  description: 'An item as the operation answers that made it as a copy.',
  required: [...(Item.required as string[]), 'adaptive', 'content'],
  properties: {
    ...Object.fromEntries((Item.required as string[]).map((name) => [name, (Item.properties as JsonSchema)[name]!])),
    adaptive,
    content: text('The HTML that the definition gives: a mark for each question and feature, in their order.'),
  },
};

const widget = (kind: 'question' | 'feature', description: string, widgetType: string): JsonSchema => ({
  type: 'object',
  description,
  required: ['reference', 'widget_type', 'type', 'data'],
  properties: {
    reference: text(`Name of the ${kind}; questions and features of an item bank share one space of names.`),
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

const user = (name: string, description: string) =>
  onRequest(name, {
    description: `${description} With \`populate_userdata\` an object with their name and address.`,
    anyOf: [{ type: 'string' }, refTo('User')],
  });

const Activity: JsonSchema = {
  type: 'object',
  description: 'A list of items and how they are given to learners.',
  required: ['reference', 'status', 'description', 'data', 'adaptive', 'tags'],
  properties: {
    reference: text('Name of the activity, unique in its item bank.'),
    status: status('Where the activity stands in its life.'),
    description: text('Description, for authors.'),
    data: {
      type: 'object',
      description: 'Definition. Members that are not listed here come back as they were set.',
      properties: {
        items: {
          type: 'array',
          description: 'The items in their order, each in the form in which it was set.',
          items: { anyOf: [{ type: 'string', description: 'Reference of an item.' }, refTo('ActivityItem')] },
        },
        sections: {
          type: 'array',
          items: { type: 'object' },
          description: 'Sections, with `items` and `config` of their own.',
        },
        config: object('Settings of the player; `navigation` among them.'),
        rendering_type: text('How the player shows the items, such as `assess` or `inline`.'),
        activity_id: text('The reference again, unless set otherwise.'),
        name: text('The title, or the reference, unless set otherwise.'),
        state: text('`initial`, unless set otherwise.'),
        type: text('`submit_practice`, unless set otherwise.'),
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

const ActivityItem: JsonSchema = {
  type: 'object',
  description: 'An item as an activity names it.',
  required: ['reference', 'id', 'organisation_id'],
  properties: {
    reference: text('Reference of the item.'),
    id: text('Identity of the item, which stays when it is renamed.'),
    organisation_id: { type: 'integer', description: 'The organisation whose item bank has it.' },
  },
};

const User: JsonSchema = {
  type: 'object',
  description: 'Who is behind a change: what a write names in `meta.user`.',
  required: ['id'],
  properties: {
    id: { ...text('Id that the caller gives them; an unknown one makes a new user.'), maxLength: 50 },
    firstname: { ...textOrNull('First name.'), maxLength: 50 },
    lastname: { ...textOrNull('Last name.'), maxLength: 50 },
    email: { ...textOrNull('Address.'), maxLength: 255 },
  },
};

const Tag: JsonSchema = {
  type: 'object',
  description: 'A name of a type, to sort and find records by.',
  required: ['type', 'name', 'description', 'sort_key'],
  properties: {
    type: text('Type of the tag.'),
    name: text('Name, unique in its type; case does not count.'),
    description: textOrNull('Description, for authors.'),
    sort_key: { type: ['integer', 'null'], description: 'Place among the tags of its type.' },
    revision,
  },
};

const Workflow: JsonSchema = {
  type: 'object',
  description: 'The states that items go through until they are published, and the moves between them.',
  required: ['reference', 'description', 'initial_state_reference', 'final_state_reference', 'workflow_states'],
  properties: {
    reference: text('Name of the workflow, unique in its item bank; case does not count.'),
    description: text('Description, for authors.'),
    initial_state_reference: text('The state that items begin in.'),
    final_state_reference: text('The state in which items become published.'),
    workflow_states: {
      type: 'array',
      description: 'The states, in the order in which they were set.',
      items: {
        type: 'object',
        required: ['reference', 'label', 'description', 'workflow_transitions'],
        properties: {
          reference: text('Name of the state, unique in the workflow; exact in case.'),
          label: text('What authors read.'),
          description: text('Description, for authors.'),
          workflow_transitions: {
            type: 'array',
            description: 'The moves from this state, in the order in which they are shown.',
            items: {
              type: 'object',
              required: ['to_state_reference', 'display_order', 'label', 'to_state_label'],
              properties: {
                to_state_reference: text('The state that the move leads to.'),
                display_order: { type: 'integer', description: 'The smallest is shown first.' },
                label: text('Label of the state that the move begins in.'),
                to_state_label: text('Label of the state that it leads to.'),
              },
            },
          },
        },
      },
    },
    revision,
  },
};

const AssetUpload: JsonSchema = {
  type: 'object',
  description: 'Where an asset is put, and where it is read.',
  required: ['upload', 'public', 'content_type'],
  properties: {
    upload: text(
      'Address for an HTTP `PUT` of the file, good for 60 minutes. It takes no credentials; the header `Content-Type` must be `content_type` exactly.',
    ),
    public: text('Address without its scheme, `//host/path`, at which anyone can read the asset once it is there.'),
    content_type: text('Media type of the asset.'),
  },
};

const Revision: JsonSchema = {
  type: 'object',
  description: 'What a record was from a moment on, until its next revision.',
  required: [
    ...['reference', 'reference_then', 'revision', 'dt_created', 'created_by', 'operation', 'status', 'tags'],
    ...['authoring_workflow', 'document_hash', 'origin'],
  ],
  properties: {
    reference: text('Reference that the record has now.'),
    reference_then: text('Reference that it had then.'),
    revision: { type: 'integer', description: 'Number of the revision; it rises with every change of the record.' },
    dt_created: text('Time of the change, UTC.'),
    created_by: text('Id of the user who made it.'),
    operation: text('What made it, such as `set itembank/items`.'),
    status: { type: ['string', 'null'], enum: [...STATUSES, null], description: 'Null for questions and features.' },
    tags,
    authoring_workflow: {
      type: ['object', 'null'],
      properties: { reference: text('Reference of the workflow.'), state: text('State in it.') },
      description: 'Where an item stood in its workflow; null outside any.',
    },
    document_hash: text(
      'SHA-256 of the canonical form (RFC 8785) of the content, in hexadecimal: equal for equal content.',
    ),
    origin: {
      type: ['object', 'null'],
      properties: {
        reference: text('Reference that the other record had then.'),
        revision: { type: 'integer', description: 'Number of its revision.' },
      },
      description: 'The revision that this one was copied from or restored.',
    },
  },
};

const Job: JsonSchema = {
  type: 'object',
  description: 'Long work that an operation has started. All properties are there but where `include` names some.',
  properties: {
    reference: text('The `job_reference` of the answer that started it.'),
    type: text('What it does, such as `duplicate-activities`.'),
    status: { type: 'string', enum: [...JOB_STATUSES], description: '`completed` and `halted` end a job.' },
    dt_created: text('Time at which it was asked for, UTC.'),
    dt_completed: textOrNull('Time at which it ended, UTC; null until then.'),
    progress: {
      type: 'object',
      properties: {
        done: { type: 'integer', description: 'Entries that are done.' },
        total: { type: ['integer', 'null'], description: 'Entries in all; null as long as that is not known.' },
      },
      description: 'How far it has come.',
    },
    results: { description: 'What came of it, by type; null until it is completed.' },
    error: {
      type: 'object',
      properties: {
        code: { type: 'integer', description: 'Code of the error, as of answers.' },
        message: text('What was wrong.'),
      },
      description: 'Why it was halted; only then.',
    },
  },
};

const StartedJob: JsonSchema = {
  type: 'object',
  description: 'A job that was accepted; `jobs` tells what becomes of it.',
  required: ['job_reference'],
  properties: { job_reference: text('Reference of the job.') },
};

const PatchOperation: JsonSchema = {
  type: 'object',
  description: 'A step of a JSON Patch (RFC 6902).',
  required: ['op', 'path'],
  properties: {
    op: { type: 'string', enum: ['add', 'remove', 'replace', 'move', 'copy', 'test'], description: 'What is done.' },
    path: text('Where, as a JSON pointer.'),
    value: { description: 'The value that is added or put in the place of another.' },
  },
};

const TagHierarchy: JsonSchema = {
  type: 'object',
  description: 'An order of tag types, from the root down, along which content is browsed.',
  required: ['reference', 'tag_types'],
  properties: {
    reference: text('Name of the hierarchy, unique in its item bank.'),
    tag_types: {
      type: 'array',
      items: {
        type: 'object',
        required: ['name', 'description'],
        properties: { name: text('Tag type of the level.'), description: textOrNull('What the level stands for.') },
      },
      description: 'The levels.',
    },
  },
};

const TagNode: JsonSchema = {
  type: 'object',
  description: 'A tag as a node of a hierarchy: content carries it together with the tags above it.',
  required: ['type', 'name', 'description'],
  properties: {
    type: text('Type of the tag: that of its level.'),
    name: text('Name of the tag.'),
    description: textOrNull('Description of the tag, for authors.'),
  },
};

const PlayerTemplate: JsonSchema = {
  type: 'object',
  description: 'How a player shows an activity.',
  required: ['name', 'reference', 'json'],
  properties: {
    name: text('Name, for authors.'),
    reference: text('Name of the template, unique in its organisation.'),
    json: {
      type: 'object',
      properties: {
        regions: object('Elements by the region in which they stand.'),
        labelBundle: object('Labels in place of the usual ones.'),
        custom_data: object('Whatever the player is to be handed besides.'),
      },
      description: 'The template. Members that are not listed here come back as they were given.',
    },
  },
};

const BaseTemplate: JsonSchema = {
  type: 'object',
  deprecated: true,
  description: 'What activities used to begin with; player templates replace it.',
  required: ['reference', 'data', 'description', 'status'],
  properties: {
    reference: text('Name of the template, unique in its organisation.'),
    data: {
      type: 'object',
      properties: { config: object('Settings of the player: `ui_style`, `navigation`, `title`, `subtitle`.') },
      description: 'The template. Members that are not listed here come back as they were given.',
    },
    description: text('Description, for authors.'),
    status: { type: 'string', enum: [...TEMPLATE_STATUSES], description: 'Whether it is still in use.' },
  },
};

export const resources: Record<string, JsonSchema> = {
  Item,
  ItemCopy,
  Question: widget('question', 'Something to answer.', 'response'),
  Feature: widget(
    'feature',
    'Something to use or look at beside questions: a passage, a calculator, a recording.',
    'feature',
  ),
  Activity,
  ActivityItem,
  AssetUpload,
  User,
  Tag,
  TagHierarchy,
  TagNode,
  PlayerTemplate,
  BaseTemplate,
  Revision,
  Job,
  StartedJob,
  PatchOperation,
  Workflow,
};
