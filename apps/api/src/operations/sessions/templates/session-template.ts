import { Type } from '@sinclair/typebox';
import { SCORING_TYPES } from '#content';
import { integer, nullable, optional, text, words } from '../../../declaration/fields';
import { resource } from '../../../declaration/outputs';

/* The form of a template. `libs/sessions` writes it, because submissions are checked against its exact text. */

const hash = text('SHA-256 of the stored content; it identifies the content when the template is sent back.');
const organisation_id = integer('Organisation of the item bank.');

const Item = Type.Object({
  reference: text('Reference of the item.'),
  source: Type.Object(
    { reference: text('The reference again.'), organisation_id, hash },
    { description: 'Where the item comes from.' },
  ),
  content: text('HTML of the layout: a placeholder for each question and feature, in order.'),
  metadata: Type.Object(
    {
      acknowledgements: nullable(text('Credits; may hold HTML.')),
      scoring_type: words(SCORING_TYPES, {
        description:
          "How question scores are combined into the score of the item: the setting of the request, or the item's own.",
      }),
    },
    { description: 'Further facts.' },
  ),
  workflow: Type.Null({ description: 'Kept for clients that expect it.' }),
  feature_ids: Type.Array(Type.String(), { description: 'References of its features.' }),
  question_ids: Type.Array(Type.String(), { description: 'Ids of its questions, in their order.' }),
});

const Question = Type.Object(
  {
    id: text('Derived from the item, the position in it and the content of the question; the same in every template.'),
    type: text('Type code.'),
    metadata: Type.Object(
      {
        valid_response_count: integer(
          'Number of parts of the valid response: options to choose, blanks to fill, cells to mark. 0 without one, and for a question that people score or that is unscored.',
        ),
        sheet_reference: text('Reference of the item.'),
        widget_reference: text('Reference of the question.'),
        source: Type.Object({ organisation_id, hash }, { description: 'Where the question comes from.' }),
      },
      { additionalProperties: true, description: 'The metadata of the definition, and these members.' },
    ),
  },
  {
    additionalProperties: true,
    description: 'The definition of the question: the members of its `data`, and the following ones.',
  },
);

const Subscore = Type.Object({
  id: text('Id of the subscore, unique in the session.'),
  title: text('Name for people.'),
  items: Type.Array(Type.String(), { description: 'References of its items.' }),
});

export const SessionTemplate = resource(
  'SessionTemplate',
  'Items and their questions, for submitting sessions: send the template unchanged to `sessions`.',
  {
    items: Type.Array(Item, { description: 'The items, in the order of the session.' }),
    metadata: Type.Object(
      {
        items_api_version: text('Version of the format of the template.'),
        activity_template_id: nullable(text('Reference of the activity; null without one.')),
        source: optional(
          Type.Object({ organisation_id, hash }, { description: 'Source of the activity; absent without one.' }),
        ),
      },
      { description: 'How the template was made.' },
    ),
    questions: Type.Array(Question, { description: 'The questions of the items, one after the other.' }),
    subscores: Type.Array(Subscore, { description: 'Subscores of the request, or of the activity.' }),
  },
);
