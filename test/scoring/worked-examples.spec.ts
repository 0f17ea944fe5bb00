import type { Json, JsonObject } from '#kernel';
import { score, scoreItem } from '#scoring';
import { NEGATIVE, question } from './cases';

type Example = [
  source: string,
  what: string,
  definition: JsonObject,
  value: Json,
  score: number | null,
  maximum: number,
];

const exact = { score: 3, penalty: 3 };
const perResponse = { score: 3, penalty: 3, scoring_type: 'partialMatch' };
const shared = (score: Json, more: JsonObject = {}): JsonObject => ({ score, scoring_type: 'partialMatchV2', ...more });
const none = { rounding: 'none' };
const each = (score: Json): JsonObject => ({ score, scoring_type: 'partialMatch' });

const mcq = (validation: JsonObject) => question('mcq', ['A', 'B', 'C'], validation);
const choice: Example[] = [
  ['behaviour 3.1', 'exact, penalty 3: the right set', mcq(exact), ['A', 'B', 'C'], 3, 3],
  ['behaviour 3.1', 'one too many', mcq(exact), ['A', 'B', 'C', 'D'], 0, 3],
  ['behaviour 3.1', 'one missing', mcq(exact), ['A', 'B'], 0, 3],
  ['behaviour 3.1', 'two of four, exact', question('mcq', ['1', '2', '3', '4']), ['1', '2'], 0, 1],
  ['behaviour 3.1', 'two of four, divided', question('mcq', ['1', '2', '3', '4'], shared(1, none)), ['1', '2'], 0.5, 1],
  ['behaviour 3.1', 'two of four, per response', question('mcq', ['1', '2', '3', '4'], each(1)), ['1', '2'], 2, 4],
  [
    'behaviour 3.1',
    'a third, four decimals',
    question('association', ['a', 'b', 'c'], shared(1, none)),
    ['a'],
    0.3333,
    1,
  ],
  ['behaviour 3.3, 1', 'right', question('mcq', ['0'], { score: 1 }), ['0'], 1, 1],
  ['behaviour 3.3, 2', 'A B C', mcq(exact), ['A', 'B', 'C'], 3, 3],
  ['behaviour 3.3, 2', 'A B C D', mcq(exact), ['A', 'B', 'C', 'D'], 0, 3],
  ['behaviour 3.3, 2', 'A B', mcq(exact), ['A', 'B'], 0, 3],
  ['behaviour 3.3, 3', 'A B C', mcq(perResponse), ['A', 'B', 'C'], 9, 9],
  ['behaviour 3.3, 3', 'A B', mcq(perResponse), ['A', 'B'], 6, 9],
  ['behaviour 3.3, 3', 'A B C D', mcq(perResponse), ['A', 'B', 'C', 'D'], 6, 9],
  ['behaviour 3.3, 3', 'D alone', mcq(perResponse), ['D'], 0, 9],
  ['behaviour 3.3, 4', 'H', question('mcq', ['H', 'O'], shared(2)), ['H'], 1, 2],
  ['behaviour 3.3, 4', 'H O', question('mcq', ['H', 'O'], shared(2)), ['H', 'O'], 2, 2],
  ['behaviour 3.3, 4', 'He', question('mcq', ['H', 'O'], shared(2)), ['He'], 0, 2],
  ['behaviour 3.3, 5', 'one of three, rounding none', mcq(shared(1, none)), ['B'], 0.3333, 1],
  ['behaviour 3.3, 5', 'one of three, rounding floor', mcq(shared(1)), ['B'], 0, 1],
  ['behaviour 3.3', 'everything chosen, no penalty', mcq(shared(1)), ['A', 'B', 'C', 'D'], 1, 1],
];

const rows = (validation: JsonObject) => question('choicematrix', [0, 1, 1, 0], validation);
const matrix: Example[] = [
  ['behaviour 3.4, 1', 'the same', rows({ score: 1 }), [0, 1, 1, 0], 1, 1],
  ['behaviour 3.4, 1', 'the last row wrong', rows({ score: 1 }), [0, 1, 1, 1], 0, 1],
  ['behaviour 3.4, 2', 'three rows right', rows(each(1)), [0, 1, 1, 1], 3, 4],
  ['behaviour 3.4, 3', 'floor', rows(shared(2)), [0, 1, 1, 1], 1, 2],
  ['behaviour 3.4, 3', 'none', rows(shared(2, none)), [0, 1, 1, 1], 1.5, 2],
  ['behaviour 3.4, 4', 'lists against numbers', question('choicematrix', [[1], [0], [0], [1]]), [1, 0, 0, 1], 1, 1],
  ['behaviour 3.4, 4', 'numbers against lists', question('choicematrix', [1, 0, 0, 1]), [[1], [0], [0], [1]], 1, 1],
];

