import type { Json, JsonObject } from '#kernel';
import { compile, ENGINE_VERSION, score } from '#scoring';
import { question } from './cases';

const reasonsOf = (definition: JsonObject, value: Json) => score(definition, { value }).reasons;

describe('reasons', () => {
  it('list each part as right, wrong or empty, with its points', () => {
    const definition = question('clozetext', ['dagger', 'instrument', 'wax'], {
      scoring_type: 'partialMatch',
      score: 2,
      penalty: 1,
    });
    expect(reasonsOf(definition, ['Dagger', null, 'wood'])).toEqual({
      engine: ENGINE_VERSION,
      outcome: 'scored',
      message: null,
      scoringType: 'partialMatch',
      answer: 0,
      parts: [
        { at: 0, verdict: 'right', given: 'Dagger', accepted: 'dagger', points: 2 },
        { at: 1, verdict: 'empty', given: null, accepted: 'instrument', points: 0 },
        { at: 2, verdict: 'wrong', given: 'wood', accepted: 'wax', points: -1 },
      ],
      steps: [
        { step: 'right-parts', from: 0, to: 2 },
        { step: 'penalty', from: 2, to: 1 },
      ],
    });
  });

  it('name the alternate that counted', () => {
    const alt_responses = [
      { score: 1, value: ['x'] },
      { score: 4, value: ['b'] },
      { score: 4, value: ['b'] },
    ];
    const definition = question('mcq', ['a'], { score: 2, alt_responses });
    expect(reasonsOf(definition, ['b']).answer).toBe(2);
    expect(reasonsOf(definition, ['a']).answer).toBe(0);
    expect(reasonsOf(definition, ['x']).answer).toBe(1);
  });

  it('prefer the completely right answer when two give the same points', () => {
    const definition = question('mcq', ['a', 'b'], { scoring_type: 'partialMatch', alt_responses: [{ value: ['a'] }] });
    const result = score(definition, { value: ['a'] });
    expect(result).toMatchObject({ score: 1, isValid: true, reasons: { answer: 1 } });
  });

  it('show the share of each part, the rounding and the floor', () => {
    const definition = question('association', ['a', 'b', 'c'], {
      scoring_type: 'partialMatchV2',
      score: 4,
      penalty: 1,
    });
    const { parts, steps } = reasonsOf(definition, ['a', 'b', 'x']);
    expect(parts.map(({ points }) => points)).toEqual([1.3333, 1.3333, -0.3333]);
    expect(steps).toEqual([
      { step: 'right-parts', from: 0, to: 2.6666666667 },
      { step: 'penalty', from: 2.6666666667, to: 2.3333333334 },
      { step: 'rounding', from: 2.3333333334, to: 2 },
    ]);
  });

  it('show the zero floor, then the minimum score of an attempt', () => {
    const definition = question('mcq', ['a'], { score: 3, penalty: 2, min_score_if_attempted: 1 });
    expect(reasonsOf(definition, ['b']).steps).toEqual([
      { step: 'right-parts', from: 0, to: 0 },
      { step: 'penalty', from: 0, to: -2 },
      { step: 'zero-floor', from: -2, to: 0 },
      { step: 'min-score-if-attempted', from: 0, to: 1 },
    ]);
  });

  it('give no points to parts under exactMatch, which compares the whole answer', () => {
    expect(reasonsOf(question('mcq', ['a', 'b']), ['a', 'c']).parts).toEqual([
      { at: null, verdict: 'right', given: 'a', accepted: 'a', points: null },
      { at: null, verdict: 'empty', given: null, accepted: 'b', points: null },
      { at: null, verdict: 'wrong', given: 'c', accepted: null, points: null },
    ]);
  });

  const places: [type: string, key: Json, value: Json, expected: JsonObject[], validation?: JsonObject][] = [
    [
      'choicematrix',
      [[0], [1, 2]],
      [[1], [2, 0]],
      [
        { at: 0, verdict: 'wrong', given: 1, accepted: 0 },
        { at: 1, verdict: 'empty', given: null, accepted: 1 },
        { at: 1, verdict: 'right', given: 2, accepted: 2 },
        { at: 1, verdict: 'wrong', given: 0, accepted: null },
      ],
    ],
    [
      'classification',
      [[1, 2], [0]],
      [[2, 1], []],
      [
        { at: 0, verdict: 'right', given: [2, 1], accepted: [1, 2] },
        { at: 1, verdict: 'empty', given: null, accepted: 0 },
      ],
    ],
    [
      'classification',
      [[1, 2], [0]],
      [[2, 0], []],
      [
        { at: 0, verdict: 'right', given: 2, accepted: 2 },
        { at: 0, verdict: 'wrong', given: 0, accepted: null },
        { at: 0, verdict: 'empty', given: null, accepted: 1 },
        { at: 1, verdict: 'empty', given: null, accepted: 0 },
      ],
      { scoring_type: 'partialMatchElement' },
    ],
    [
      'classification',
      [[1], []],
      [[1], [2]],
      [
        { at: 0, verdict: 'right', given: 1, accepted: 1 },
        { at: 1, verdict: 'wrong', given: 2, accepted: null },
      ],
    ],
    [
      'orderlist',
      [2, 0, 1],
      [0, 1, 2],
      [
        { at: 0, verdict: 'right', given: [0, 1], accepted: [0, 1] },
        { at: 1, verdict: 'wrong', given: [1, 2], accepted: null },
      ],
      { scoring_type: 'partialMatchPairwise' },
    ],
    [
      'numberline',
      [{ point: 'a', position: 1 }],
      [{ point: 'a', position: '2' }],
      [{ at: null, verdict: 'wrong', given: 'a at 2', accepted: 'a at 1' }],
    ],
    [
      'simpleshading',
      { method: 'byCount', value: 2 },
      [[0, 1]],
      [{ at: null, verdict: 'wrong', given: 1, accepted: 2 }],
    ],
    [
      'association',
      ['a', null, 'b'],
      ['a', null, null],
      [
        { at: 0, verdict: 'right', given: 'a', accepted: 'a' },
        { at: 2, verdict: 'empty', given: null, accepted: 'b' },
      ],
    ],
    ['shorttext', 'a', ' b', [{ at: 0, verdict: 'wrong', given: ' b', accepted: 'a' }]],
    ['gridded', '1.5', '1.5', [{ at: 0, verdict: 'right', given: '1.5', accepted: '1.5' }]],
    [
      'clozetext',
      ['red', 'blue'],
      ['blue', 'blue'],
      [
        { at: 0, verdict: 'right', given: 'blue', accepted: 'blue' },
        { at: 1, verdict: 'wrong', given: 'blue', accepted: null },
      ],
      { match_all_possible_responses: true },
    ],
    [
      'clozetext',
      ['a', '', 'b'],
      ['a', 'x', 'b'],
      [
        { at: 0, verdict: 'right', given: 'a', accepted: 'a' },
        { at: 1, verdict: 'wrong', given: 'x', accepted: null },
        { at: 2, verdict: 'right', given: 'b', accepted: 'b' },
      ],
    ],
    [
      'clozedropdown',
      ['a', []],
      ['a', 'x', 'y'],
      [
        { at: 0, verdict: 'right', given: 'a', accepted: 'a' },
        { at: 1, verdict: 'wrong', given: 'x', accepted: null },
        { at: 2, verdict: 'wrong', given: 'y', accepted: null },
      ],
    ],
    [
      'association',
      ['a', ['b', 'c']],
      ['a', ['c', 'b']],
      [
        { at: 0, verdict: 'right', given: 'a', accepted: 'a' },
        { at: 1, verdict: 'right', given: ['c', 'b'], accepted: ['b', 'c'] },
      ],
    ],
    [
      'association',
      ['a', ['b', 'c']],
      [['a'], ['c', '', 'b']],
      [
        { at: 0, verdict: 'right', given: 'a', accepted: 'a' },
        { at: 1, verdict: 'right', given: ['c', '', 'b'], accepted: ['b', 'c'] },
      ],
    ],
    [
      'association',
      ['a', 'b'],
      ['a', ['b', { x: 1 }]],
      [
        { at: 0, verdict: 'right', given: 'a', accepted: 'a' },
        { at: 1, verdict: 'wrong', given: ['b', null], accepted: 'b' },
      ],
    ],
    [
      'clozetext',
      ['red', 'blue', 'red'],
      ['', 'RED', 'red', 'red'],
      [
        { at: 0, verdict: 'empty', given: null, accepted: null },
        { at: 1, verdict: 'right', given: 'RED', accepted: 'red' },
        { at: 2, verdict: 'right', given: 'red', accepted: 'red' },
        { at: 3, verdict: 'wrong', given: 'red', accepted: null },
      ],
      { match_all_possible_responses: true },
    ],
    [
      'choicematrix',
      [[0]],
      [[0, 1]],
      [
        { at: 0, verdict: 'right', given: 0, accepted: 0 },
        { at: 0, verdict: 'wrong', given: 1, accepted: null },
      ],
    ],
    [
      'choicematrix',
      [0],
      [[0], '1'],
      [
        { at: 0, verdict: 'right', given: 0, accepted: 0 },
        { at: 1, verdict: 'wrong', given: '1', accepted: null },
      ],
    ],
    [
      'choicematrix',
      [[0], [1]],
      [[0]],
      [
        { at: 0, verdict: 'right', given: 0, accepted: 0 },
        { at: 1, verdict: 'empty', given: null, accepted: 1 },
      ],
    ],
    [
      'choicematrix',
      [[1, 2]],
      [[1, 1]],
      [
        { at: 0, verdict: 'right', given: 1, accepted: 1 },
        { at: 0, verdict: 'empty', given: null, accepted: 2 },
      ],
    ],
    [
      'choicematrix',
      [[1, 2]],
      [[2]],
      [
        { at: 0, verdict: 'empty', given: null, accepted: 1 },
        { at: 0, verdict: 'right', given: 2, accepted: 2 },
      ],
    ],
    [
      'choicematrix',
      [[1]],
      [[], [null, 1]],
      [
        { at: 0, verdict: 'empty', given: null, accepted: 1 },
        { at: 1, verdict: 'wrong', given: 1, accepted: null },
      ],
    ],
    [
      'classification',
      [[1]],
      [[2], [1]],
      [
        { at: 0, verdict: 'wrong', given: 2, accepted: 1 },
        { at: 1, verdict: 'wrong', given: 1, accepted: null },
      ],
    ],
    [
      'classification',
      [[1], [2]],
      [[2], [1]],
      [
        { at: 0, verdict: 'wrong', given: 2, accepted: null },
        { at: 0, verdict: 'empty', given: null, accepted: 1 },
        { at: 1, verdict: 'wrong', given: 1, accepted: null },
        { at: 1, verdict: 'empty', given: null, accepted: 2 },
      ],
      { scoring_type: 'partialMatchElementV2' },
    ],
    [
      'classification',
      [[1, 1]],
      [[1], [1]],
      [
        { at: 0, verdict: 'right', given: 1, accepted: 1 },
        { at: 0, verdict: 'empty', given: null, accepted: 1 },
        { at: 1, verdict: 'wrong', given: 1, accepted: null },
      ],
      { scoring_type: 'partialMatchElement' },
    ],
    [
      'orderlist',
      [0, 1, 0, 1],
      [0, 1, 0, 1, 0],
      [
        { at: 0, verdict: 'right', given: [0, 1], accepted: [0, 1] },
        { at: 1, verdict: 'right', given: [1, 0], accepted: [1, 0] },
        { at: 2, verdict: 'right', given: [0, 1], accepted: [0, 1] },
        { at: 3, verdict: 'wrong', given: [1, 0], accepted: null },
      ],
      { scoring_type: 'partialMatchPairwise' },
    ],
    [
      'orderlist',
      [1, 23],
      [12, 3],
      [{ at: 0, verdict: 'wrong', given: [12, 3], accepted: null }],
      { scoring_type: 'partialMatchPairwise' },
    ],
    [
      'orderlist',
      [0, 1],
      [null, 0, '', 1],
      [{ at: 0, verdict: 'right', given: [0, 1], accepted: [0, 1] }],
      { scoring_type: 'partialMatchPairwise' },
    ],
    [
      'numberline',
      [
        { point: 'a', position: 1 },
        { point: 'b', position: 2 },
      ],
      [
        { point: 'b', position: 2 },
        { point: 'c', position: 1 },
      ],
      [
        { at: null, verdict: 'empty', given: null, accepted: 'a at 1' },
        { at: null, verdict: 'right', given: 'b at 2', accepted: 'b at 2' },
        { at: null, verdict: 'wrong', given: 'c at 1', accepted: null },
      ],
    ],
    [
      'numberline',
      [
        { point: 'a', position: 5 },
        { point: 'a', position: 1 },
      ],
      [
        { point: 'a', position: 3 },
        { point: 'a', position: 1 },
      ],
      [
        { at: null, verdict: 'right', given: 'a at 1', accepted: 'a at 1' },
        { at: null, verdict: 'wrong', given: 'a at 3', accepted: 'a at 5' },
      ],
    ],
    [
      'numberline',
      [{ point: 'a', position: 1 }],
      [
        { point: 'a', position: 0 },
        { point: 'a', position: 1 },
        { point: 'a', position: 2 },
      ],
      [
        { at: null, verdict: 'right', given: 'a at 1', accepted: 'a at 1' },
        { at: null, verdict: 'wrong', given: 'a at 0', accepted: null },
        { at: null, verdict: 'wrong', given: 'a at 2', accepted: null },
      ],
    ],
    [
      'numberline',
      [
        { point: 'a', position: 'x' },
        { point: 'a', position: 1 },
      ],
      [
        { point: 'a', position: 'x' },
        { point: 'a', position: 'w' },
      ],
      [
        { at: null, verdict: 'right', given: 'a at x', accepted: 'a at x' },
        { at: null, verdict: 'wrong', given: 'a at w', accepted: 'a at 1' },
      ],
    ],
    [
      'simpleshading',
      [
        [0, 0],
        [1, 1],
      ],
      ['0,0', [2, 2]],
      [
        { at: null, verdict: 'right', given: '0,0', accepted: '0,0' },
        { at: null, verdict: 'empty', given: null, accepted: '1,1' },
        { at: null, verdict: 'wrong', given: '2,2', accepted: null },
      ],
    ],
    [
      'simpleshading',
      [[0, 0]],
      2,
      [
        { at: null, verdict: 'empty', given: null, accepted: '0,0' },
        { at: null, verdict: 'wrong', given: 2, accepted: null },
      ],
    ],
    [
      'simpleshading',
      {
        method: 'byCount',
        value: [
          [0, 0],
          [1, 1],
        ],
      },
      { value: 2 },
      [{ at: null, verdict: 'right', given: 2, accepted: 2 }],
    ],
    [
      'clozeformula',
      [[{ value: 'x' }], []],
      ['x', '2'],
      [
        { at: 0, verdict: 'right', given: 'x', accepted: 'x' },
        { at: 1, verdict: 'wrong', given: '2', accepted: null },
      ],
    ],
    [
      'tokenhighlight',
      [4, 9],
      ['9', 1],
      [
        { at: null, verdict: 'empty', given: null, accepted: 4 },
        { at: null, verdict: 'right', given: '9', accepted: 9 },
        { at: null, verdict: 'wrong', given: 1, accepted: null },
      ],
    ],
  ];
  it.each(places)(
    'show what was given and accepted in each part: %s %j, answered %j',
    (type, key, value, expected, validation = {}) => {
      const { parts } = reasonsOf(question(type, key, validation), value);
      expect(parts.map(({ at, verdict, given, accepted }) => ({ at, verdict, given, accepted }))).toEqual(expected);
    },
  );

  it('truncate very long texts, and omit nested values', () => {
    const [part] = reasonsOf(question('shorttext', 'a'), 'b'.repeat(5000)).parts;
    expect(part!.given).toHaveLength(1001);
    expect(reasonsOf(question('association', ['a']), [[[['a']]]]).parts).toMatchObject([
      { given: null, verdict: 'wrong' },
    ]);
  });

  it('truncate very long lists', () => {
    const many = Array.from({ length: 1500 }, (_, at) => `entry ${at}`);
    const [part] = reasonsOf(question('association', ['a']), [many]).parts;
    expect(part!.given).toHaveLength(1000);
  });

  it('show exact shares, without floating-point noise', () => {
    const shared = question('association', ['a', 'b'], { scoring_type: 'partialMatchV2', score: 2.5 });
    expect(score(shared, { value: ['a', 'b'] }).score).toBe(2.5);
    expect(score(shared, { value: ['a', 'x'] }).score).toBe(1);
    const tenths = question('association', ['a', 'b', 'c'], { scoring_type: 'partialMatch', score: 0.1 });
    expect(score(tenths, { value: ['a', 'b', 'c'] }).score).toBe(0.3);
    const third = question('mcq', ['a'], { score: 0.333333333333 });
    expect(score(third, { value: ['a'] }).score).toBe(0.333333333333);
  });

  it('report a response that the type cannot read', () => {
    const { outcome, message, steps } = reasonsOf(question('mcq', ['a']), { a: 1 });
    expect([outcome, steps]).toEqual(['unreadable', [{ step: 'right-parts', from: 0, to: 0 }]]);
    expect(message).toContain('form');
  });

  it('are plain JSON', () => {
    const { reasons } = score(question('choicematrix', [[0], [1]]), { value: [[0], [0]] });
    expect(JSON.parse(JSON.stringify(reasons))).toEqual(reasons);
  });
});

