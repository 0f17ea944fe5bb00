import { D26, NEGATIVE, OWN, question, scored } from './cases';

const PAIRS = { scoring_type: 'partialMatchPairwise' };

describe('orderlist, by pairs', () => {
  scored('0 1 2 3', question('orderlist', [0, 1, 2, 3], PAIRS), 3, [
    [D26, 'the right order', [0, 1, 2, 3], 3],
    [D26, 'the first moved to the end', [1, 2, 3, 0], 2],
    [D26, 'halves exchanged', [2, 3, 0, 1], 2],
    [D26, 'reversed', [3, 2, 1, 0], 0],
    [D26, 'two neighbours exchanged', [0, 2, 1, 3], 0],
    [D26, 'the last two exchanged', [0, 1, 3, 2], 1],
    [OWN, 'one alone has no pair', [0], 0],
    [OWN, 'two of them', [2, 3], 1],
    [OWN, 'positions as texts', ['0', '1', '2', '3'], 3],
    [OWN, 'the same pair twice counts once', [0, 1, 0, 1], 1],
    [D26, 'none', [], null],
    [D26, 'no value', null, null],
    [D26, 'no response', undefined, null],
    [OWN, 'another form', { order: [0] }, 0],
  ]);
  scored('score 2, penalty 1', question('orderlist', [0, 1, 2, 3], { ...PAIRS, score: 2, penalty: 1 }), 6, [
    [D26, 'the right order', [0, 1, 2, 3], 6],
    [OWN, 'two right pairs, one wrong', [1, 2, 3, 0], 3],
    [D26, 'never below 0', [3, 2, 1, 0], 0],
  ]);
  const negative = { ...PAIRS, score: 2, penalty: 1, ...NEGATIVE };
  scored('score 2, penalty 1, negative', question('orderlist', [0, 1, 2, 3], negative), 6, [
    [OWN, 'three wrong pairs', [3, 2, 1, 0], -3],
  ]);
  const alternates = { ...PAIRS, alt_responses: [{ score: 2, value: [3, 2, 1, 0] }] };
  scored('an alternate', question('orderlist', [0, 1, 2, 3], alternates), 6, [
    [D26, 'reversed', [3, 2, 1, 0], 6],
    [D26, 'the valid one', [0, 1, 2, 3], 3],
    [D26, 'two pairs of the alternate', [0, 3, 2, 1], 4],
  ]);
  scored('positions of two digits', question('orderlist', [1, 12], PAIRS), 1, [
    [D26, 'are not those of one', [11, 2], 0],
    [D26, 'the right order', [1, 12], 1],
  ]);
  scored('half a point a pair', question('orderlist', [2, 0, 1], { ...PAIRS, score: 0.5 }), 1, [
    [D26, 'is not rounded', [0, 1, 2], 0.5],
  ]);
});

describe('sortlist', () => {
  scored('by pairs', question('sortlist', [0, 1, 2], { ...PAIRS, score: 2 }), 2, [
    ['behaviour 3.10', 'is not one of its types: exactMatch', [1, 2, 0], 0],
    ['behaviour 3.10', 'all right', [0, 1, 2], 2],
  ]);
});

describe('a long list', () => {
  scored('of the key twice over', question('orderlist', [0, 1], { scoring_type: 'partialMatch' }), 2, [
    [OWN, 'earns no more', [0, 1, 0, 1], 2],
  ]);
});