const cities = ['England', 'Ireland', 'France', 'United States', 'Australia'];
const match: Example[] = [
  ['behaviour 3.5, 1', 'exact', question('association', ['a', 'b', 'c']), ['a', 'b', 'c'], 1, 1],
  ['behaviour 3.5, 1', 'per response', question('association', ['a', 'b', 'c'], each(1)), ['a', 'b', 'c'], 3, 3],
  [
    'behaviour 3.5, 1',
    'divided',
    question('association', ['a', 'b', 'c'], shared(1, none)),
    ['a', 'c', 'b'],
    0.3333,
    1,
  ],
  [
    'behaviour 3.5, 2',
    'four of five',
    question('association', cities, { scoring_type: 'partialMatch' }),
    ['England', 'Ireland', 'France', 'United States', 'England'],
    4,
    5,
  ],
  ['behaviour 3.5, 3', 'floor', question('association', ['a', 'b', 'c'], shared('4')), ['a', 'b', 'a'], 2, 4],
  ['behaviour 3.5, 3', 'none', question('association', ['a', 'b', 'c'], shared('4', none)), ['a', 'b', 'a'], 2.6667, 4],
];

const threeSets = question('clozetext', ['responseone', 'responsetwo'], {
  score: 3,
  alt_responses: [
    { score: 2, value: ['otherresponseone', 'otherresponsetwo'] },
    { score: 1, value: ['anotherresponseone', 'anotherresponsetwo'] },
  ],
});
const gaps = question('clozetext', ['b', 'd'], {
  score: 6,
  alt_responses: [
    { score: 4, value: ['a', 'c'] },
    { score: 5, value: ['a', 'd'] },
    { score: 5, value: ['b', 'c'] },
  ],
});
const york = { score: 1.0, alt_responses: [{ score: 0.5, value: ['york'] }] };
const hunt = ['intruder', 'rending', 'hunting crop', 'clinked'];
const three = ['Intruder', 'rending', 'hunting crop', 'clicked'];
const typed: Example[] = [
  ['behaviour 3.6, 1', 'the second set', threeSets, ['otherresponseone', 'otherresponsetwo'], 2, 3],
  ['behaviour 3.6, 1', 'a mix', threeSets, ['responseone', 'otherresponsetwo'], 0, 3],
  ['behaviour 3.6, 2', 'both wrong', question('clozetext', ['a', 'b'], { score: 2, penalty: 1 }), ['x', 'y'], 0, 2],
  [
    'behaviour 3.6, 2',
    'both wrong, negative allowed',
    question('clozetext', ['a', 'b'], { score: 2, penalty: 1, ...NEGATIVE }),
    ['x', 'y'],
    -1,
    2,
  ],
  ['behaviour 3.6, 3', 'york', question('clozetext', ['York'], york, { case_sensitive: false }), ['york'], 1, 1],
  ['behaviour 3.6, 4', 'b c', gaps, ['b', 'c'], 5, 6],
  ['behaviour 3.6, 5', 'none', question('clozetext', ['a', 'b'], shared(1, none)), ['a', 'x'], 0.5, 1],
  ['behaviour 3.6, 5', 'floor', question('clozetext', ['a', 'b'], shared(1)), ['a', 'x'], 0, 1],
  ['behaviour 3.7, 1', 'capitals', question('clozeinlinetext', hunt), hunt.map((text) => text.toUpperCase()), 1, 1],
  ['behaviour 3.7, 1', 'three right', question('clozeinlinetext', hunt), three, 0, 1],
  ['behaviour 3.7, 2', 'divided', question('clozeinlinetext', hunt, shared(4)), three, 3, 4],
  ['behaviour 3.7, 2', 'per response', question('clozeinlinetext', hunt, each(1)), three, 3, 4],
];

