import { OUTCOMES, SCORE_STEPS, SCORING_TYPES, VERDICTS } from '#scoring';
import { type JsonSchema } from '../json-schema';
import { numberOrNull, text, textOrNull } from './members';

export const part: JsonSchema = {
  type: 'object',
  required: ['at', 'verdict', 'given', 'accepted', 'points'],
  properties: {
    at: {
      type: ['integer', 'null'],
      description: 'The blank, stem, row, cell or place in the order, from 0; null where the answer is a set.',
    },
    verdict: { type: 'string', enum: [...VERDICTS], description: 'What became of the part.' },
    given: { description: 'What the learner gave; null when nothing.' },
    accepted: { description: 'What the accepted answer has there; null when nothing belongs there.' },
    points: numberOrNull('What it added or, below 0, took off; null under `exactMatch`.'),
    note: text('In words, where the verdict does not speak for itself.'),
  },
};

export const step: JsonSchema = {
  type: 'object',
  required: ['step', 'from', 'to'],
  properties: {
    step: { type: 'string', enum: [...SCORE_STEPS], description: 'What was done.' },
    from: { type: 'number', description: 'Points before.' },
    to: { type: 'number', description: 'Points after.' },
  },
};

const reasons: JsonSchema = {
  type: 'object',
  description: 'How the score came to be, as `docs/scoring.md` explains. Only with `include_reasons`.',
  required: ['engine', 'outcome', 'message', 'scoring_type', 'answer', 'parts', 'steps'],
  properties: {
    engine: text('Version of the rules; it rises when anything may score otherwise than before.'),
    outcome: { type: 'string', enum: [...OUTCOMES], description: 'Whether there is a score, or why there is none.' },
    message: textOrNull('The same in words; null when the steps say it all.'),
    scoring_type: {
      type: ['string', 'null'],
      enum: [...SCORING_TYPES, null],
      description: 'The scoring type that was used.',
    },
    answer: {
      type: ['integer', 'null'],
      description: 'The accepted answer that counted: 0 is the valid response, n its nth alternate.',
    },
    parts: { type: 'array', items: part, description: 'How each part met that answer.' },
    steps: { type: 'array', items: step, description: 'From the points of the right parts to the score.' },
  },
};

export const ResponseScore: JsonSchema = {
  type: 'object',
  description: 'The score of the response to a question.',
  required: ['response_id', 'type', 'is_valid', 'score', 'max_score', 'attempted', 'error'],
  properties: {
    response_id: text('That of the question.'),
    type: text('Type of the question.'),
    is_valid: {
      type: ['boolean', 'null'],
      description: 'Whether all parts are as in an accepted answer; null when that was not looked at.',
    },
    score: numberOrNull('Points; null when there are none: not attempted, for a person to score, or see `error`.'),
    max_score: {
      type: 'number',
      description: 'The highest score that the question can give; 0 when it is not scored.',
    },
    attempted: { type: 'boolean', description: 'Whether there is anything in the response.' },
    error: textOrNull(
      'What kept the response from being scored properly, such as a form that its type cannot have; null when nothing did.',
    ),
    reasons,
  },
};
