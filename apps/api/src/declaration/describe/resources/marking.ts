import { ROUND_STATUSES, STAGES } from '#sessions';
import { type JsonSchema } from '../json-schema';
import { numberOrNull, text, textOrNull } from './members';

const count = (description: string): JsonSchema => ({ type: 'integer', description });
const stage: JsonSchema = {
  type: 'string',
  enum: [...STAGES],
  description: 'Which mark the answer waits for; `settled`: its marks give a score.',
};

const progress: JsonSchema = {
  type: 'object',
  required: ['answers', 'first', 'second', 'third', 'settled'],
  properties: {
    answers: count('All answers of the round.'),
    first: count('Answers that nobody has marked.'),
    second: count('Answers that wait for the second marker.'),
    third: count('Answers whose two marks differ too much.'),
    settled: count('Answers whose marks give a score.'),
  },
  description: 'How far the round is.',
};

export const StartedMarkingRound: JsonSchema = {
  type: 'object',
  description: 'A marking round whose answers are being collected.',
  required: ['reference', 'job_reference'],
  properties: {
    reference: text('Reference of the round.'),
    job_reference: text('Reference of the job that collects its answers.'),
  },
};

export const MarkingRound: JsonSchema = {
  type: 'object',
  description: 'A round in which people mark the answers to a question.',
  required: [
    'reference',
    'name',
    'question',
    'markers',
    'blind',
    'allowed_difference',
    'status',
    'author',
    'job_reference',
    'progress',
    'dt_created',
    'dt_updated',
  ],
  properties: {
    reference: text('Reference of the round.'),
    name: text('Its name.'),
    question: text('Reference of the question.'),
    markers: count('How many people mark each answer.'),
    blind: { type: 'boolean', description: 'Whether markers see neither the learner nor the marks of others.' },
    allowed_difference: { type: 'number', description: 'Points by which two marks may differ.' },
    status: {
      type: 'string',
      enum: [...ROUND_STATUSES],
      description: '`collecting`: a job collects its answers; `open`: people mark; `closed`: nobody marks.',
    },
    author: textOrNull('Id of the author; null without one.'),
    job_reference: text('Reference of the job that collects its answers.'),
    progress,
    dt_created: text('Time of creation, UTC.'),
    dt_updated: text('Time of the latest change of its status, UTC.'),
  },
};

export const TakenAnswer: JsonSchema = {
  type: 'object',
  description: 'The answer that a marker has in hand.',
  required: ['answer', 'dt_until', 'marked_by_me', 'progress'],
  properties: {
    answer: textOrNull('Reference of the answer; null when nothing waits for this marker.'),
    dt_until: textOrNull('Until when nobody else gets it, UTC.'),
    marked_by_me: count('Answers that this marker has marked.'),
    progress,
  },
};

export const AnswerToMark: JsonSchema = {
  type: 'object',
  description: 'An answer with its question.',
  required: [
    'reference',
    'stage',
    'question_reference',
    'item_reference',
    'max_score',
    'response',
    'question',
    'session_id',
    'user_id',
    'activity_id',
    'marks',
  ],
  properties: {
    reference: text('Reference of the answer.'),
    stage,
    question_reference: text('Reference of the question.'),
    item_reference: text('Reference of its item.'),
    max_score: { type: 'number', description: 'Most points.' },
    response: { type: ['object', 'null'], description: 'The response as the player stored it.' },
    question: {
      type: ['object', 'null'],
      description: 'The question as the session was taken with it; null when its bank may not be read.',
    },
    session_id: textOrNull('Id of the session; null in a blind round.'),
    user_id: textOrNull('Id of the learner; null in a blind round.'),
    activity_id: textOrNull('Id of the activity; null in a blind round.'),
    marks: {
      type: 'array',
      items: {
        type: 'object',
        required: ['author', 'score', 'comment', 'dt_marked'],
        properties: {
          author: { $ref: '#/components/schemas/User' },
          score: { type: 'number', description: 'Points.' },
          comment: textOrNull('What the marker remarked.'),
          dt_marked: text('Time of the mark, UTC.'),
        },
      },
      description: 'Its marks so far; in a blind round, those of the reader.',
    },
  },
};

export const GivenMark: JsonSchema = {
  type: 'object',
  description: 'What a mark led to.',
  required: ['answer', 'stage', 'score', 'job_reference'],
  properties: {
    answer: text('Reference of the answer.'),
    stage,
    score: numberOrNull('The score that the marks give; null until they are settled.'),
    job_reference: textOrNull('Job that writes the score of the response; null when no score changes.'),
  },
};

export const MarkedAnswer: JsonSchema = {
  type: 'object',
  description: 'An answer of a marking round with its marks.',
  required: ['reference', 'session_id', 'response_id', 'stage', 'score', 'claimed_by', 'job_reference', 'marks'],
  properties: {
    reference: text('Reference of the answer.'),
    session_id: text('Id of the session.'),
    response_id: text('Id of the response.'),
    stage,
    score: numberOrNull('The score that the marks give; null until they are settled.'),
    claimed_by: textOrNull('Id of the marker who took it last and has not marked it; null for none.'),
    job_reference: textOrNull('Job that last wrote the score of the response.'),
    marks: {
      type: 'array',
      items: {
        type: 'object',
        required: ['author', 'score', 'comment', 'dt_marked'],
        properties: {
          author: { $ref: '#/components/schemas/User' },
          score: { type: 'number', description: 'Points.' },
          comment: textOrNull('What the marker remarked.'),
          dt_marked: text('Time of the mark, UTC.'),
        },
      },
      description: 'Its marks in their order: of the first marker, of the second, and of the third look.',
    },
  },
};

export const MarkedQuestion: JsonSchema = {
  type: 'object',
  description: 'A question whose answers people mark.',
  required: ['reference', 'type', 'items', 'sessions', 'in_rounds', 'settled'],
  properties: {
    reference: text('Reference of the question.'),
    type: text('Type of the question.'),
    items: { type: 'array', items: { type: 'string' }, description: 'References of the items that show it.' },
    sessions: count('Completed sessions that have it.'),
    in_rounds: count('Its answers in marking rounds.'),
    settled: count('Those of them whose marks give a score.'),
  },
};
