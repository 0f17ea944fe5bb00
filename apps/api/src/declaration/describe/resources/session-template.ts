import { SCORING_TYPES } from '#content';
import { type JsonSchema } from '../json-schema';
import { text, textOrNull } from './members';

const HASH = 'SHA-256 of the stored content; it identifies the content when the template is sent back.';

const organisation: JsonSchema = { type: 'integer', description: 'Organisation of the item bank.' };

const item: JsonSchema = {
  type: 'object',
  required: ['reference', 'source', 'content', 'metadata', 'workflow', 'feature_ids', 'question_ids'],
  properties: {
    reference: text('Reference of the item.'),
    source: {
      type: 'object',
      required: ['reference', 'organisation_id', 'hash'],
      properties: { reference: text('The reference again.'), organisation_id: organisation, hash: text(HASH) },
      description: 'Where the item comes from.',
    },
    content: text('HTML of the layout: a placeholder for each question and feature, in order.'),
    metadata: {
      type: 'object',
      required: ['acknowledgements', 'scoring_type'],
      properties: {
        acknowledgements: textOrNull('Credits; may hold HTML.'),
        scoring_type: {
          type: 'string',
          enum: [...SCORING_TYPES],
          description:
            "How question scores are combined into the score of the item: the setting of the request, or the item's own.",
        },
      },
      description: 'Further facts.',
    },
    workflow: { type: 'null', description: 'Kept for clients that expect it.' },
    feature_ids: { type: 'array', items: { type: 'string' }, description: 'References of its features.' },
    question_ids: { type: 'array', items: { type: 'string' }, description: 'Ids of its questions, in their order.' },
  },
};

const question: JsonSchema = {
  type: 'object',
  description: 'The definition of the question: the members of its `data`, and these.',
  required: ['id', 'type', 'metadata'],
  properties: {
    id: text('Derived from the item, the position in it and the content of the question; the same in every template.'),
    type: text('Type code.'),
    metadata: {
      type: 'object',
      description: 'That of the definition, and these.',
      required: ['valid_response_count', 'sheet_reference', 'widget_reference', 'source'],
      properties: {
        valid_response_count: {
          type: 'integer',
          description:
            'Number of parts of the valid response: options to choose, blanks to fill, cells to mark. 0 without one.',
        },
        sheet_reference: text('Reference of the item.'),
        widget_reference: text('Reference of the question.'),
        source: {
          type: 'object',
          required: ['organisation_id', 'hash'],
          properties: { organisation_id: organisation, hash: text(HASH) },
          description: 'Where the question comes from.',
        },
      },
    },
  },
};

export const SessionTemplate: JsonSchema = {
  type: 'object',
  description: 'Items and their questions, for submitting sessions: send the template unchanged to `sessions`.',
  required: ['items', 'metadata', 'questions', 'subscores'],
  properties: {
    items: { type: 'array', items: item, description: 'The items, in the order of the session.' },
    metadata: {
      type: 'object',
      required: ['items_api_version', 'activity_template_id'],
      properties: {
        items_api_version: text('Version of this form.'),
        activity_template_id: textOrNull('Reference of the activity; null without one.'),
        source: {
          type: 'object',
          required: ['organisation_id', 'hash'],
          properties: { organisation_id: organisation, hash: text(HASH) },
          description: 'Source of the activity; absent without one.',
        },
      },
      description: 'What it was made by.',
    },
    questions: { type: 'array', items: question, description: 'The questions of the items, one after the other.' },
    subscores: {
      type: 'array',
      items: {
        type: 'object',
        required: ['id', 'title', 'items'],
        properties: {
          id: text('Tells it apart.'),
          title: text('Name for people.'),
          items: { type: 'array', items: { type: 'string' }, description: 'References of its items.' },
        },
      },
      description: 'Subscores of the request, or of the activity.',
    },
  },
};
