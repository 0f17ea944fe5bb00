import { type Static, Type } from '@sinclair/typebox';
import { type Json, type JsonObject } from '#kernel';
import {
  type Outcome,
  OUTCOMES,
  type ResponseScore as Score,
  reviewParts,
  rightAnswer,
  SCORE_STEPS,
  SCORING_TYPES,
  VERDICTS,
} from '#scoring';
import { integer, nullable, number, optional, text, words } from '../../declaration/fields';
import { resource } from '../../declaration/outputs';

const Part = Type.Object({
  at: nullable(integer('Blank, stem, row, cell or position, from 0; null when the answer is a set.')),
  verdict: words(VERDICTS, { description: 'Verdict on the part.' }),
  given: Type.Unknown({ description: "The learner's entry; null without one." }),
  accepted: Type.Unknown({ description: 'The entry of the accepted answer; null without one.' }),
  points: nullable(number('Points added or, below 0, subtracted; null with `exactMatch`.')),
  note: optional(text('Explanation of the verdict, if it needs one.')),
});

const Step = Type.Object({
  step: words(SCORE_STEPS, { description: 'Kind of step.' }),
  from: number('Points before.'),
  to: number('Points after.'),
});

export const reviewPartsField = nullable(
  Type.Array(nullable(Type.Boolean()), {
    description:
      'For each entry of the response, what a review shows: right, wrong, or null for an empty one. What is accepted for no points is wrong. Null without verdicts.',
  }),
);

/** The reasons for the score of a response. */
export const ruleMembers = {
  message: nullable(text('Explanation of the outcome; null when the steps suffice.')),
  scoring_type: nullable(words(SCORING_TYPES, { description: 'The scoring type that was used.' })),
  answer: nullable(integer('The accepted answer that counted: 0 is the valid response, n its nth alternate.')),
  parts: Type.Array(Part, { description: 'How each part compares with that answer.' }),
  steps: Type.Array(Step, { description: 'The steps from the points of the right parts to the score.' }),
};

export const ResponseScore = resource('ResponseScore', 'The score of the response to a question.', {
  response_id: text('The `response_id` of the question in the request.'),
  type: text('Type of the question.'),
  is_valid: nullable(
    Type.Boolean({
      description: 'Whether all parts equal those of an accepted answer; null when that was not checked.',
    }),
  ),
  score: nullable(number('Points; null without a score: not attempted, scored by a person, or see `error`.')),
  max_score: number('Maximum score of the question; 0 when it is not scored.'),
  attempted: Type.Boolean({ description: 'Whether the response contains anything.' }),
  error: nullable(
    text('Problem that prevented proper scoring, such as a wrong format of the response; null without one.'),
  ),
  reasons: optional(
    Type.Object(
      {
        engine: text('Version of the rules; it rises when a score may differ from before.'),
        outcome: words(OUTCOMES, { description: 'Whether there is a score, or why there is none.' }),
        ...ruleMembers,
        review_parts: reviewPartsField,
        right_answer: Type.Unknown({
          description: 'A response value that earns the most points; null when the question does not name one.',
        }),
      },
      { description: 'Reasons of the score, explained in `docs/scoring.md`. Only with `include_reasons`.' },
    ),
  ),
});

/** Outcomes that are errors of the question, the response or the engine. */
const ERRORS: ReadonlySet<Outcome> = new Set<Outcome>([
  'unreadable',
  'undecided',
  'too-large',
  'too-slow',
  'no-validation',
  'type-not-scored',
]);

/**
 * A score as clients read it.
 * @param scored the question and the value of its response; null: the score has no reasons.
 */
export function scoreView(
  response_id: string,
  result: Score,
  scored: { definition: JsonObject; value: Json } | null,
): Static<typeof ResponseScore> {
  const { type, isValid, score, maxScore, attempted, reasons } = result;
  const { engine, outcome, message, scoringType, answer, parts, steps } = reasons;
  return {
    response_id,
    type,
    is_valid: isValid,
    score,
    max_score: maxScore,
    attempted,
    error: ERRORS.has(outcome) ? message : null,
    reasons: scored
      ? {
          engine,
          outcome,
          message,
          scoring_type: scoringType,
          answer,
          parts,
          steps,
          review_parts: reviewParts(scored.value, result) ?? null,
          right_answer: rightAnswer(scored.definition) ?? null,
        }
      : undefined,
  };
}
