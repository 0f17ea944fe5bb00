import { type WireWidget } from './builders';

/* A question of each type that templates support, with right and wrong answers. */

interface Answerable {
  type: string;
  data: Record<string, unknown>;
  /** `type` of its responses. */
  literal: 'array' | 'string';
  /** Answers as sent, with their points; null where a person scores. */
  right: { value: unknown; stored?: unknown; more?: Record<string, number>; score: number | null }[];
  /** Rejected answers, with the code, the place below the response, and a part of the message. */
  wrong: { value: unknown; code: number; at: string; says: string }[];
}

const valid = (value: unknown) => ({ scoring_type: 'exactMatch', valid_response: { score: 1, value } });
const notText = { code: 20003, at: '/value', says: 'must be text' };
const undecodable = [
  { value: '100%', code: 20004, at: '/value', says: '"%" (character 4) is not a percent-encoded byte' },
  { value: 'a%2', code: 20004, at: '/value', says: '"%2" (character 2) is not a percent-encoded byte' },
  { value: '%ff', code: 20004, at: '/value', says: 'not UTF-8' },
  { value: 'a%00b', code: 20004, at: '/value', says: 'U+0000' },
];
const essay = (type: string): Answerable => ({
  type,
  data: { stimulus: 'Write', validation: { max_score: 4 } },
  literal: 'string',
  right: [
    { value: 'Caf%C3%A9%20%2B+tea%25', stored: 'Café ++tea%', more: { wordCount: 2 }, score: null },
    { value: '%2525', stored: '%25', more: { wordCount: 1 }, score: null },
    { value: 'words', score: null },
  ],
  wrong: [{ value: ['words'], ...notText }, { value: 7, ...notText }, ...undecodable],
});
const cloze = (type: string): Answerable => ({
  type,
  data: { template: '{{response}} and {{response}}', validation: valid(['red', 'blue']) },
  literal: 'array',
  right: [
    { value: ['Red', 'blue'], score: 1 },
    { value: ['100%', null], score: 0 },
    { value: [null, null], score: null },
    { value: ['red'], score: 0 },
  ],
  wrong: [
    { value: 'red', code: 20003, at: '/value', says: 'must be a list of texts' },
    { value: ['red', 7], code: 20003, at: '/value/1', says: 'must be text, or null' },
    { value: ['a', 'b', 'c'], code: 20001, at: '/value', says: 'has 3 entries; the question has 2 blanks' },
  ],
});
const clozeFormula = (type: string): Answerable => ({
  type,
  data: {
    template: '{{response}}',
    validation: valid([[{ method: 'equivLiteral', value: 'x+1' }]]),
  },
  literal: 'array',
  right: [
    { value: ['x+1'], score: 1 },
    { value: ['5\\%'], score: 0 },
  ],
  wrong: [{ value: ['x', 'y'], code: 20001, at: '/value', says: 'the question has 1 blanks' }],
});

const options = ['a', 'b', 'c'].map((value) => ({ label: value.toUpperCase(), value }));

