import { score } from '#scoring';
import { scored } from './cases';

// The forms before 2015 (behaviour 3.1, the last paragraph). The tests also check their maxima by `maxScore`.
const OLD = 'behaviour 3.1, legacy';

describe('mcq', () => {
  const one = {
    type: 'mcq',
    valid_responses: [
      { value: '1', score: 2 },
      { value: '2', score: 3 },
    ],
    penalty_score: -1,
  };
  scored('one of two accepted', one, 3, [
    [OLD, 'the first', ['1'], 2],
    [OLD, 'the second', ['2'], 3],
    [OLD, 'another: never below 0', ['0'], 0],
    [OLD, 'none', [], null],
  ]);
  const several = {
    type: 'mcq',
    multiple_responses: true,
    valid_responses: [
      { value: '1', score: '1' },
      { value: '2', score: '2' },
    ],
    penalty_score: '-0.5',
  };
  scored('several choices', several, 3, [
    [OLD, 'both', ['1', '2'], 3],
    [OLD, 'the second', ['2'], 2],
    [OLD, 'the second and a wrong one', ['2', '0'], 1.5],
  ]);
  const either = [
    [
      { value: '1', score: 3 },
      { value: '2', score: 1 },
    ],
    [{ value: '4', score: 1 }],
  ];
  scored('one of two for a part', { type: 'mcq', multiple_responses: true, valid_responses: either }, 4, [
    [OLD, 'the lesser', ['2'], 1],
    [OLD, 'both: the better', ['2', '1'], 3],
  ]);
  const rising = [
    [
      { value: '2', score: 1 },
      { value: '1', score: 3 },
    ],
  ];
  scored('the better comes last', { type: 'mcq', multiple_responses: true, valid_responses: rising }, 3, [
    [OLD, 'both', ['1', '2'], 3],
    [OLD, 'the lesser', ['2'], 1],
  ]);
  const hollow = { type: 'mcq', multiple_responses: true, valid_score: 2, valid_responses: [['1'], [], [null, '']] };
  scored('a part with an empty accepted answer', hollow, 2, [
    [OLD, 'is not a part', ['1'], 2],
    [OLD, 'and something in its place is wrong', ['1', '0'], 0],
  ]);
  it('lists a part for each choice in its reasons', () => {
    const { reasons } = score(several, { value: ['2', '0'] });
    expect(reasons.parts).toEqual([
      { at: null, verdict: 'empty', given: null, accepted: '1', points: 0 },
      { at: null, verdict: 'right', given: '2', accepted: '2', points: 2 },
      { at: null, verdict: 'wrong', given: '0', accepted: null, points: -0.5 },
    ]);
  });
  scored('several choices, all or nothing', { ...several, partial_scoring: false, valid_score: 4 }, 4, [
    [OLD, 'both', ['1', '2'], 4],
    [OLD, 'one', ['1'], 0],
  ]);
});

describe('cloze', () => {
  const blanks = [
    [
      { value: 'a', score: 1 },
      { value: 'b', score: 2 },
    ],
    [{ value: 'c' }],
  ];
  scored('accepted texts of each blank', { type: 'clozetext', valid_responses: blanks }, 3, [
    [OLD, 'the best of each', ['b', 'c'], 3],
    [OLD, 'the lesser of the first', ['A', 'c'], 2],
    [OLD, 'the second alone', [null, 'c'], 1],
    [OLD, 'exchanged', ['c', 'a'], 0],
  ]);
  const twice = [
    [
      { value: 'a', score: 2 },
      { value: 'A', score: 1 },
    ],
  ];
  scored('a text accepted twice', { type: 'clozetext', valid_responses: twice }, 2, [
    [OLD, 'the better counts', ['a'], 2],
  ]);
  scored(
    'a text accepted twice, the better last',
    { type: 'clozetext', valid_responses: [[...twice[0]!].reverse()] },
    2,
    [[OLD, 'the better counts', ['a'], 2]],
  );
  const sparse = { type: 'clozetext', valid_score: 2, valid_responses: [['a'], [], [{ value: null }], ['b']] };
  scored('blanks that ask for nothing', sparse, 2, [
    [OLD, 'are no parts', ['a', null, null, 'b'], 2],
    [OLD, 'filled they are wrong', ['a', 'x', null, 'b'], 0],
    [OLD, 'as is one more blank', ['a', null, null, 'b', 'c'], 0],
    [OLD, 'an empty one more is not', ['a', null, null, 'b', ''], 2],
    [OLD, 'one missing', ['a'], 0],
  ]);
  it('lists the verdict of each blank', () => {
    const { reasons } = score(sparse, { value: ['a', 'x'] });
    expect(reasons.parts.map(({ at, verdict, given, accepted }) => [at, verdict, given, accepted])).toEqual([
      [0, 'right', 'a', 'a'],
      [1, 'wrong', 'x', null],
      [3, 'empty', null, 'b'],
    ]);
  });
  const whole = { type: 'clozetext', validation: { valid_responses: [['a', 'x'], ['b']], valid_score: 2 } };
  scored('one score for all', whole, 2, [
    [OLD, 'all right', ['x', 'b'], 2],
    [OLD, 'one right', ['a', 'c'], 0],
  ]);
  const each = { valid_responses: [['a'], ['b']], valid_score: 2, partial_scoring: 'true', penalty_score: -1 };
  scored('a score for each', { type: 'clozedropdown', validation: each }, 4, [
    [OLD, 'both', ['a', 'b'], 4],
    [OLD, 'one wrong', ['a', 'c'], 1],
    [OLD, 'one empty', ['a', null], 2],
  ]);
});

