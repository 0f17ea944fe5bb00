import type { Json } from '#kernel';
import { D26, NEGATIVE, OWN, question, scored, scoredAs } from './cases';

// Types whose answer is a set of selected entries.
const OPTIONS = { a: 'A', b: 'B', c: 'C', d: 'D', e: 'E' };
const AREAS = { a: '0', b: '1', c: '3', d: '2', e: '4' };
const TOKENS = { a: 4, b: 9, c: 11, d: 0, e: 1 };
const types: [type: string, spelling: Readonly<Record<string, Json>>][] = [
  ['mcq', OPTIONS],
  ['hotspot', AREAS],
  ['tokenhighlight', TOKENS],
];

const KEY = ['a', 'b', 'c'];

describe.each(types)('%s', (type, spelling) => {
  const check = scoredAs(type, spelling);

  check('exact', KEY, { score: 3 }, 3, [
    [D26, 'all', ['a', 'b', 'c'], 3],
    ['behaviour 3.3', 'the order does not matter', ['c', 'a', 'b'], 3],
    [OWN, 'the same twice is once', ['a', 'a', 'b', 'c'], 3],
    [D26, 'one missing', ['a', 'b'], 0],
    [D26, 'one too many', ['a', 'b', 'c', 'd'], 0],
    [D26, 'a wrong one', ['d'], 0],
    [D26, 'none', [], null],
    [D26, 'nothing in it', [null], null],
    [D26, 'no value', null, null],
    [D26, 'no response', undefined, null],
    [OWN, 'another form', { a: 1 }, 0],
    [OWN, 'lists within', [['a'], ['b']], 0],
  ]);
  check('exact, penalty 2, negative', KEY, { score: 3, penalty: 2, ...NEGATIVE }, 3, [
    [D26, 'one too many', ['a', 'b', 'c', 'd'], -2],
    [D26, 'one missing is not wrong', ['a', 'b'], 0],
    [D26, 'two wrong: once', ['d', 'e'], -2],
  ]);
  check('exact, one of one', ['b'], {}, 1, [
    [D26, 'right', ['b'], 1],
    [OWN, 'a bare value', 'b', 1],
    [D26, 'wrong', ['a'], 0],
    [D26, 'both', ['a', 'b'], 0],
  ]);
  check('by part, penalty 1', KEY, { score: 2, scoring_type: 'partialMatch', penalty: 1 }, 6, [
    [D26, 'all', ['a', 'b', 'c'], 6],
    [D26, 'one', ['b'], 2],
    [D26, 'one right, one wrong', ['d', 'a'], 1],
    [D26, 'everything', ['a', 'b', 'c', 'd', 'e'], 4],
    [D26, 'never below 0', ['d'], 0],
    [OWN, 'a wrong one twice is once', ['a', 'd', 'd'], 1],
  ]);
  check('by part, penalty 1, negative', KEY, { score: 2, scoring_type: 'partialMatch', penalty: 1, ...NEGATIVE }, 6, [
    [D26, 'one wrong', ['d'], -1],
    [D26, 'two wrong', ['d', 'e'], -2],
    [D26, 'one right, two wrong', ['a', 'd', 'e'], 0],
  ]);
  check('by part', KEY, { score: 2, scoring_type: 'partialMatch' }, 6, [
    ['behaviour 3.3', 'everything, without penalty', ['a', 'b', 'c', 'd', 'e'], 6],
  ]);
  check('shared', KEY, { score: 3, scoring_type: 'partialMatchV2' }, 3, [
    [D26, 'two', ['a', 'b'], 2],
    [D26, 'one', ['c'], 1],
    [D26, 'one, and a wrong one', ['c', 'd'], 1],
    [D26, 'all', ['a', 'b', 'c'], 3],
  ]);
  check('shared, not rounded', KEY, { score: 2, scoring_type: 'partialMatchV2', rounding: 'none', penalty: 1 }, 2, [
    [D26, 'two, one wrong: (4 - 1) / 3', ['a', 'b', 'd'], 1],
    [D26, 'one, one wrong: (2 - 1) / 3', ['a', 'd'], 0.3333],
    [D26, 'two: 4 / 3', ['a', 'c'], 1.3333],
    [D26, 'all, one wrong: (6 - 1) / 3', ['a', 'b', 'c', 'd'], 1.6667],
  ]);
  check('shared, rounded', KEY, { score: 2, scoring_type: 'partialMatchV2', penalty: 1 }, 2, [
    [D26, 'after the penalty: 1.67 down', ['a', 'b', 'c', 'd'], 1],
    [D26, '0.33 down', ['a', 'd'], 0],
  ]);
  check('an alternate', KEY, { score: 3, alt_responses: [{ score: 2, value: ['a', 'b'] }] }, 3, [
    [D26, 'matched', ['b', 'a'], 2],
    [D26, 'not matched', ['a'], 0],
    [D26, 'the valid one', ['a', 'b', 'c'], 3],
  ]);
  const negative = { score: 3, penalty: 1, alt_responses: [{ score: 1, value: ['d'] }], ...NEGATIVE };
  check('an alternate, penalty 1, negative', KEY, negative, 3, [
    [D26, 'matched: no penalty', ['d'], 1],
    [D26, 'wrong for both', ['e'], -1],
    [D26, 'nothing wrong for the valid one', ['a'], 0],
  ]);
  check('an option twice in the key', ['a', 'a', 'b'], { scoring_type: 'partialMatch' }, 2, [
    [D26, 'is one part', ['a', 'b'], 2],
    [D26, 'half', ['a'], 1],
  ]);
  check('at least half a point', KEY, { score: 1, min_score_if_attempted: 0.5 }, 1, [
    [D26, 'wrong', ['d'], 0.5],
    [D26, 'none', [], null],
  ]);
  const thirds = { score: 0.66666, scoring_type: 'partialMatchV2', rounding: 'none', penalty: 0.00003 };
  check('two thirds, a penalty of next to nothing', KEY, thirds, 0.66666, [
    [OWN, '0.66665 to four decimals, but never above the maximum', ['a', 'b', 'c', 'd'], 0.66666],
  ]);
  check('a penalty beyond measure', KEY, { scoring_type: 'partialMatch', penalty: 1e300, ...NEGATIVE }, 3, [
    [OWN, 'has an end', ['d', 'e'], Number.MIN_SAFE_INTEGER],
  ]);
  check('unscored', KEY, { unscored: 'true' }, 0, [[D26, 'no score', ['a', 'b', 'c'], null]]);
});

describe('values', () => {
  scored('positions as numbers', question('mcq', [0, 1]), 1, [
    [OWN, 'as texts', ['0', '1'], 1],
    [OWN, 'as numbers', [1, 0], 1],
  ]);
  scored('texts', question('mcq', ['Yes']), 1, [
    [OWN, 'compare exactly', ['yes'], 0],
    [OWN, 'with their blanks', ['Yes '], 0],
  ]);
  scored('values named like built-ins', question('mcq', ['constructor', '__proto__']), 1, [
    [OWN, 'are values', ['__proto__', 'constructor'], 1],
    [OWN, 'and nothing else', ['toString'], 0],
  ]);
});
