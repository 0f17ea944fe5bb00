import { TEMPLATE_STATUSES } from '#content';
import { type JsonSchema } from '../json-schema';
import { object, revision, text, textOrNull } from './members';

export const Tag: JsonSchema = {
  type: 'object',
  description: 'A name of a type, to sort and find records by.',
  required: ['type', 'name', 'description', 'sort_key'],
  properties: {
    type: text('Type of the tag.'),
    name: text('Name, unique in its type; case does not count.'),
    description: textOrNull('Description, for authors.'),
    sort_key: { type: 'integer', description: 'Place among the tags of its type; 0 where none was set.' },
    revision,
  },
};

export const TagHierarchy: JsonSchema = {
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

export const TagNode: JsonSchema = {
  type: 'object',
  description: 'A tag as a node of a hierarchy: content carries it together with the tags above it.',
  required: ['type', 'name', 'description'],
  properties: {
    type: text('Type of the tag: that of its level.'),
    name: text('Name of the tag.'),
    description: textOrNull('Description of the tag, for authors.'),
  },
};

export const PlayerTemplate: JsonSchema = {
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

export const BaseTemplate: JsonSchema = {
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

export const Workflow: JsonSchema = {
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
