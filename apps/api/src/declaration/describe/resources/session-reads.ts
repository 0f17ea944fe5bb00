import { ITEM_SCORING_TYPES, OUTCOMES } from '#scoring';
import { SETTABLE_STATUSES } from '#sessions';
import { type JsonSchema } from '../json-schema';
import { numberOrNull, object, onRequest, text, textOrNull } from './members';
import { part, step } from './scoring';

const number = (description: string): JsonSchema => ({ type: 'number', description });
const integer = (description: string): JsonSchema => ({ type: 'integer', description });
const list = (items: JsonSchema, description: string): JsonSchema => ({ type: 'array', items, description });
const time = (description: string): JsonSchema => ({ ...text(description), examples: ['2026-01-31T09:30:00Z'] });
const timeOrNull = (description: string): JsonSchema => ({
  ...textOrNull(description),
  examples: ['2026-01-31T09:30:00Z'],
});

const identity = {
  user_id: text('Id of the learner.'),
  activity_id: text('Id of the activity.'),
  session_id: text('Id of the session.'),
};

const status: JsonSchema = { type: 'string', enum: [...SETTABLE_STATUSES], description: 'Status of the session.' };

const progress = {
  num_attempted: integer('Number of attempted questions.'),
  num_questions: integer('Questions of all items.'),
  session_duration: {
    type: ['integer', 'null'],
    description: 'Minutes from start to completion, rounded up; null until it is completed.',
  },
  dt_started: time('Time of the start, UTC.'),
  dt_completed: timeOrNull('Time of the completion, UTC; null until then.'),
} satisfies Record<string, JsonSchema>;

const subscores: JsonSchema = {
  type: ['array', 'null'],
  items: {
    type: 'object',
    properties: {
      id: text('Id of the subscore.'),
      title: text('Title.'),
      num_questions: integer('Questions of its items.'),
      num_attempted: integer('Number of attempted questions among them.'),
      score: number('Points.'),
      max_score: number('Highest score, over all its questions.'),
      attempted_max_score: number('Highest score, over the attempted questions.'),
      items: list(text('Reference.'), 'References of its items.'),
    },
  },
  description: 'Scores of groups of items; null when none were defined when the session was taken.',
};

const totals = {
  score: number('Points of all items; a response without a score counts 0.'),
  max_score: number('Highest score, attempted or not.'),
  subscores,
};

const tags = list(
  { type: 'object', properties: { type: text('Tag type.'), name: text('Name of the tag.') } },
  'Tags of the session.',
);

const response: JsonSchema = {
  type: 'object',
  properties: {
    response_id: text('Id of the response.'),
    question_type: text('Type of the question.'),
    dt_score_updated: timeOrNull("Time of the latest change of the score's value, UTC; null before the first score."),
    automarkable: { type: 'boolean', description: 'Whether the question is scored by rules; otherwise by a person.' },
    attempted: { type: 'boolean', description: 'Whether the response contains anything.' },
    score: numberOrNull('Points; null before scoring.'),
    max_score: number('Highest score of the question.'),
    manual_score: number('The part of the score that a person gave; absent without one.'),
    max_manual_score: number('Maximum of that part; absent without one.'),
    item_reference: text('Reference of the item.'),
    question_reference: text('Reference of the question.'),
    response: {
      type: ['object', 'null'],
      description: 'As the player stored it, with the answer in `value`; null without an answer.',
    },
  },
};

const item: JsonSchema = {
  type: 'object',
  properties: {
    reference: text('Reference of the item.'),
    time: number('Seconds that the learner spent on it.'),
    response_ids: list(text('Id.'), 'Ids of the responses to its questions.'),
    user_flagged: { type: 'boolean', description: 'Whether the learner flagged it.' },
    scoring: {
      type: 'object',
      properties: {
        score: number('Points.'),
        max_score: number('Highest score.'),
        type: { type: 'string', enum: [...ITEM_SCORING_TYPES], description: 'How question scores are combined.' },
      },
      description: 'Its score.',
    },
    source: {
      type: 'object',
      properties: { organisation_id: integer('The item bank.') },
      description: 'Where it comes from.',
    },
  },
};

export const Session: JsonSchema = {
  type: 'object',
  description: 'What a learner did with an activity.',
  required: [...Object.keys({ ...identity, ...progress, ...totals }), 'status', 'metadata', 'items', 'responses'],
  properties: {
    ...identity,
    ...progress,
    status,
    ...totals,
    metadata: object(
      '`activity_template_id`, `items_api_version`, `max_time` and `user_agent`, where they exist, and what `include` names.',
    ),
    items: list(item, 'Items in the order of the session.'),
    responses: list(response, 'A response for each question, in the order of the items.'),
    questions: list(
      {
        type: 'object',
        required: ['reference', 'item_reference', 'definition_hash', 'data'],
        properties: {
          reference: text('Reference of the question.'),
          item_reference: text('Reference of the item.'),
          definition_hash: text('SHA-256 of the question.'),
          data: {
            type: ['object', 'null'],
            description: 'The definition; null when it belongs to an item bank that the caller may not read.',
          },
        },
      },
      'The questions by which the scores are kept, in the order of the responses. Only with `include.questions`.',
    ),
  },
};

