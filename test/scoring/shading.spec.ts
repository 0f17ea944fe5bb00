import { D26, NEGATIVE, OWN, question, scored } from './cases';

const byCount = (value: number | string) => ({ method: 'byCount', value });
const CELLS = [
  [0, 1],
  [0, 2],
  [1, 1],
];
const KEY = { method: 'byLocation', value: CELLS };
const B315 = 'behaviour 3.15';

describe('simpleshading', () => {
  scored('as many', question('simpleshading', byCount(2), { score: 3 }), 3, [
    [
      B315,
      'two cells',
      [
        [0, 0],
        [0, 5],
      ],
      3,
    ],
    [
      B315,
      'two others',
      [
        [3, 1],
        [2, 2],
      ],
      3,
    ],
    [D26, 'one', [[0, 0]], 0],
    [D26, 'three', CELLS, 0],
    [
      OWN,
      'a cell twice is once',
      [
        [0, 0],
        [0, 0],
      ],
      0,
    ],
    [OWN, 'a number of cells', 2, 3],
    [OWN, 'in an object', byCount(2), 3],
    [
      OWN,
      'cells in an object',
      {
        method: 'byLocation',
        value: [
          [0, 0],
          [1, 0],
        ],
      },
      3,
    ],
    [D26, 'none', [], null],
    [D26, 'none, as number', 0, null],
    [D26, 'no value', null, null],
    [D26, 'no response', undefined, null],
    [OWN, 'another form', 'two', 0],
  ]);
  scored(
    'as many, as text, penalty 1, negative',
    question('simpleshading', byCount('2'), { penalty: 1, ...NEGATIVE }),
    1,
    [
      [
        OWN,
        'right',
        [
          [0, 0],
          [0, 1],
        ],
        1,
      ],
      [D26, 'wrong', [[0, 0]], -1],
    ],
  );
  const sharedCount = { scoring_type: 'partialMatchV2', score: 4, rounding: 'none' };
  scored('as many, shared', question('simpleshading', byCount(2), sharedCount), 4, [
    [OWN, 'is one part: one of two', [[0, 0]], 0],
    [
      OWN,
      'right',
      [
        [0, 0],
        [0, 1],
      ],
      4,
    ],
  ]);
  scored('where, exact', question('simpleshading', KEY, { score: 3 }), 3, [
    [B315, 'all', CELLS, 3],
    [
      OWN,
      'in another order',
      [
        [1, 1],
        [0, 1],
        [0, 2],
      ],
      3,
    ],
    [OWN, 'cells as texts', ['0,1', '0,2', '1,1'], 3],
    [
      OWN,
      'numbers as texts',
      [
        ['0', '1'],
        ['0', '2'],
        ['1', '1'],
      ],
      3,
    ],
    [
      D26,
      'one missing',
      [
        [0, 1],
        [0, 2],
      ],
      0,
    ],
    [D26, 'one too many', [...CELLS, [5, 5]], 0],
    [
      D26,
      'row and column exchanged',
      [
        [1, 0],
        [2, 0],
        [1, 1],
      ],
      0,
    ],
    [OWN, 'a number does not say where', 3, 0],
    [OWN, 'cells of another form', [{ x: 0, y: 1 }], 0],
  ]);
  scored('as many as the listed cells', question('simpleshading', { method: 'byCount', value: CELLS }), 1, [
    [
      OWN,
      'others',
      [
        [7, 1],
        [7, 2],
        [7, 3],
      ],
      1,
    ],
    [
      OWN,
      'fewer',
      [
        [0, 1],
        [0, 2],
      ],
      0,
    ],
  ]);
  scored('where, penalty 1, negative', question('simpleshading', KEY, { penalty: 1, ...NEGATIVE }), 1, [
    [OWN, 'a number does not say where', 3, -1],
    [
      D26,
      'one missing',
      [
        [0, 1],
        [0, 2],
      ],
      0,
    ],
  ]);
  const shared = { scoring_type: 'partialMatchV2', score: 3, penalty: 3 };
  scored('where, shared, penalty 3', question('simpleshading', KEY, shared), 3, [
    [
      D26,
      'two of three',
      [
        [0, 1],
        [0, 2],
      ],
      2,
    ],
    [
      D26,
      'two right, one wrong: (6 - 3) / 3',
      [
        [0, 1],
        [0, 2],
        [7, 7],
      ],
      1,
    ],
    [D26, 'all wrong', [[7, 7]], 0],
  ]);
  scored('another scoring type', question('simpleshading', KEY, { scoring_type: 'partialMatch', score: 3 }), 3, [
    [
      B315,
      'is exactMatch',
      [
        [0, 1],
        [0, 2],
      ],
      0,
    ],
  ]);
  const alternates = { score: 1, alt_responses: [{ score: 2, value: { method: 'byLocation', value: [[0, 0]] } }] };
  scored('alternates', question('simpleshading', byCount(2), alternates), 2, [
    [D26, 'the alternate', [[0, 0]], 2],
    [
      D26,
      'the valid one',
      [
        [0, 0],
        [4, 4],
      ],
      1,
    ],
  ]);
  scored('unscored', question('simpleshading', KEY, { unscored: true }), 0, [[D26, 'no score', CELLS, null]]);
});
