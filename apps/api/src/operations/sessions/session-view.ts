import { type Static, Type } from '@sinclair/typebox';
import { type Json, type JsonObject, type JsonText } from '#kernel';
import { isoTime, type SessionRecord, type SessionResponse, SETTABLE_STATUSES } from '#sessions';
import { integer, nullable, number, text, words } from '../../declaration/fields';

/* Sessions as clients read them. Long texts are stored as they are shown, and passed on. */

const examples = ['2026-01-31T09:30:00Z'];

export const time = (description: string) => Type.String({ description, examples });
export const timeOrNull = (description: string) => nullable(time(description));

export const identity = {
  user_id: text('Id of the learner.'),
  activity_id: text('Id of the activity.'),
  session_id: text('Id of the session.'),
};

export const progress = {
  num_attempted: integer('Number of attempted questions.'),
  num_questions: integer('Questions of all items.'),
  session_duration: nullable(integer('Minutes from start to completion, rounded up; null until it is completed.')),
  dt_started: time('Time of the start, UTC.'),
  dt_completed: timeOrNull('Time of the completion, UTC; null until then.'),
};

export const status = words(SETTABLE_STATUSES, { description: 'Status of the session.' });

export const score = number('Points of all items; a response without a score counts 0.');

const Subscore = Type.Object({
  id: text('Id of the subscore.'),
  title: text('Title.'),
  num_questions: integer('Questions of its items.'),
  num_attempted: integer('Number of attempted questions among them.'),
  score: number('Points.'),
  max_score: number('Maximum score of all its questions.'),
  attempted_max_score: number('Maximum score of the attempted questions.'),
  items: Type.Array(Type.String(), { description: 'References of its items.' }),
});

export const totals = {
  score,
  max_score: number('Maximum score of all questions, attempted or not.'),
  subscores: nullable(
    Type.Array(Subscore, {
      description: 'Scores of groups of items; null when none were defined when the session was taken.',
    }),
  ),
};

export const sessionTags = Type.Array(Type.Object({ type: text('Tag type.'), name: text('Name of the tag.') }), {
  description: 'Tags of the session.',
});

/**
 * A view in two parts: members to be serialised, and members that are already JSON text. Leaves out undefined ones.
 * `Passed` names the members of the resource that are text.
 */
export function sessionView<View, Passed extends keyof View>(
  members: Omit<View, Passed>,
  texts: { [Name in Passed]-?: JsonText | null | undefined },
): JsonText {
  let view = JSON.stringify(members).slice(0, -1);
  for (const name in texts) if (texts[name] !== undefined) view += `,"${name}":${texts[name]}`;
  return `${view}}`;
}

/** Metadata that reads always show, if it exists. */
const SHOWN_METADATA = ['activity_template_id', 'items_api_version', 'max_time', 'user_agent'];

/** The existing metadata with these names. `metadata` and, if named, `tags` were requested. */
export function metadataOf(session: SessionRecord, names: readonly string[]): JsonObject {
  const { metadata, tags } = session.texts;
  const stored = JSON.parse(metadata!) as JsonObject;
  const shown: [string, Json][] = [];
  for (const name of new Set(names)) {
    if (name === 'activity_template_id' && session.activityTemplateId !== null)
      shown.push([name, session.activityTemplateId]);
    else if (name === 'session_tags') shown.push([name, JSON.parse(tags!) as Json]);
    else if (Object.hasOwn(stored, name)) shown.push([name, stored[name]!]);
  }
  return Object.fromEntries(shown);
}

export function allMetadataOf(session: SessionRecord, further: readonly string[]): JsonObject {
  return metadataOf(session, [...SHOWN_METADATA, ...further]);
}

export const ResponseScore = Type.Object({
  response_id: text('Id of the response.'),
  dt_score_updated: time('Time of the latest save or scoring of the response, UTC.'),
  score: nullable(number('Points; null before scoring.')),
  max_score: number('Maximum score of the question.'),
  item_reference: text('Reference of the item.'),
});

/** The score of a response. Its time changes with every save and every scoring. */
export function responseScore({
  responseId,
  mark,
  score,
  maxScore,
  itemReference,
}: SessionResponse): Static<typeof ResponseScore> {
  return {
    response_id: responseId,
    dt_score_updated: isoTime(mark.changedAt),
    score,
    max_score: maxScore,
    item_reference: itemReference,
  };
}
