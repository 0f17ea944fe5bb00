import type { Json, JsonObject } from '#kernel';
import { maxScore } from './max-score';

const RULE = 'decision 26';
const B31 = 'behaviour 3.1';
const OLD = 'behaviour 3.1, legacy';

type Case = [source: string, what: string, definition: JsonObject, expected: number];

/** A question of a type with one valid response. `more`: further members of `validation`. */
function question(type: string, scoring_type: Json, score: Json, value: Json, more: JsonObject = {}): JsonObject {
  return { type, validation: { scoring_type, valid_response: { score, value }, ...more } };
}

const cases: Case[] = [
  // One accepted answer.
  [B31, 'exactMatch: the score', question('mcq', 'exactMatch', 3, ['0', '1', '2']), 3],
  [RULE, 'a fraction stays under exactMatch', question('mcq', 'exactMatch', 0.5, ['0']), 0.5],
  ['behaviour 3.3, 3', 'partialMatch: score × parts', question('mcq', 'partialMatch', 3, ['A', 'B', 'C']), 9],
  ['behaviour 3.3, 4', 'partialMatchV2: the score', question('mcq', 'partialMatchV2', 2, ['H', 'O']), 2],
  ['behaviour 3.3, 5', 'rounding is without effect', question('mcq', 'partialMatchV2', 1, [0, 1, 2]), 1],
  [RULE, 'a score of 0 is a score', question('mcq', 'exactMatch', 0, ['0']), 0],
  [RULE, 'penalty is without effect', question('mcq', 'partialMatch', 3, ['0', '1'], { penalty: 3 }), 6],
  [RULE, 'three times 0.1 is 0.3', question('clozetext', 'partialMatch', 0.1, ['a', 'b', 'c']), 0.3],
  ['behaviour 3.11, 2', 'shorttext', question('shorttext', 'exactMatch', 10, 'Lisboa'), 10],
  ['behaviour 3.13', 'formulaV2: its rules are one part', question('formulaV2', 'exactMatch', 2, [{}, {}]), 2],

  // Scores in unusual forms.
  [RULE, 'a score as text', question('association', 'partialMatchV2', '4', ['a', 'b', 'c']), 4],
  [B31, 'a score as text with decimals', question('clozetext', 'partialMatch', '2.0', ['a', 'b']), 4],
  [B31, 'a missing score is 1', { type: 'mcq', validation: { valid_response: { value: ['0'] } } }, 1],
  [
    'behaviour 3.5, 2',
    'no score, five parts',
    question('association', 'partialMatch', null, ['a', 'b', 'c', 'd', 'e']),
    5,
  ],
  [RULE, 'an empty text is a missing score', question('mcq', 'exactMatch', '', ['0']), 1],
  [RULE, 'words are a missing score', question('mcq', 'exactMatch', 'two', ['0']), 1],
  [B31, 'a negative score is 0', question('mcq', 'exactMatch', -2, ['0']), 0],
  ['behaviour 3.14', 'an answer without value still has a score', question('gridded', 'exactMatch', 1, null), 1],

  // Scoring type.
  [RULE, 'left out: exactMatch', { type: 'mcq', validation: { valid_response: { score: 2, value: ['0', '1'] } } }, 2],
  [RULE, 'unknown: exactMatch', question('mcq', 'matchSome', 2, ['0', '1']), 2],
  [RULE, 'of another case: exactMatch', question('mcq', 'PartialMatch', 2, ['0', '1']), 2],
  ['behaviour 3.11', 'not one of shorttext: exactMatch', question('shorttext', 'partialMatch', 2, ['a', 'b']), 2],
  ['behaviour 3.13', 'not one of formulaV2: exactMatch', question('formulaV2', 'partialMatch', 2, [{}, {}]), 2],
  ['behaviour 3.10', 'sortlist has no pairs', question('sortlist', 'partialMatchPairwise', 2, [0, 1, 2]), 2],
  ['behaviour 3.3', 'mcq has no elements', question('mcq', 'partialMatchElement', 2, ['0', '1']), 2],
  [
    'behaviour 3.16',
    'a type without rules here has them all',
    question('bowtie', 'partialMatchElement', 2, [[0], [1, 2]]),
    6,
  ],

  // Parts.
  ['behaviour 3.10, 3', 'orderlist: entries', question('orderlist', 'partialMatch', 1, [4, 3, 5, 1, 2, 0]), 6],
  [RULE, 'pairs: one less than entries', question('orderlist', 'partialMatchPairwise', 2, [0, 1, 2, 3]), 6],
  [RULE, 'one entry has no pair', question('orderlist', 'partialMatchPairwise', 2, [0]), 0],
  [RULE, 'no entry has no pair', question('orderlist', 'partialMatchPairwise', 2, []), 0],
  [RULE, 'choicematrix: one answer a row, as numbers', question('choicematrix', 'partialMatch', 1, [0, 1, 1, 0]), 4],
  ['behaviour 3.4, 4', 'the same as lists', question('choicematrix', 'partialMatch', 1, [[0], [1], [1], [0]]), 4],
  [RULE, 'choicematrix: each right cell', question('choicematrix', 'partialMatch', 2, [[0, 1], [2], [0, 1, 2]]), 12],
  [RULE, 'choicematrix: a cell twice is one', question('choicematrix', 'partialMatch', 2, [[1, '1'], [0]]), 4],
  [RULE, 'choicematrix: a row without answer', question('choicematrix', 'partialMatch', 2, [[1], [], null]), 2],
  [RULE, 'mcq: an option twice is one', question('mcq', 'partialMatch', 1, ['1', 1, '2']), 2],
  [RULE, 'blanks with equal answers are parts of their own', question('clozetext', 'partialMatch', 1, ['is', 'is']), 2],
  ['decision 26', 'null is not a part', question('association', 'partialMatch', 2, ['a', null, 'b']), 4],
  [RULE, 'an empty text is not a part', question('clozetext', 'partialMatch', 2, ['a', ' ', '']), 2],
  [
    RULE,
    'match_all_possible_responses: the pool of all blanks',
    question('clozetext', 'partialMatch', 1, ['red', 'red', 'blue'], { match_all_possible_responses: true }),
    3,
  ],
  [
    'behaviour 3.13',
    'clozeformula: one list of rules per blank',
    question('clozeformula', 'partialMatch', 2, [[{}, {}], [{}]]),
    4,
  ],
  [
    'behaviour 3.15',
    'classification: cells',
    question('classification', 'partialMatch', 3, [
      [1, 2, 5],
      [0, 3, 4],
    ]),
    6,
  ],
  [
    RULE,
    'classification: elements',
    question('classification', 'partialMatchElement', 3, [
      [1, 2, 5],
      [0, 3],
    ]),
    15,
  ],
  ['behaviour 3.15', 'elements, shared', question('classification', 'partialMatchElementV2', 1, [[1], [0], [2]]), 1],
  [RULE, 'a bare value is one part', question('mcq', 'partialMatch', 2, '1'), 2],
  [
    'behaviour 3.15',
    'simpleshading',
    question('simpleshading', 'partialMatchV2', 2, { method: 'byCount', value: 3 }),
    2,
  ],

  // Alternates.
  [
    'behaviour 3.6, 4',
    'the highest of valid and alternates',
    question('clozetext', 'exactMatch', 6, ['b', 'd'], {
      alt_responses: [{ score: 4, value: ['a', 'c'] }, { value: [] }],
    }),
    6,
  ],
  [
    'behaviour 3.11, 1',
    'an alternate may be the best',
    question('shorttext', 'exactMatch', 1, 'a', { alt_responses: [{ score: '4', value: 'b' }] }),
    4,
  ],
  [
    RULE,
    'an alternate with more parts',
    question('mcq', 'partialMatch', 2, ['0'], { alt_responses: [{ score: 1, value: ['0', '1', '2'] }] }),
    3,
  ],
  [B31, 'alternates alone', { type: 'mcq', validation: { alt_responses: [{ score: 2, value: ['0'] }] } }, 2],
  [
    B31,
    'alternates are one level deep',
    question('mcq', 'exactMatch', 1, ['0'], { alt_responses: [[{ score: 9, value: ['1'] }]] }),
    1,
  ],

  // The minimum score.
  [
    RULE,
    'never below min_score_if_attempted',
    question('mcq', 'exactMatch', 1, ['0'], { min_score_if_attempted: 2 }),
    2,
  ],
  [
    RULE,
    'min_score_if_attempted below is without effect',
    question('mcq', 'exactMatch', 3, ['0'], { min_score_if_attempted: '2' }),
    3,
  ],
  [RULE, 'a negative one too', question('mcq', 'exactMatch', 0, ['0'], { min_score_if_attempted: -1 }), 0],

  // Not scored, or scored by a person.
  [RULE, 'unscored', question('mcq', 'exactMatch', 3, ['0'], { unscored: true, min_score_if_attempted: 1 }), 0],
  [RULE, 'unscored essay', { type: 'longtext', validation: { max_score: 5, unscored: 'true' } }, 0],
  [RULE, 'unscored: false is scored', question('mcq', 'exactMatch', 3, ['0'], { unscored: false }), 3],
  [RULE, 'no validation', { type: 'mcq', options: [] }, 0],
  [RULE, 'an empty list in place of validation', { type: 'mcq', validation: [] }, 0],
  [RULE, 'no accepted answer', { type: 'mcq', validation: { scoring_type: 'exactMatch' } }, 0],
  ['behaviour 3.12, 1', 'an essay has its max_score', { type: 'longtextV2', validation: { max_score: 5 } }, 5],
  [RULE, 'as text', { type: 'plaintext', validation: { max_score: '10', min_score_if_attempted: 1 } }, 10],
  [RULE, 'an essay without max_score', { type: 'plaintext', validation: { min_score_if_attempted: 0 } }, 0],
  [RULE, 'a valid response does not count for an essay', question('longtext', 'exactMatch', 3, 'x'), 0],
  [
    RULE,
    'automarkable false: max_score',
    question('mcq', 'exactMatch', 3, ['0'], { automarkable: false, max_score: 7 }),
    7,
  ],
  [RULE, 'automarkable false without max_score', question('mcq', 'exactMatch', 3, ['0'], { automarkable: false }), 0],
  [RULE, 'max_score is without effect otherwise', question('mcq', 'exactMatch', 3, ['0'], { max_score: 7 }), 3],

  // The form before 2015.
  [OLD, 'mcq, one choice', { type: 'mcq', valid_responses: [{ value: '1', score: 2 }], penalty_score: -1 }, 2],
  [
    OLD,
    'mcq, one of two',
    {
      type: 'mcq',
      valid_responses: [
        { value: '1', score: 1 },
        { value: '2', score: 3 },
      ],
    },
    3,
  ],
  [
    OLD,
    'mcq, several choices add up',
    {
      type: 'mcq',
      multiple_responses: true,
      valid_responses: [
        { value: '1', score: '1' },
        { value: '2', score: '2' },
      ],
    },
    3,
  ],
  [
    OLD,
    'shorttext',
    {
      type: 'shorttext',
      valid_responses: [
        { value: 'a', score: 1 },
        { value: 'b', score: 0.5 },
      ],
    },
    1,
  ],
  [OLD, 'shorttext as texts', { type: 'shorttext', validation: { valid_responses: ['a', 'b'], valid_score: 2 } }, 2],
  [OLD, 'association, by stem', { type: 'association', validation: { valid_responses: [['a'], ['b'], ['c']] } }, 3],
  [
    OLD,
    'cloze, the best accepted of each blank',
    {
      type: 'clozetext',
      valid_responses: [
        [
          { value: 'a', score: 1 },
          { value: 'b', score: 2 },
        ],
        [{ value: 'c' }],
      ],
    },
    3,
  ],
  [
    OLD,
    'cloze with one score for all',
    { type: 'clozetext', validation: { valid_responses: [['a'], ['b']], valid_score: 2 } },
    2,
  ],
  [
    OLD,
    'cloze with a score for each',
    {
      type: 'imageclozetext',
      validation: { valid_responses: [['a'], ['b']], valid_score: 2, partial_scoring: 'true' },
    },
    4,
  ],
  [
    OLD,
    'accepted orders',
    {
      type: 'orderlist',
      validation: {
        valid_responses: [
          [2, 0, 1],
          [2, 1, 0],
        ],
        valid_score: '3',
      },
    },
    3,
  ],
  [
    OLD,
    'a bare order in parts',
    { type: 'orderlist', validation: { valid_response: [4, 3, 5, 1], valid_score: 1, partial_scoring: true } },
    4,
  ],
  [
    OLD,
    'a bare order in pairs',
    {
      type: 'orderlist',
      validation: { valid_response: [2, 3, 0, 1], valid_score: '1', partial_scoring: true, pairwise: '1' },
    },
    3,
  ],
  [
    OLD,
    'pairwise "0" is off',
    { type: 'orderlist', validation: { valid_response: [2, 3, 0, 1], partial_scoring: 'true', pairwise: '0' } },
    4,
  ],
  [
    OLD,
    'accepted cells of a classification',
    {
      type: 'classification',
      validation: { valid_responses: [[[1], [0], [2]]], partial_scoring: true, valid_score: 1 },
    },
    3,
  ],
  [
    OLD,
    'tokens of one answer',
    { type: 'tokenhighlight', validation: { valid_responses: [3, 4], partial_scoring: true, valid_score: 2 } },
    4,
  ],
  [
    OLD,
    'points of one answer',
    {
      type: 'numberline',
      validation: {
        valid_responses: [
          { point: 'a', position: '1' },
          { point: 'b', position: '2' },
        ],
        valid_score: 1,
        partial_scoring: true,
      },
    },
    2,
  ],
  [OLD, 'cloze, all or nothing', { type: 'clozetext', valid_responses: [['a'], ['b']], partial_scoring: false }, 1],
  [OLD, 'rules of a formula', { type: 'formulaV2', validation: { valid_responses: [[{ method: 'isTrue' }]] } }, 1],
  [
    OLD,
    'a scoring_type beside it wins',
    { type: 'clozetext', validation: { scoring_type: 'exactMatch', valid_responses: [['a'], ['b']] } },
    1,
  ],
  [
    OLD,
    'the newer form wins',
    { ...question('mcq', 'exactMatch', 2, ['0']), valid_responses: [{ value: '0', score: 9 }] },
    2,
  ],
];