export const ANSWERABLE: Answerable[] = [
  {
    type: 'mcq',
    data: { options, validation: valid(['b']) },
    literal: 'array',
    right: [
      { value: ['b'], score: 1 },
      { value: ['c'], score: 0 },
      { value: [], score: null },
      { value: [null], score: null },
    ],
    wrong: [
      {
        value: ['d'],
        code: 20004,
        at: '/value/0',
        says: '"d", which is not an option of the question; it has "a", "b", "c"',
      },
      { value: ['B'], code: 20004, at: '/value/0', says: 'not an option' },
      { value: [1], code: 20003, at: '/value/0', says: 'must be text, or null' },
      { value: 'b', code: 20003, at: '/value', says: 'must be a list of texts' },
      { value: ['a', 'b'], code: 20004, at: '/value', says: 'has 2 options; the question takes one' },
    ],
  },
  {
    type: 'mcq',
    data: { options, multiple_responses: true, max_selection: 2, validation: valid(['a', 'b']) },
    literal: 'array',
    right: [
      { value: ['b', 'a'], score: 1 },
      { value: ['a', 'a'], score: 0 },
    ],
    wrong: [{ value: ['a', 'b', 'c'], code: 20004, at: '/value', says: 'takes at most 2' }],
  },
  {
    type: 'association',
    data: {
      stimulus_list: ['France', 'Italy'],
      possible_responses: ['Paris', 'Rome', 'Oslo'],
      validation: valid(['Paris', 'Rome']),
    },
    literal: 'array',
    right: [
      { value: ['Paris', 'Rome'], score: 1 },
      { value: [null, 'Oslo'], score: 0 },
    ],
    wrong: [
      { value: ['Paris', 'Bonn'], code: 20004, at: '/value/1', says: '"Bonn", which is not a possible response' },
      { value: ['Paris', 'Paris'], code: 20004, at: '/value/1', says: 'no duplicate_responses' },
      { value: ['Paris', 'Rome', 'Oslo'], code: 20001, at: '/value', says: 'the question has 2 stems' },
      { value: { 0: 'Paris' }, code: 20003, at: '/value', says: 'must be a list of texts' },
    ],
  },
  cloze('clozetext'),
  cloze('clozeinlinetext'),
  clozeFormula('clozeformula'),
  clozeFormula('clozeformulaV2'),
  {
    type: 'choicematrix',
    data: { stems: ['One', 'Two'], options: ['Yes', 'No'], validation: valid([[0], [1]]) },
    literal: 'array',
    right: [
      { value: [[0], [1]], score: 1 },
      { value: [[1], []], score: 0 },
      { value: [null, [1]], score: 0 },
    ],
    wrong: [
      { value: [[0]], code: 20001, at: '/value', says: 'must have 2 entries, one for each row' },
      { value: [0, 1], code: 20003, at: '/value/0', says: 'must be a list of columns' },
      { value: [[0], ['1']], code: 20003, at: '/value/1/0', says: 'must be a position' },
      { value: [[0], [2]], code: 20004, at: '/value/1/0', says: 'must be from 0 to 1; it is 2' },
      { value: [[-1], [1]], code: 20004, at: '/value/0/0', says: 'must be from 0 to 1' },
      { value: [[0, 1], [1]], code: 20004, at: '/value/0', says: 'takes one a row' },
      { value: '[[0],[1]]', code: 20003, at: '/value', says: 'must be a list' },
    ],
  },
  {
    type: 'choicematrix',
    data: { stems: ['One'], options: ['Yes', 'No'], multiple_responses: true, validation: valid([[0, 1]]) },
    literal: 'array',
    right: [{ value: [[1, 0]], score: 1 }],
    wrong: [{ value: [[0, 1, 2]], code: 20004, at: '/value/0/2', says: 'must be from 0 to 1' }],
  },
  {
    type: 'formulaV2',
    data: { validation: valid([{ method: 'equivLiteral', value: '\\frac{1}{2}' }]) },
    literal: 'string',
    right: [
      { value: '%5Cfrac%7B1%7D%7B2%7D', stored: '\\frac{1}{2}', score: 1 },
      { value: '1+1', stored: '1+1', score: 0 },
    ],
    wrong: [{ value: ['1'], ...notText }, ...undecodable],
  },
  {
    type: 'gridded',
    data: { options: { columns: 4, range: '0-8' }, validation: valid('3.14') },
    literal: 'string',
    right: [
      { value: '3.14', score: 1 },
      { value: '-12/34', score: 0 },
    ],
    wrong: [
      { value: '3.14159', code: 20004, at: '/value', says: 'has 6 digits; the grid has 4 columns' },
      { value: '9', code: 20004, at: '/value', says: 'has the digit 9; the grid has those from 0 to 8' },
      { value: '3e5', code: 20004, at: '/value', says: '"e" (character 2)' },
      { value: 3.14, ...notText },
    ],
  },
  essay('longtext'),
  essay('longtextV2'),
  essay('plaintext'),
  {
    type: 'orderlist',
    data: { list: ['x', 'y', 'z'], validation: valid([2, 0, 1]) },
    literal: 'array',
    right: [
      { value: [2, 0, 1], score: 1 },
      { value: [2, null], score: 0 },
    ],
    wrong: [
      { value: [2, 0, 3], code: 20004, at: '/value/2', says: 'must be from 0 to 2; it is 3' },
      { value: [2, 0, 0], code: 20004, at: '/value/2', says: 'is the position 0 again' },
      { value: [2, 0, 1, 1], code: 20001, at: '/value', says: 'has 4 entries' },
      { value: ['2', '0', '1'], code: 20003, at: '/value/0', says: 'must be a position' },
      { value: [0.5], code: 20003, at: '/value/0', says: 'must be a position' },
    ],
  },
  {
    type: 'shorttext',
    data: { validation: valid('Canberra') },
    literal: 'string',
    right: [
      { value: '%20canberra', stored: ' canberra', more: { characterCount: 9 }, score: 1 },
      { value: '', score: null },
    ],
    wrong: [{ value: null, code: 20000, at: '/value', says: 'is required' }, ...undecodable],
  },
];

export const referenceOf = (index: number): string => `of-${index}-${ANSWERABLE[index]!.type}`;

/** The questions as input of the operation. */
export const answerableQuestions = (): WireWidget[] =>
  ANSWERABLE.map(({ type, data }, index) => ({ reference: referenceOf(index), type, data: { type, ...data } }));
