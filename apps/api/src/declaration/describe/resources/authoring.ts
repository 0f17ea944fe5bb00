import { TEMPLATE_STATUSES } from '#content';
import { type JsonSchema } from '../json-schema';
import { object, revision, text, textOrNull } from './members';

export const Tag: JsonSchema = {
  type: 'object',
  description: 'A name of a tag type, for sorting and finding records.',
  required: ['type', 'name', 'description', 'sort_key'],
  properties: {
    type: text('Type of the tag.'),
    name: text('Name, unique in its type; ignores case.'),
    description: textOrNull('Description, for authors.'),
    sort_key: { type: 'integer', description: 'Position among the tags of its type; 0 when none was set.' },
    revision,
  },
};

export const TagHierarchy: JsonSchema = {
  type: 'object',
  description: 'An order of tag types from the root down, for browsing content.',
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
  description: 'A tag as a node of a hierarchy: content has it together with the tags above it.',
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
        regions: object('Elements by region.'),
        labelBundle: object('Labels in place of the usual ones.'),
        custom_data: object('Further data for the player.'),
      },
      description: 'The template. Members that are not listed here are returned unchanged.',
    },
  },
};

export const BaseTemplate: JsonSchema = {
  type: 'object',
  deprecated: true,
  description: 'Initial settings of activities; replaced by player templates.',
  required: ['reference', 'data', 'description', 'status'],
  properties: {
    reference: text('Name of the template, unique in its organisation.'),
    data: {
      type: 'object',
      properties: { config: object('Settings of the player: `ui_style`, `navigation`, `title`, `subtitle`.') },
      description: 'The template. Members that are not listed here are returned unchanged.',
    },
    description: text('Description, for authors.'),
    status: { type: 'string', enum: [...TEMPLATE_STATUSES], description: 'Whether it is still in use.' },
  },
};

export const Workflow: JsonSchema = {
  type: 'object',
  description: 'The states of items up to publication, and the moves between them.',
  required: ['reference', 'description', 'initial_state_reference', 'final_state_reference', 'workflow_states'],
  properties: {
    reference: text('Name of the workflow, unique in its item bank; ignores case.'),
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
            description: 'The moves from this state, in display order.',
            items: {
              type: 'object',
              required: ['to_state_reference', 'display_order', 'label', 'to_state_label'],
              properties: {
                to_state_reference: text('The state that the move leads to.'),
                display_order: { type: 'integer', description: 'The smallest is shown first.' },
                label: text('Label of the state in which the move begins.'),
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