const angles = ['acute', 'obtuse', 'reflex'];
const seasons = question('clozeassociation', ['spring', 'winter'], {
  ...shared(9),
  alt_responses: [
    { score: 3, value: ['winter', 'summer'] },
    { score: 5, value: ['winter', 'winter'] },
    { score: 5, value: ['summer', 'summer'] },
    { score: 7, value: ['summer', 'winter'] },
    { score: 7, value: ['spring', 'summer'] },
  ],
});
const unrounded = { ...seasons, validation: { ...(seasons['validation'] as JsonObject), ...none } };
const chosen: Example[] = [
  ['behaviour 3.8, 1', 'all', question('clozedropdown', angles), angles, 1, 1],
  ['behaviour 3.8, 1', 'two', question('clozedropdown', angles), ['acute', 'obtuse', 'obtuse'], 0, 1],
  ['behaviour 3.8, 2', 'one', question('clozedropdown', ['Now', 'York'], shared('2')), ['Now', 'Paris'], 1, 2],
  ['behaviour 3.8, 2', 'both', question('clozedropdown', ['Now', 'York'], shared('2')), ['Now', 'York'], 2, 2],
  ['behaviour 3.8, 2', 'one and null', question('clozedropdown', ['Now', 'York'], shared('2')), ['Now', null], 1, 2],
  ['behaviour 3.9, 1', 'floor', question('clozeassociation', ['winter', 'summer'], shared(3)), ['winter', 'x'], 1, 3],
  ['behaviour 3.9, 1', 'none', question('clozeassociation', ['winter', 'summer'], shared(3, none)), ['winter'], 1.5, 3],
  ['behaviour 3.9, 2', 'floor', seasons, ['winter', 'summer'], 3, 9],
  ['behaviour 3.9, 2', 'none', unrounded, ['winter', 'summer'], 3.5, 9],
];

const six = [4, 3, 5, 1, 2, 0];
const orders: Example[] = [
  ['behaviour 3.10, 1', 'two of four places', question('orderlist', [0, 1, 2, 3], each(1)), [0, 1, 3, 2], 2, 4],
  ['behaviour 3.10, 2', 'the same', question('orderlist', [2, 0, 1], { score: '1' }), [2, 0, 1], 1, 1],
  ['behaviour 3.10, 2', 'another', question('orderlist', [2, 0, 1], { score: '1' }), [2, 1, 0], 0, 1],
  ['behaviour 3.10, 3', 'all', question('orderlist', six, { scoring_type: 'partialMatch', penalty: 1 }), six, 6, 6],
  [
    'behaviour 3.10, 3',
    'two neighbours exchanged',
    question('orderlist', six, { scoring_type: 'partialMatch', penalty: 1 }),
    [4, 5, 3, 1, 2, 0],
    2,
    6,
  ],
  ['behaviour 3.10, 4', 'three of six', question('orderlist', six, shared(1, none)), [4, 3, 5, 0, 1, 2], 0.5, 1],
  [
    'behaviour 3.10, 5',
    'pairs',
    question('orderlist', [0, 1, 2, 3], { scoring_type: 'partialMatchPairwise' }),
    [1, 2, 3, 0],
    2,
    3,
  ],
];

const four = question('shorttext', 'one', {
  score: 1,
  alt_responses: [
    { score: 2, value: 'two' },
    { score: 3, value: 'three' },
    { score: 4, value: 'four' },
  ],
});
const capital = question(
  'shorttext',
  'Canbera',
  { score: 10, penalty: 0.5, min_score_if_attempted: 1 },
  { case_sensitive: true },
);
const boney = question('shorttext', 'Boney M', { score: 1, alt_responses: [{ score: 1, value: 'boneym' }] });
const texts: Example[] = [
  ['behaviour 3.11, 1', 'the answer of 1', four, 'one', 1, 4],
  ['behaviour 3.11, 1', 'the answer of 4', four, 'four', 4, 4],
  ['behaviour 3.11, 2', 'exact', capital, 'Canbera', 10, 10],
  ['behaviour 3.11, 2', 'another case', capital, 'canbera', 1, 10],
  ['behaviour 3.11, 2', 'no answer', capital, '', null, 10],
  ['behaviour 3.11, 3', 'capitals', boney, 'BONEYM', 1, 1],
  ['behaviour 3.12, 1', 'after submit', { type: 'longtext', validation: { max_score: 5 } }, 'text', null, 5],
  ['behaviour 3.12, 2', 'not attempted', { type: 'plaintext', validation: { max_score: 10 } }, null, null, 10],
  ['behaviour 3.12, 3', 'no validation', { type: 'longtext' }, 'text', null, 0],
  ['behaviour 3.14', '3.14', question('gridded', '3.14', { score: 1 }), '3.14', 1, 1],
  ['behaviour 3.14', '3.15', question('gridded', '3.14', { score: 1 }), '3.15', 0, 1],
  [
    'behaviour 3.14',
    'no value in the key',
    { type: 'gridded', validation: { scoring_type: 'exactMatch', valid_response: { score: 1 } } },
    '3.14',
    0,
    1,
  ],
];

