import type { Json } from '#kernel';
import { D26, NEGATIVE, OWN, scoredAs } from './cases';

// Types whose answer is a list of places, each with an accepted entry. The letters stand for values of the type.
const PLAIN = {};
const POSITIONS = { a: 2, b: 0, c: 1, d: 3 };
const types: [type: string, spelling: Readonly<Record<string, Json>>][] = [
  ['association', PLAIN],
  ['clozetext', PLAIN],
  ['clozeinlinetext', PLAIN],
  ['clozedropdown', PLAIN],
  ['clozeassociation', PLAIN],
  ['imageclozetext', PLAIN],
  ['imageclozedropdown', PLAIN],
  ['imageclozeassociation', PLAIN],
  ['imageclozeassociationV2', PLAIN],
  ['orderlist', POSITIONS],
  ['sortlist', POSITIONS],
];

const KEY = ['a', 'b', 'c'];

describe.each(types)('%s', (type, spelling) => {
  const check = scoredAs(type, spelling);

  check('exact', KEY, { score: 3 }, 3, [
    [D26, 'all right', ['a', 'b', 'c'], 3],
    [D26, 'one wrong', ['a', 'b', 'd'], 0],
    [D26, 'the order matters', ['b', 'a', 'c'], 0],
    [D26, 'one empty', ['a', 'b', null], 0],
    [D26, 'one missing', ['a', 'b'], 0],
    [OWN, 'one more than asked for', ['a', 'b', 'c', 'd'], 0],
    [D26, 'all empty', [null, null, null], null],
    [D26, 'no entry', [], null],
    [D26, 'no value', null, null],
    [D26, 'no response', undefined, null],
  ]);
  check('exact, penalty 1, negative allowed', KEY, { score: 3, penalty: 1, ...NEGATIVE }, 3, [
    [D26, 'all right', ['a', 'b', 'c'], 3],
    [D26, 'one wrong', ['a', 'b', 'd'], -1],
    [D26, 'all wrong: once', ['d', 'd', 'd'], -1],
    [D26, 'an empty part is not wrong', ['a', null, 'c'], 0],
    [D26, 'not attempted: no penalty', [null, null, null], null],
  ]);
  check('exact, penalty 1', KEY, { score: 3, penalty: 1 }, 3, [[D26, 'never below 0', ['d', 'd', 'd'], 0]]);
  check('exact, a negative penalty of old data', KEY, { score: 3, penalty: -1, ...NEGATIVE }, 3, [
    ['behaviour 3.1', 'is taken off', ['a', 'b', 'd'], -1],
  ]);
  check('exact, at least 1', KEY, { score: 3, penalty: 2, min_score_if_attempted: 1, ...NEGATIVE }, 3, [
    [D26, 'wrong', ['a', 'b', 'd'], 1],
    [D26, 'right', ['a', 'b', 'c'], 3],
    [D26, 'not attempted', [null, null, null], null],
  ]);
  check('exact, at least 5', KEY, { score: 3, min_score_if_attempted: 5 }, 5, [
    [D26, 'raises the maximum with it', ['d', null, null], 5],
    [D26, 'right', ['a', 'b', 'c'], 5],
  ]);
  check('a score that is left out', KEY, {}, 1, [['behaviour 3.1', 'is 1', ['a', 'b', 'c'], 1]]);
  check('a score as text', KEY, { score: '2.0' }, 2, [[D26, 'is read', ['a', 'b', 'c'], 2]]);
  check('half a point', KEY, { score: 0.5 }, 0.5, [[D26, 'stays under exactMatch', ['a', 'b', 'c'], 0.5]]);
  check('an unknown scoring type', KEY, { score: 3, scoring_type: 'mostly' }, 3, [
    [D26, 'is exactMatch: right', ['a', 'b', 'c'], 3],
    [D26, 'is exactMatch: one wrong', ['a', 'b', 'd'], 0],
  ]);
  check('a scoring type left out', KEY, { score: 3, scoring_type: null }, 3, [
    [D26, 'is exactMatch', ['a', 'b', 'd'], 0],
  ]);

  check('by part', KEY, { score: 2, scoring_type: 'partialMatch' }, 6, [
    [D26, 'all right', ['a', 'b', 'c'], 6],
    [D26, 'two right', ['a', 'b', 'd'], 4],
    [D26, 'one right, one empty, one wrong', ['a', null, 'd'], 2],
    [D26, 'only the last', [null, null, 'c'], 2],
    [D26, 'none', ['d', 'd', 'd'], 0],
    [D26, 'one place along', ['d', 'a', 'b'], 0],
  ]);
  check('by part, penalty 1', KEY, { score: 2, scoring_type: 'partialMatch', penalty: 1 }, 6, [
    [D26, 'two right, one wrong', ['a', 'b', 'd'], 3],
    [D26, 'one right, two wrong', ['a', 'd', 'd'], 0],
    [D26, 'one right, one empty, one wrong', ['a', null, 'd'], 1],
    [D26, 'all wrong: never below 0', ['d', 'd', 'd'], 0],
    [OWN, 'one more than asked for', ['a', 'b', 'c', 'd'], 5],
  ]);
  check('by part, penalty 1, negative', KEY, { score: 2, scoring_type: 'partialMatch', penalty: 1, ...NEGATIVE }, 6, [
    [D26, 'all wrong: for each', ['d', 'd', 'd'], -3],
    [D26, 'one wrong, two empty', [null, 'd', null], -1],
  ]);
  check('shared', KEY, { score: 2, scoring_type: 'partialMatchV2' }, 2, [
    [D26, 'all right', ['a', 'b', 'c'], 2],
    [D26, 'two right: 1.33 down', ['a', 'b', 'd'], 1],
    [D26, 'one right: 0.67 down', ['a', 'd', 'd'], 0],
  ]);
  check('shared, not rounded', KEY, { score: 2, scoring_type: 'partialMatchV2', rounding: 'none' }, 2, [
    [D26, 'two right: four decimals', ['a', 'b', 'd'], 1.3333],
    [D26, 'one right: four decimals', ['a', null, null], 0.6667],
    [D26, 'all right', ['a', 'b', 'c'], 2],
  ]);
  const shared = { score: 2, scoring_type: 'partialMatchV2', rounding: 'none', penalty: 1 };
  check('shared, penalty 1', KEY, shared, 2, [
    [D26, 'two right, one wrong: (4 - 1) / 3', ['a', 'b', 'd'], 1],
    [D26, 'two right, one empty: 4 / 3', ['a', 'b', null], 1.3333],
    [D26, 'one right, two wrong: (2 - 2) / 3', ['a', 'd', 'd'], 0],
    [D26, 'one right, one wrong: (2 - 1) / 3', ['a', null, 'd'], 0.3333],
    [D26, 'all wrong', ['d', 'd', 'd'], 0],
  ]);
  check('shared, penalty 1, negative', KEY, { ...shared, ...NEGATIVE }, 2, [
    [D26, 'all wrong: 3 / 3', ['d', 'd', 'd'], -1],
    [D26, 'one wrong: 1 / 3', ['d', null, null], -0.3333],
  ]);
  check('shared, rounded, negative', KEY, { ...shared, rounding: 'floor', ...NEGATIVE }, 2, [
    [OWN, 'down is away from 0', ['d', null, null], -1],
  ]);
  check('two and a half, shared', KEY, { score: 2.5, scoring_type: 'partialMatchV2' }, 2.5, [
    [OWN, 'all right is not a share: not rounded', ['a', 'b', 'c'], 2.5],
    [D26, 'two right: 1.67 down', ['a', 'b', 'd'], 1],
  ]);
  check('two thirds, shared', KEY, { score: 0.66666, scoring_type: 'partialMatchV2', rounding: 'none' }, 0.66666, [
    [D26, 'never above the maximum', ['a', 'b', 'c'], 0.66666],
  ]);

  check('an alternate of 2', KEY, { score: 3, alt_responses: [{ score: 2, value: ['c', 'b', 'a'] }] }, 3, [
    [D26, 'the valid one', ['a', 'b', 'c'], 3],
    [D26, 'the alternate', ['c', 'b', 'a'], 2],
    [D26, 'neither throughout', ['a', 'b', 'a'], 0],
  ]);
  check('an alternate of 5', KEY, { score: 3, alt_responses: [{ score: 5, value: ['c', 'b', 'a'] }] }, 5, [
    [D26, 'makes the maximum', ['c', 'b', 'a'], 5],
    [D26, 'the valid one', ['a', 'b', 'c'], 3],
  ]);
  const byPart = { score: 1, scoring_type: 'partialMatch', alt_responses: [{ score: 2, value: ['a', 'd', 'd'] }] };
  check('alternates by part', KEY, byPart, 6, [
    [D26, 'valid 3, alternate 2', ['a', 'b', 'c'], 3],
    [D26, 'valid 2, alternate 4', ['a', 'd', 'c'], 4],
    [D26, 'the alternate', ['a', 'd', 'd'], 6],
  ]);
  const halves = { score: 4, scoring_type: 'partialMatchV2', alt_responses: [{ score: 2.5, value: ['a', 'd', 'd'] }] };
  check('a full alternate beside a larger share', KEY, halves, 4, [
    [OWN, 'rounded first: 1.33 down is less than 2.5', ['a', 'd', 'd'], 2.5],
  ]);

  check('an empty accepted entry', ['a', null, 'c'], { score: 1, scoring_type: 'partialMatch', penalty: 1 }, 2, [
    [D26, 'left empty', ['a', null, 'c'], 2],
    [OWN, 'filled: wrong', ['a', 'b', 'c'], 1],
  ]);
  for (const nothing of [[], [null], [''], [' ', null]])
    check(
      `the accepted entry ${JSON.stringify(nothing)}`,
      ['a', nothing, 'c'],
      { score: 1, scoring_type: 'partialMatch', penalty: 1 },
      2,
      [
        [D26, 'left empty', ['a', null, 'c'], 2],
        [D26, 'given like the accepted entry', ['a', nothing, 'c'], 2],
        [OWN, 'filled: wrong', ['a', 'b', 'c'], 1],
      ],
    );
  check(
    'a text beside nothing in one place',
    [
      ['a', null],
      ['', 'b'],
    ],
    { scoring_type: 'partialMatch' },
    2,
    [
      [OWN, 'given alone', ['a', 'b'], 2],
      [
        OWN,
        'given so',
        [
          ['a', ''],
          [null, 'b'],
        ],
        2,
      ],
      [OWN, 'another', ['b', 'a'], 0],
    ],
  );
  check('an empty accepted entry, exact', ['a', null, 'c'], { score: 1 }, 1, [
    [D26, 'left empty', ['a', null, 'c'], 1],
    [OWN, 'filled: not an accepted answer', ['a', 'b', 'c'], 0],
  ]);
  check('the same twice', ['a', 'a', 'b'], { scoring_type: 'partialMatch' }, 3, [
    [D26, 'right', ['a', 'a', 'b'], 3],
    [D26, 'each place by itself', ['a', 'b', 'a'], 1],
  ]);
  check('unscored', KEY, { unscored: true }, 0, [[D26, 'no score', ['a', 'b', 'c'], null]]);
  check('automarkable false', KEY, { automarkable: false, max_score: 4 }, 4, [
    [D26, 'no score', ['a', 'b', 'c'], null],
  ]);
  check('no accepted entry', [null, null, null], {}, 1, [[OWN, 'nothing can be right', ['a', 'b', 'c'], 0]]);
  check('a response of another form', KEY, { score: 3 }, 3, [[OWN, 'an object', { 0: 'a' }, 0]]);
});