export const SessionStatus: JsonSchema = {
  type: 'object',
  description: 'How far a session is.',
  required: [...Object.keys({ ...identity, ...progress }), 'status'],
  properties: {
    ...identity,
    ...progress,
    status,
    activity_template_id: onRequest('activity_template_id', textOrNull('Reference of the activity of the item bank.')),
    dt_updated: onRequest('dt_updated', time('Time of the latest change, UTC.')),
    session_tags: onRequest('session_tags', tags),
    metadata: onRequest('sessions.session_metadata', object('Metadata of the names asked for.')),
  },
};

const change: JsonSchema = {
  type: 'object',
  properties: {
    dt_changed: time('Time of the change, UTC.'),
    cause: text('Cause of the change, such as `manual` or `rescoring`.'),
    author: textOrNull('Id of the author; null without one.'),
    job_reference: textOrNull('Reference of the job.'),
    score_before: numberOrNull('Points before.'),
    score_after: numberOrNull('Points after.'),
    definition_hash_before: textOrNull('SHA-256 of the question before.'),
    definition_hash_after: textOrNull('SHA-256 of the question after.'),
  },
};

const reasons: JsonSchema = {
  ...object('Reasons of the score, explained in `docs/scoring.md`. Only with `include.reasons`.'),
  properties: {
    definition_hash: text('SHA-256 of the question that the response was scored by.'),
    engine: textOrNull('Version of the rules that last evaluated the response; null when none did.'),
    scored_by: {
      type: ['string', 'null'],
      enum: ['engine', 'person', null],
      description: 'Source of the score; null without a score.',
    },
    outcome: {
      type: ['string', 'null'],
      enum: [...OUTCOMES, null],
      description: 'Outcome of the rules; null when they were not applied.',
    },
    author: textOrNull('Id of the author of a manual score.'),
    job_reference: textOrNull('Reference of the job that set the score.'),
    marking_round: textOrNull('The marking round that settled on the score of a person; null without one.'),
    score_before: numberOrNull('The previous score; null without one.'),
    rule: {
      type: ['object', 'null'],
      properties: {
        message: textOrNull('Explanation of the outcome; null when the steps suffice.'),
        scoring_type: textOrNull('The scoring type that was used.'),
        answer: {
          type: ['integer', 'null'],
          description: 'The accepted answer that counted: 0 is the valid response, n its nth alternate.',
        },
        parts: list(part, 'How each part met that answer.'),
        parts_left_off: integer('Parts that are too long to be listed.'),
        steps: list(step, 'The steps from the points of the right parts to the score.'),
      },
      description: 'The rules from the response to the score, evaluated again; null for the reason in `no_rule`.',
    },
    no_rule: textOrNull('Why there is no `rule`; null when there is.'),
    changes: list(change, 'Changes of the score after the first one, oldest first.'),
    changes_left_off: integer('Older changes that are not listed.'),
  },
};

export const SessionScores: JsonSchema = {
  type: 'object',
  description: 'The scores of a session.',
  required: [...Object.keys({ ...identity, ...totals }), 'status'],
  properties: {
    ...identity,
    ...totals,
    status,
    responses: {
      ...list(
        {
          type: 'object',
          required: ['response_id', 'dt_score_updated', 'score', 'max_score', 'item_reference'],
          properties: {
            response_id: text('Id of the response.'),
            dt_score_updated: time('Time of the latest save or scoring of the response, UTC.'),
            score: numberOrNull('Points; null before scoring.'),
            max_score: number('Highest score of the question.'),
            item_reference: text('Reference of the item.'),
            reasons,
          },
        },
        'The score of each response. Of `sessions/scores` only with `include_response_scores` or `include.reasons`.',
      ),
    },
  },
};

export const SessionMetadata: JsonSchema = {
  type: 'object',
  description: 'What a session was tagged with.',
  required: ['user_id', 'session_id', 'metadata'],
  properties: {
    user_id: identity.user_id,
    session_id: identity.session_id,
    metadata: { ...object('Metadata of the session.'), required: ['session_tags'], properties: { session_tags: tags } },
  },
};

export const AdaptiveReport: JsonSchema = {
  type: 'object',
  description: 'What came of an adaptive session.',
  required: [...Object.keys({ ...identity, ...progress }), 'score', 'status', 'meta', 'adaptive'],
  properties: {
    ...identity,
    ...progress,
    score: totals.score,
    status,
    meta: {
      ...object('About the report.'),
      properties: { status: { type: 'boolean', description: 'Whether there is an estimate.' } },
    },
    adaptive: {
      ...object('The estimate, and what it rests on.'),
      properties: {
        ability_estimate: {
          type: ['object', 'null'],
          properties: {
            ability_estimate: number('In logits.'),
            standard_error: number('Its standard error.'),
          },
          description: 'Null as long as there is none.',
        },
        items: { type: ['array', 'null'], items: {}, description: 'Items in the order in which they were given.' },
        exposed_items: {
          ...object('Items that the learner saw.'),
          properties: {
            operational: list({}, 'Those that count.'),
            seeding: list({}, 'Those that are tried out.'),
          },
        },
      },
    },
    custom_state: { description: 'Results of an external adaptive engine; absent without them.' },
  },
};
