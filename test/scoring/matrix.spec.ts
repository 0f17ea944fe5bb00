import { D26, NEGATIVE, OWN, question, scored } from './cases';

describe('choicematrix', () => {
  scored('one cell a row, exact', question('choicematrix', [0, 1, 1], { score: 2 }), 2, [
    [D26, 'all right', [0, 1, 1], 2],
    ['behaviour 3.4, 4', 'all right, as lists', [[0], [1], [1]], 2],
    [OWN, 'positions as texts', ['0', '1', '1'], 2],
    [D26, 'one wrong', [0, 1, 0], 0],
    [D26, 'one empty', [0, null, 1], 0],
    [D26, 'one empty, as list', [[0], [], [1]], 0],
    [OWN, 'a second cell beside the right one', [[0, 1], [1], [1]], 0],
    [OWN, 'a row too many', [0, 1, 1, 0], 0],
    [D26, 'none', [[], [], []], null],
    [D26, 'nulls', [null, null, null], null],
    [D26, 'no entry', [], null],
    [D26, 'no value', null, null],
    [D26, 'no response', undefined, null],
    [OWN, 'another form', { rows: [0] }, 0],
    [OWN, 'a cell that is an object', [{ column: 0 }, 1, 1], 0],
  ]);
  scored('penalty 1, negative', question('choicematrix', [[0], [1]], { score: 2, penalty: 1, ...NEGATIVE }), 2, [
    [D26, 'two wrong: once', [[1], [0]], -1],
    [D26, 'one empty is not wrong', [[0], []], 0],
  ]);
  const byPart = { scoring_type: 'partialMatch', score: 2, penalty: 1 };
  scored('by part, penalty 1', question('choicematrix', [[0], [1], [2]], byPart), 6, [
    [D26, 'all right', [[0], [1], [2]], 6],
    [D26, 'one wrong: one part', [[0], [1], [0]], 3],
    [D26, 'one empty', [[0], [1], []], 4],
    [D26, 'a second cell beside the right one', [[0, 1], [1], [2]], 5],
    [D26, 'two wrong cells in place of one', [[1, 2], [1], [2]], 2],
  ]);
  scored('by part, penalty 1, negative', question('choicematrix', [[0], [1]], { ...byPart, ...NEGATIVE }), 4, [
    [D26, 'both wrong', [[1], [0]], -2],
  ]);
  const several = question('choicematrix', [[0, 1], [2], []], { scoring_type: 'partialMatch', score: 1, penalty: 1 });
  scored('several cells a row, by part, penalty 1', several, 3, [
    [D26, 'all right', [[1, 0], [2], []], 3],
    [D26, 'one of two', [[0], [2], []], 2],
    [D26, 'one right, one wrong', [[0, 2], [2], []], 1],
    [D26, 'a cell in a row that asks for none', [[0, 1], [2], [0]], 2],
    [D26, 'a cell twice is once', [[0, 0, 1], [2], []], 3],
    [D26, 'a wrong cell twice is once', [[0, 1, 2, 2], [2], []], 2],
  ]);
  scored('several cells a row, exact', question('choicematrix', [[0, 1], [2], []], { score: 3 }), 3, [
    [D26, 'all right', [[0, 1], [2], []], 3],
    [D26, 'the last row left out', [[0, 1], [2]], 3],
    [D26, 'one of two', [[0], [2], []], 0],
  ]);
  scored('a cell twice in the key', question('choicematrix', [[1, '1'], [0]], { scoring_type: 'partialMatchV2' }), 1, [
    [D26, 'is one part: all right', [[1], [0]], 1],
  ]);
  const shared = { scoring_type: 'partialMatchV2', score: 2 };
  scored('shared', question('choicematrix', [[0, 1], [2], [0]], shared), 2, [
    [D26, 'three of four cells: 1.5 down', [[0, 1], [2], [1]], 1],
    [D26, 'all', [[0, 1], [2], [0]], 2],
  ]);
  const none = { ...shared, rounding: 'none', penalty: 1 };
  scored('shared, not rounded, penalty 1', question('choicematrix', [[0, 1], [2], [0]], none), 2, [
    [D26, 'three right, one wrong: (6 - 1) / 4', [[0, 1], [2], [1]], 1.25],
    [D26, 'three right, one empty: 6 / 4', [[0, 1], [2], null], 1.5],
    [D26, 'one right, two wrong: (2 - 2) / 4', [[0], [1], [1]], 0],
  ]);
  const alternates = { score: 2, alt_responses: [{ score: 1, value: [1, 0] }] };
  scored('alternates', question('choicematrix', [[0], [1]], alternates), 2, [
    [D26, 'the valid one', [0, 1], 2],
    [D26, 'the alternate', [[1], [0]], 1],
    [D26, 'half of each', [[1], [1]], 0],
  ]);
  scored('at least 1', question('choicematrix', [0], { score: 2, min_score_if_attempted: 1 }), 2, [
    [D26, 'wrong', [1], 1],
    [D26, 'empty', [[]], null],
  ]);
  scored('unscored', question('choicematrix', [0], { unscored: true }), 0, [[D26, 'no score', [0], null]]);
});
