import { type FindingCode } from '#scoring';
import { question, type WireWidget } from './builders';

/** A question with one mistake. */
interface WrongQuestion {
  rule: FindingCode;
  /** JSON pointer into the question. */
  pointer: string;
  question: WireWidget;
}

const OPTIONS = ['0', '1', '2'].map((value) => ({ label: value, value }));

function wrong(rule: FindingCode, pointer: string, type: string, definition: Record<string, unknown>): WrongQuestion {
  return { rule, pointer: `/data${pointer}`, question: question({ type, data: { type, ...definition } }) };
}

/** One question per rule, with new references on each call. */
export const wrongQuestions = (): WrongQuestion[] => [
  wrong('scoring-type', '/validation/scoring_type', 'mcq', {
    options: OPTIONS,
    validation: { scoring_type: 'partial', valid_response: { score: 1, value: ['1'] } },
  }),
  wrong('score', '/validation/valid_response/score', 'mcq', {
    options: OPTIONS,
    validation: { valid_response: { score: 0, value: ['1'] } },
  }),
  wrong('no-answer', '/validation', 'gridded', { validation: { scoring_type: 'exactMatch' } }),
  wrong('option-unknown', '/validation/valid_response/value', 'mcq', {
    options: OPTIONS,
    validation: { valid_response: { score: 1, value: ['9'] } },
  }),
  wrong('formula-method', '/validation/valid_response/value/0/method', 'formulaV2', {
    validation: { valid_response: { score: 1, value: [{ method: 'equivSymbolc', value: 'x' }] } },
  }),
  wrong('formula-value', '/validation/valid_response/value/0/value', 'formulaV2', {
    validation: { valid_response: { score: 1, value: [{ method: 'equivSymbolic', value: 'x+' }] } },
  }),
  wrong('never-matches', '/validation/alt_responses/0', 'shorttext', {
    validation: { valid_response: { score: 2, value: 'York' }, alt_responses: [{ score: 1, value: ' york' }] },
  }),
  wrong('all-right', '/validation/valid_response/value', 'mcq', {
    options: OPTIONS,
    multiple_responses: true,
    validation: { valid_response: { score: 1, value: ['0', '1', '2'] } },
  }),
  wrong('maximum-unreachable', '/validation/valid_response', 'mcq', {
    options: OPTIONS,
    validation: { valid_response: { score: 1, value: ['0', '1'] } },
  }),
  wrong('parts-differ', '/validation/valid_response/value', 'clozetext', {
    template: '<p>{{response}}</p>',
    validation: { valid_response: { score: 1, value: ['a', 'b'] } },
  }),
];
