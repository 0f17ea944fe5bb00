import { D26, NEGATIVE, OWN, question, scored } from './cases';

const KEY = [
  [1, 2, 5],
  [0, 3],
];

describe('classification', () => {
  scored('exact', question('classification', KEY, { score: 3 }), 3, [
    [D26, 'all right', KEY, 3],
    [
      OWN,
      'in another order within the cells',
      [
        [5, 1, 2],
        [3, 0],
      ],
      3,
    ],
    [
      OWN,
      'positions as texts',
      [
        ['1', '2', '5'],
        ['0', '3'],
      ],
      3,
    ],
    [
      D26,
      'one missing',
      [
        [1, 2],
        [0, 3],
      ],
      0,
    ],
    [
      D26,
      'one in the wrong cell',
      [
        [1, 2],
        [0, 3, 5],
      ],
      0,
    ],
    [D26, 'one cell empty', [[1, 2, 5], []], 0],
    [OWN, 'a cell too many, empty', [[1, 2, 5], [0, 3], []], 3],
    [OWN, 'a cell too many, filled', [[1, 2, 5], [0, 3], [4]], 0],
    [D26, 'all empty', [[], []], null],
    [D26, 'no entry', [], null],
    [D26, 'no value', null, null],
    [D26, 'no response', undefined, null],
    [OWN, 'another form', { cells: [] }, 0],
    [OWN, 'lists within cells', [[[1]], [0]], 0],
  ]);
  scored('exact, penalty 1, negative', question('classification', KEY, { score: 3, penalty: 1, ...NEGATIVE }), 3, [
    [D26, 'both cells wrong: once', [[0], [1]], -1],
    [D26, 'a cell that is empty is not wrong', [[1, 2, 5], []], 0],
  ]);
  const byCell = { score: 3, scoring_type: 'partialMatch', penalty: 1 };
  scored('by cell, penalty 1', question('classification', KEY, byCell), 6, [
    [D26, 'both', KEY, 6],
    [D26, 'one right, one empty', [[1, 2, 5], []], 3],
    [D26, 'one right, one wrong', [[1, 2, 5], [0]], 2],
    [D26, 'both wrong', [[1], [0]], 0],
  ]);
  scored('by cell, penalty 1, negative', question('classification', KEY, { ...byCell, ...NEGATIVE }), 6, [
    [D26, 'both wrong', [[1], [0]], -2],
  ]);
  scored('cells, shared', question('classification', KEY, { score: 3, scoring_type: 'partialMatchV2' }), 3, [
    [D26, 'one of two: 1.5 down', [[1, 2, 5], []], 1],
    [D26, 'both', KEY, 3],
  ]);
  const sharedCells = { score: 3, scoring_type: 'partialMatchV2', rounding: 'none', penalty: 1 };
  scored('cells, shared, not rounded, penalty 1', question('classification', KEY, sharedCells), 3, [
    [D26, 'one right, one empty', [[1, 2, 5], []], 1.5],
    [D26, 'one right, one wrong: (3 - 1) / 2', [[1, 2, 5], [0]], 1],
  ]);
  const byElement = { score: 2, scoring_type: 'partialMatchElement', penalty: 1 };
  scored('by element, penalty 1', question('classification', KEY, byElement), 10, [
    [D26, 'all', KEY, 10],
    [
      D26,
      'one missing',
      [
        [1, 2],
        [0, 3],
      ],
      8,
    ],
    [
      D26,
      'one in the wrong cell',
      [
        [1, 2],
        [0, 3, 5],
      ],
      7,
    ],
    [
      D26,
      'one that belongs nowhere',
      [
        [1, 2, 5, 4],
        [0, 3],
      ],
      9,
    ],
    [
      D26,
      'all exchanged: never below 0',
      [
        [0, 3],
        [1, 2, 5],
      ],
      0,
    ],
  ]);
  scored('by element, penalty 1, negative', question('classification', KEY, { ...byElement, ...NEGATIVE }), 10, [
    [
      D26,
      'all exchanged',
      [
        [0, 3],
        [1, 2, 5],
      ],
      -5,
    ],
  ]);
  scored('elements, shared', question('classification', KEY, { score: 4, scoring_type: 'partialMatchElementV2' }), 4, [
    [
      D26,
      'four of five: 3.2 down',
      [
        [1, 2],
        [0, 3],
      ],
      3,
    ],
    [D26, 'all', KEY, 4],
  ]);
  const sharedElements = { score: 4, scoring_type: 'partialMatchElementV2', rounding: 'none', penalty: 2 };
  scored('elements, shared, not rounded, penalty 2', question('classification', KEY, sharedElements), 4, [
    [
      D26,
      'four right: 16 / 5',
      [
        [1, 2],
        [0, 3],
      ],
      3.2,
    ],
    [
      D26,
      'four right, one wrong: (16 - 2) / 5',
      [
        [1, 2],
        [0, 3, 5],
      ],
      2.8,
    ],
  ]);
  const repeated = { scoring_type: 'partialMatchElement' };
  scored('the same response in both cells', question('classification', [[0, 1], [0]], repeated), 3, [
    [OWN, 'all', [[1, 0], [0]], 3],
    [OWN, 'twice in one cell', [[0, 0], [0]], 2],
  ]);
  const alternates = { score: 3, alt_responses: [{ score: 1, value: [[0], [1]] }] };
  scored('alternates', question('classification', [[1], [0]], alternates), 3, [
    [D26, 'the alternate', [[0], [1]], 1],
    [D26, 'the valid one', [['1'], ['0']], 3],
  ]);
  scored('a cell that stays empty', question('classification', [[1], []], { scoring_type: 'partialMatch' }), 1, [
    [OWN, 'is not a part', [[1], []], 1],
    [OWN, 'something in it', [[1], [0]], 1],
  ]);
  scored('unscored', question('classification', KEY, { unscored: true }), 0, [[D26, 'no score', KEY, null]]);
});