describe('the highest score of a question', () => {
  it.each(cases)('is right: %s: %s', (_, __, definition, expected) => {
    expect(maxScore(definition)).toBe(expected);
  });

  describe('the highest score of an invalid definition', () => {
    const huge = Array.from({ length: 300_000 }, (_, at): Json => at);
    let deep: Json = [];
    for (let depth = 0; depth < 200_000; depth++) deep = [deep];
    const hostile: [string, Json, number][] = [
      ['null', null, 0],
      ['a list', [], 0],
      ['a text', 'mcq', 0],
      ['validation as text', { type: 'mcq', validation: 'exactMatch' }, 0],
      ['a type that is an object', { type: {}, validation: { valid_response: { score: 2, value: ['0'] } } }, 2],
      ['a type named like a built-in', question('__proto__', 'exactMatch', 2, ['0']), 2],
      ['a scoring type named like a built-in', question('constructor', 'toString', 2, ['0']), 2],
      ['valid_response null', { type: 'mcq', validation: { valid_response: null, alt_responses: null } }, 0],
      [
        'alternates of every wrong type',
        question('mcq', 'exactMatch', 1, ['0'], { alt_responses: [null, 7, 'x', []] }),
        1,
      ],
      ['an object as score', question('mcq', 'exactMatch', {}, ['0']), 1],
      ['a score beyond all numbers', question('mcq', 'exactMatch', '1e999', ['0']), 1],
      [
        'the largest score, many times',
        question('mcq', 'partialMatch', Number.MAX_VALUE, ['0', '1']),
        Number.MAX_SAFE_INTEGER,
      ],
      [
        'a large least score',
        question('mcq', 'exactMatch', 1, ['0'], { min_score_if_attempted: 1e300 }),
        Number.MAX_SAFE_INTEGER,
      ],
      ['an object as value', question('clozetext', 'partialMatch', 2, { a: 1 }), 2],
      ['300,000 parts', question('clozetext', 'partialMatch', 1, huge), 300_000],
      ['300,000 alternates', question('mcq', 'exactMatch', 1, ['0'], { alt_responses: huge }), 1],
      ['300,000 old parts', { type: 'clozetext', valid_responses: huge }, 300_000],
      ['deep nesting', question('classification', 'partialMatchElement', 2, [deep]), 2],
      ['deep nesting in the old form', { type: 'association', valid_responses: [deep] }, 1],
    ];

    it.each(hostile)('is never an error: %s', (_, definition, expected) => {
      expect(maxScore(definition as JsonObject)).toBe(expected);
    });
  });
});