function formula(
  method: string,
  value: string | null,
  answer: string,
  score: number,
  options: JsonObject = {},
): Example {
  const definition = question('formulaV2', [{ method, value, options }]);
  return [
    'behaviour 3.13',
    `${method} ${value ?? ''} ${JSON.stringify(options)}: ${answer}`,
    definition,
    answer,
    score,
    1,
  ];
}
const formulas: Example[] = [
  formula('equivLiteral', '1/2', '1/2', 1),
  formula('equivLiteral', '1/2', '0.5', 0),
  formula('equivLiteral', '1/2', '1 / 2', 1),
  formula('stringMatch', '1/2', '1 / 2', 0),
  formula('stringMatch', '1/2', ' 1/2 ', 1),
  formula('stringMatch', '1/2', ' 1/2 ', 0, { ignoreLeadingAndTrailingSpaces: false }),
  formula('equivSymbolic', '1/2', '0.5', 1),
  formula('equivValue', '1/2', '0.5', 1),
  formula('equivValue', '1/3', '0.33', 1, { decimalPlaces: 2 }),
  formula('equivValue', '1/3', '0.33', 0),
  formula('equivValue', '1000', '1,000', 1, { allowThousandsSeparator: true, setThousandsSeparator: [','] }),
  formula('equivValue', '1000', '1,000', 0),
  formula('equivLiteral', '1/2', '1/2', 0, { inverseResult: true }),
  formula('isTrue', null, '1+1=2', 1),
  formula('isTrue', null, '1+1=3', 0),
  formula('isSimplified', null, '1/2', 1),
  formula('isSimplified', null, '2/4', 0),
  formula('isExpanded', null, 'x^2+2x+1', 1),
  formula('isFactorised', null, '(x+1)^2', 1),
  formula('isUnit', 'cm', '5 cm', 1),
  formula('equivSymbolic', '(x+3)(x+1)', 'x^2+4x+3', 1),
  formula('equivValue', '5m', '500cm', 1),
];

const cells = [
  [1, 2, 5],
  [0, 3, 4],
];
const others: Example[] = [
  [
    'behaviour 3.15',
    'one cell right',
    question('classification', cells, each(3)),
    [
      [1, 2, 5],
      [0, 3],
    ],
    3,
    6,
  ],
  [
    'behaviour 3.15, with decision 26',
    'two elements right, one wrong: the penalty shared out',
    question('classification', [[1], [0], [2]], {
      score: 1,
      penalty: 0.5,
      scoring_type: 'partialMatchElementV2',
      rounding: 'none',
    }),
    [[1], [0], [3]],
    0.5,
    1,
  ],
];

const GUIDE = 'docs/scoring.md';
const fourParts = (validation: JsonObject) => question('clozetext', ['a', 'b', 'c', 'd'], { score: 2, ...validation });
const ana = (validation: JsonObject) => question('mcq', ['1', '2', '3', '4'], { score: 4, penalty: 2, ...validation });
const marked = ['1', '2', '3', '5'];
const rivers = (validation: JsonObject) =>
  question('clozetext', ['Thames', 'London'], {
    score: 5,
    alt_responses: [{ score: 3, value: ['Thames', 'England'] }],
    ...validation,
  });
