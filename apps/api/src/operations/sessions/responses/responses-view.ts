import { type Static, Type } from '@sinclair/typebox';
import { type JsonText } from '#kernel';
import { ITEM_SCORING_TYPES } from '#scoring';
import { scoresRecord, type SessionQuestion, type SessionRecord, statusRecord } from '#sessions';
import { integer, jsonObject, nullable, number, optional, text, words } from '../../../declaration/fields';
import { resource } from '../../../declaration/outputs';
import { allMetadataOf, identity, progress, sessionView, status, timeOrNull, totals } from '../session-view';

const Item = Type.Object({
  reference: text('Reference of the item.'),
  time: number('Seconds that the learner spent on it.'),
  response_ids: Type.Array(Type.String(), { description: 'Ids of the responses to its questions.' }),
  user_flagged: Type.Boolean({ description: 'Whether the learner flagged it.' }),
  scoring: Type.Object(
    {
      score: number('Points.'),
      max_score: number('Maximum score.'),
      type: words(ITEM_SCORING_TYPES, { description: 'How question scores are combined.' }),
    },
    { description: 'Its score.' },
  ),
  source: Type.Object({ organisation_id: integer('The item bank.') }, { description: 'Where it comes from.' }),
});

const Response = Type.Object({
  response_id: text('Id of the response.'),
  question_type: text('Type of the question.'),
  dt_score_updated: timeOrNull("Time of the latest change of the score's value, UTC; null before the first score."),
  automarkable: Type.Boolean({ description: 'Whether the question is scored by rules; otherwise by a person.' }),
  attempted: Type.Boolean({ description: 'Whether the response contains anything.' }),
  score: nullable(number('Points; null before scoring.')),
  max_score: number('Maximum score of the question.'),
  manual_score: optional(number('The part of the score that a person gave; absent without one.')),
  max_manual_score: optional(number('Maximum of that part; absent without one.')),
  item_reference: text('Reference of the item.'),
  question_reference: text('Reference of the question.'),
  response: nullable(jsonObject('As the player stored it, with the answer in `value`; null without an answer.')),
});

const Question = Type.Object({
  reference: text('Reference of the question.'),
  item_reference: text('Reference of the item.'),
  definition_hash: text('SHA-256 of the question.'),
  data: nullable(jsonObject('The definition; null when it belongs to an item bank that the caller may not read.')),
});

export const Session = resource('Session', 'What a learner did with an activity.', {
  ...identity,
  ...progress,
  status,
  ...totals,
  metadata: jsonObject(
    '`activity_template_id`, `items_api_version`, `max_time` and `user_agent`, where they exist, and what `include` names.',
  ),
  items: Type.Array(Item, { description: 'Items in the order of the session.' }),
  responses: Type.Array(Response, { description: 'A response for each question, in the order of the items.' }),
  questions: optional(
    Type.Array(Question, {
      description:
        'The questions that the scores are based on, in the order of the responses. Only with `include.questions`.',
    }),
  ),
});

/**
 * A session with its responses, which are stored as they are shown.
 * @param names further metadata.
 */
export function responsesView(
  session: SessionRecord,
  names: readonly string[],
  questions: readonly SessionQuestion[] | undefined,
): JsonText {
  const { responses, items, subscores } = session.texts;
  return sessionView<Static<typeof Session>, 'subscores' | 'metadata' | 'items' | 'responses' | 'questions'>(
    Object.assign(statusRecord(session), scoresRecord(session)),
    {
      subscores,
      metadata: JSON.stringify(allMetadataOf(session, names)),
      items,
      responses,
      questions: questions && JSON.stringify(questions.map(questionView)),
    },
  );
}

function questionView({ reference, item, hash, definition }: SessionQuestion): Static<typeof Question> {
  return { reference, item_reference: item, definition_hash: hash, data: definition };
}