describe('the validity of a response', () => {
  const definition = question('mcq', ['a', 'b'], { scoring_type: 'partialMatch', alt_responses: [{ value: ['c'] }] });
  it.each([
    [['a', 'b'], true],
    [['c'], true],
    [['a'], false],
    [['a', 'b', 'd'], false],
    [[], null],
  ])('is computed for %j as %s', (value, expected) => {
    expect(score(definition, { value }).isValid).toBe(expected);
  });
});

it('a response is valid when it equals one accepted answer, also when another one gives more points', () => {
  const alt_responses = [{ score: 3, value: [1, 3, 0, 1] }];
  const definition = question('choicematrix', [1, 3], { scoring_type: 'partialMatchV2', score: 0.5, alt_responses });
  // Half of the alternate gives 1 point, and all of the valid response 0.5.
  expect(score(definition, { value: [1, 3] })).toMatchObject({ score: 1, isValid: true, reasons: { answer: 1 } });
});

it('no response is valid when nothing can be right: an order of one entry has no pairs', () => {
  const definition = question('orderlist', [0], { scoring_type: 'partialMatchPairwise' });
  expect(score(definition, { value: [0] })).toMatchObject({ score: 0, maxScore: 0, isValid: false });
});

describe('options of scoring', () => {
  const strict = question('mcq', ['a'], { penalty: 1 });
  const lenient = question('mcq', ['a'], { penalty: 1, allow_negative_scores: true });
  it('allow the activity to permit or forbid negative scores', () => {
    expect(score(strict, { value: ['b'] }, { allowNegativeScores: true }).score).toBe(-1);
    expect(score(lenient, { value: ['b'] }, { allowNegativeScores: false }).score).toBe(0);
    expect(score(lenient, { value: ['b'] }, {}).score).toBe(-1);
  });
});

describe('a compiled question', () => {
  it('scores any number of responses independently', () => {
    const scorer = compile(question('orderlist', [1, 0], { scoring_type: 'partialMatch', score: 2 }));
    expect(scorer).toMatchObject({ type: 'orderlist', maxScore: 4, automarkable: true });
    const points = [[1, 0], [0, 1], [1], null, [1, 0]].map((value) => scorer.score({ value }).score);
    expect(points).toEqual([4, 0, 2, null, 4]);
  });
});