const halves = { scoring_type: 'partialMatchV2', rounding: 'none' };
const pool = (value: Json) => question('clozetext', value, { ...each(1), match_all_possible_responses: true });
const heavyWater: JsonObject = {
  type: 'shorttext',
  validation: { scoring_type: 'exactMatch', valid_response: { value: 'heavy water', matching_rule: 'contains' } },
};
// Whale 0, bat 1, dog 2; trout 3.
const animals = (scoring_type: string) => question('classification', [[0, 1, 2], [3]], { score: 4, scoring_type });
const guide: Example[] = [
  [GUIDE, 'three of four, exact', fourParts({}), ['a', 'b', 'c', 'x'], 0, 2],
  [GUIDE, 'three of four, per response', fourParts({ scoring_type: 'partialMatch' }), ['a', 'b', 'c', 'x'], 6, 8],
  [GUIDE, 'three of four, shared', fourParts({ scoring_type: 'partialMatchV2' }), ['a', 'b', 'c', 'x'], 1, 2],
  [GUIDE, 'three of four, shared, not rounded', fourParts(halves), ['a', 'b', 'c', 'x'], 1.5, 2],
  [
    GUIDE,
    'pairs of four',
    question('orderlist', [0, 1, 2, 3], { score: 2, scoring_type: 'partialMatchPairwise' }),
    [0, 1, 2, 3],
    6,
    6,
  ],
  [GUIDE, 'Ana, exact', ana({}), marked, 0, 4],
  [GUIDE, 'Ana, exact, negative', ana(NEGATIVE), marked, -2, 4],
  [GUIDE, 'Ana, per response', ana({ scoring_type: 'partialMatch' }), marked, 10, 16],
  [GUIDE, 'Ana, shared', ana({ scoring_type: 'partialMatchV2' }), marked, 2, 4],
  [GUIDE, 'Thames, England, exact', rivers({}), ['Thames', 'England'], 3, 5],
  [GUIDE, 'Thames, England, shared', rivers(halves), ['Thames', 'England'], 3, 5],
  [GUIDE, 'Thames, Oxford, shared', rivers(halves), ['Thames', 'Oxford'], 2.5, 5],
  [GUIDE, 'rows', question('choicematrix', [[0, 1], [2]], { ...each(1), penalty: 1 }), [[0, 2], [2]], 1, 3],
  [GUIDE, 'a pool: blue, red, green', pool(['red', 'red', 'blue']), ['blue', 'red', 'green'], 2, 3],
  [GUIDE, 'a pool: blue, blue, red', pool(['red', 'red', 'blue']), ['blue', 'blue', 'red'], 2, 3],
  [GUIDE, 'D A B C', question('orderlist', [0, 1, 2, 3], { scoring_type: 'partialMatchPairwise' }), [3, 0, 1, 2], 2, 3],
  [GUIDE, 'heavy water', heavyWater, 'Use heavy water, please.', 1, 1],
  [GUIDE, 'heavy waters', heavyWater, 'heavy waters', 0, 1],
  [GUIDE, 'water, heavy', heavyWater, 'water, heavy', 0, 1],
  [GUIDE, 'zeros', question('gridded', '0.5'), '0.50', 0, 1],
  [
    GUIDE,
    'animals by cell',
    animals('partialMatch'),
    [
      [1, 2],
      [0, 3],
    ],
    0,
    8,
  ],
  [
    GUIDE,
    'animals by element',
    animals('partialMatchElement'),
    [
      [1, 2],
      [0, 3],
    ],
    12,
    16,
  ],
  [
    GUIDE,
    'animals by element, shared',
    animals('partialMatchElementV2'),
    [
      [1, 2],
      [0, 3],
    ],
    3,
    4,
  ],
];

describe('worked examples', () => {
  it.each([...choice, ...matrix, ...match, ...typed, ...chosen, ...orders, ...texts, ...formulas, ...others, ...guide])(
    'earn the points by %s for: %s',
    (_, __, definition, value, expected, maximum) => {
      const result = score(definition, { value });
      expect([result.score, result.maxScore]).toEqual([expected, maximum]);
    },
  );
});

describe('items', () => {
  // A question of 10 points: right, partly right, wrong.
  const [right, partly, wrong] = [10, 5, 0].map((score) => ({ score, maxScore: 10, attempted: true }));
  const pairs: [string, (typeof right)[], number, number, number][] = [
    ['right and partly', [right, partly], 15, 0, 15],
    ['partly and right', [partly, right], 15, 0, 5],
    ['right and right', [right, right], 20, 20, 20],
    ['wrong and right', [wrong, right], 10, 0, 0],
  ];
  it.each(pairs)(
    'have the scores of behaviour 4 for questions that are %s',
    (_, questions, perQuestion, dichotomous, dependent) => {
      const scores = (['per-question', 'dichotomous', 'dependent'] as const).map((type) =>
        scoreItem(type, questions as NonNullable<typeof right>[]),
      );
      expect(scores.map((item) => item.score)).toEqual([perQuestion, dichotomous, dependent]);
      expect(scores.map((item) => item.maxScore)).toEqual([20, 20, 20]);
    },
  );

  it('have the scores of docs/scoring.md for questions with 4, 1 of 2 and 6 points', () => {
    const questions = [
      { score: 4, maxScore: 4, attempted: true },
      { score: 1, maxScore: 2, attempted: true },
      { score: 6, maxScore: 6, attempted: true },
    ];
    const scores = (['per-question', 'dichotomous', 'dependent'] as const).map(
      (type) => scoreItem(type, questions).score,
    );
    expect(scores).toEqual([11, 0, 5]);
  });

  const one = (score: number) => ({ score, maxScore: 1, attempted: true });
  it.each([
    ['both right', [one(1), one(1)], 2],
    ['only A', [one(1), one(0)], 1],
    ['A wrong and B right', [one(0), one(1)], 0],
    ['neither right', [one(0), one(0)], 0],
  ])('have the dependent score of behaviour 4 for: %s', (_, questions, expected) => {
    expect(scoreItem('dependent', questions).score).toBe(expected);
  });
});
