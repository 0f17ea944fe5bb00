import { OUTCOMES, SCORE_STEPS, SCORING_TYPES, VERDICTS } from '#scoring';
import { type JsonSchema } from '../json-schema';
import { numberOrNull, text, textOrNull } from './members';

export const part: JsonSchema = {
  type: 'object',
  required: ['at', 'verdict', 'given', 'accepted', 'points'],
  properties: {
    at: {
      type: ['integer', 'null'],
      description: 'Blank, stem, row, cell or position, from 0; null when the answer is a set.',
    },
    verdict: { type: 'string', enum: [...VERDICTS], description: 'What became of the part.' },
    given: { description: "The learner's entry; null without one." },
    accepted: { description: 'The entry of the accepted answer; null without one.' },
    points: numberOrNull('Points added or, below 0, subtracted; null with `exactMatch`.'),
    note: text('Explanation of the verdict, if it needs one.'),
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
  description: 'Reasons of the score, explained in `docs/scoring.md`. Only with `include_reasons`.',
  required: ['engine', 'outcome', 'message', 'scoring_type', 'answer', 'parts', 'steps'],
  properties: {
    engine: text('Version of the rules; it rises when a score may differ from before.'),
    outcome: { type: 'string', enum: [...OUTCOMES], description: 'Whether there is a score, or why there is none.' },
    message: textOrNull('Explanation of the outcome; null when the steps suffice.'),
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
    steps: { type: 'array', items: step, description: 'The steps from the points of the right parts to the score.' },
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
      description: 'Whether all parts equal those of an accepted answer; null when that was not checked.',
    },
    score: numberOrNull('Points; null without a score: not attempted, scored by a person, or see `error`.'),
    max_score: {
      type: 'number',
      description: 'Maximum score of the question; 0 when it is not scored.',
    },
    attempted: { type: 'boolean', description: 'Whether the response contains anything.' },
    error: textOrNull(
      'Problem that prevented proper scoring, such as a wrong format of the response; null without one.',
    ),
    reasons,
  },
};