describe('association', () => {
  scored('by stem', { type: 'association', validation: { valid_responses: [['a'], ['b'], ['c']] } }, 3, [
    [OLD, 'all', ['a', 'b', 'c'], 3],
    [OLD, 'two', ['a', 'b', 'a'], 2],
  ]);
  scored('a stem without accepted text', { type: 'association', validation: { valid_responses: [['a'], []] } }, 1, [
    [OLD, 'is not a part', ['a', null], 1],
  ]);
});

describe('orders', () => {
  const orders = {
    type: 'orderlist',
    validation: {
      valid_responses: [
        [2, 0, 1],
        [2, 1, 0],
      ],
      valid_score: '3',
    },
  };
  scored('accepted orders', orders, 3, [
    [OLD, 'the first', [2, 0, 1], 3],
    [OLD, 'the second', [2, 1, 0], 3],
    [OLD, 'another', [0, 1, 2], 0],
  ]);
  const parts = { valid_response: [4, 3, 5, 1], valid_score: 1, partial_scoring: true };
  scored('a bare order in parts', { type: 'orderlist', validation: parts }, 4, [[OLD, 'two', [4, 3, 1, 5], 2]]);
  const pairs = { valid_response: [2, 3, 0, 1], valid_score: '1', partial_scoring: true, pairwise: '1' };
  scored('in pairs', { type: 'orderlist', validation: pairs }, 3, [[OLD, 'two', [3, 0, 1, 2], 2]]);
});

describe('others', () => {
  const classes = { valid_responses: [[1], [0, 2]], valid_score: 2 };
  scored('cells of one answer', { type: 'classification', validation: classes }, 2, [
    [OLD, 'all right', [[1], [2, 0]], 2],
    [OLD, 'one right', [[1], [0]], 0],
  ]);
  scored('gridded as texts', { type: 'gridded', valid_responses: ['12', '13'], valid_score: 2 }, 2, [
    [OLD, 'the second', '13', 2],
    [OLD, 'another', '14', 0],
  ]);
  scored('tokens, all or nothing', { type: 'tokenhighlight', valid_responses: [3, 4], valid_score: 2 }, 2, [
    [OLD, 'both', [4, 3], 2],
    [OLD, 'one', [3], 0],
  ]);
  scored('flags in digits', { type: 'mcq', multiple_responses: '0', valid_responses: ['1', '2'], valid_score: 2 }, 2, [
    [OLD, 'are read: one of them', ['2'], 2],
  ]);
  scored('nothing that is right', { type: 'orderlist', validation: { valid_response: null, valid_score: 2 } }, 0, [
    [OLD, 'earns nothing', [0, 1], 0],
  ]);
  scored('shorttext as texts', { type: 'shorttext', validation: { valid_responses: ['a', 'b'], valid_score: 2 } }, 2, [
    [OLD, 'the second', 'B', 2],
    [OLD, 'another', 'c', 0],
  ]);
  const cells = { valid_responses: [[[1], [0], [2]]], partial_scoring: true, valid_score: 1 };
  scored('cells', { type: 'classification', validation: cells }, 3, [[OLD, 'two', [[1], [2], [2]], 2]]);
  const tokens = { valid_responses: [3, 4], partial_scoring: true, valid_score: 2 };
  scored('tokens', { type: 'tokenhighlight', validation: tokens }, 4, [[OLD, 'one', [4, 5], 2]]);
  const rows = { valid_responses: [[1], [0], [1]], partial_scoring: 'true', valid_score: 1 };
  scored('rows', { type: 'choicematrix', validation: rows }, 3, [[OLD, 'two', [[1], [1], [1]], 2]]);
  const points = [
    { point: 'a', position: '1' },
    { point: 'b', position: '2' },
  ];
  const line = { valid_responses: points, valid_score: 1, partial_scoring: true };
  scored('points', { type: 'numberline', validation: line }, 2, [
    [
      OLD,
      'one',
      [
        { point: 'a', position: 1 },
        { point: 'b', position: 1 },
      ],
      1,
    ],
  ]);
  scored('gridded', { type: 'gridded', valid_responses: [{ value: '12', score: 2 }] }, 2, [[OLD, 'right', '12', 2]]);
  const formula = { valid_responses: [[{ method: 'equivLiteral', value: '2' }]], valid_score: 3 };
  scored('a formula', { type: 'formulaV2', validation: formula }, 3, [[OLD, 'right', '2', 3]]);
});

it('names the text that counted, and its points', () => {
  const blanks = [
    [
      { value: 'a', score: 1 },
      { value: 'x', score: 2 },
    ],
    ['b'],
  ];
  const { reasons } = score({ type: 'clozetext', valid_responses: blanks }, { value: ['x', 'c'] });
  expect(reasons.parts).toEqual([
    { at: 0, verdict: 'right', given: 'x', accepted: ['a', 'x'], points: 2 },
    { at: 1, verdict: 'wrong', given: 'c', accepted: 'b', points: 0 },
  ]);
});
