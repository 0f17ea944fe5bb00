import { type Static, Type } from '@sinclair/typebox';

import { type FaultDetail, type JsonObject, place, pointerPart, throwAny } from '#kernel';
import { Threads } from '#platform';
import { scoreInTime } from '#sessions';
import { flag, optional, text } from '../../declaration/fields';
import { bank } from '../../declaration/inputs';
import { type Operation, operation } from '../../declaration/operation';
import { pageOf } from '../../declaration/results';
import { responsesField } from './responses-field';
import { ResponseScore, scoreView } from './score-view';

const Question = Type.Object(
  {
    response_id: text({ min: 1, max: 255, description: 'Identifies the question in `responses` and in the scores.' }),
    type: text({ description: 'Type of the question.' }),
  },
  { additionalProperties: true, description: 'A whole definition: the `data` of a question.' },
);

const GetScoringInput = Type.Object({
  ...bank,
  questions: Type.Array(Question, { maxItems: 50, description: 'The questions to score; they need not be stored.' }),
  responses: optional(
    responsesField(
      'Responses by the `response_id` of their question, in their stored format: an object with the answer in `value`.',
    ),
  ),
  include_reasons: flag('Whether each score contains its reasons.'),
});

type ScoredQuestion = Static<typeof Question>;

@operation({
  path: 'scoring',
  action: 'get',
  summary: 'Scores responses to the questions in the request, and stores nothing.',
  example: {
    questions: [
      { response_id: 'response-1', type: 'shorttext', validation: { valid_response: { score: 1, value: 'Canberra' } } },
    ],
    responses: { 'response-1': { value: 'Canberra' } },
  },
  input: GetScoringInput,
  output: Type.Array(ResponseScore),
})
export class GetScoring implements Operation<typeof GetScoringInput> {
  constructor(private readonly threads: Threads) {}

  async execute({ questions, responses = new Map(), include_reasons }: Static<typeof GetScoringInput>) {
    checkIds(questions, responses);
    const scores: Static<typeof ResponseScore>[] = [];
    // One after the other, so that a request uses only one thread at a time.
    for (const [index, question] of questions.entries()) {
      const { response_id } = question;
      const definition = question as JsonObject & ScoredQuestion;
      const response = responses.get(response_id);
      const result = await scoreInTime(this.threads, definition, response, `/questions/${index}`);
      scores.push(
        scoreView(response_id, result, include_reasons ? { definition, value: response?.['value'] ?? null } : null),
      );
    }
    return pageOf(scores);
  }
}

/**
 * @throws Fault with every response_id that two questions share, and every response_id of a response that no question
 * has.
 */
function checkIds(questions: readonly ScoredQuestion[], responses: ReadonlyMap<string, unknown>): void {
  const faults: FaultDetail[] = [];
  const first = new Map<string, number>();
  for (const [index, { response_id }] of questions.entries()) {
    const earlier = first.get(response_id);
    if (earlier === undefined) {
      first.set(response_id, index);
      continue;
    }
    const at = `/questions/${index}/response_id`;
    const message = `${place(at)} is ${JSON.stringify(response_id)}, as is questions[${earlier}].response_id; name each once.`;
    faults.push({ kind: 'duplicate', message, at });
  }
  for (const id of responses.keys())
    if (!first.has(id)) {
      const message = `responses holds ${JSON.stringify(id)}, which is the response_id of no question in this request.`;
      faults.push({ kind: 'reference-unknown', message, at: `/responses/${pointerPart(id)}` });
    }
  throwAny(faults);
}
