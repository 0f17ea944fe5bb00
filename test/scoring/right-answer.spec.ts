import { rightAnswer } from '#scoring';

const rule = (method: string, value?: string, options = {}) => ({ method, value, options });

describe('the right answer', () => {
  it.each([
    ['is the valid response', 'mcq', { valid_response: { value: ['a'] }, alt_responses: [{ value: ['b'] }] }, ['a']],
    [
      'is an alternate that gives more points',
      'shorttext',
      { valid_response: { score: 1, value: 'red' }, alt_responses: [{ score: '3', value: 'crimson' }] },
      'crimson',
    ],
    [
      'is the longest answer when each part gives points',
      'mcq',
      { scoring_type: 'partialMatch', valid_response: { value: ['a'] }, alt_responses: [{ value: ['a', 'b'] }] },
      ['a', 'b'],
    ],
    [
      'is an alternate of an empty response',
      'mcq',
      { valid_response: { value: [] }, alt_responses: [{ value: ['b'] }] },
      ['b'],
    ],
    [
      'is the best of the single answers',
      'shorttext',
      {
        valid_responses: [
          { value: 'a', score: 1 },
          { value: 'b', score: 2 },
        ],
      },
      'b',
    ],
    [
      'has the choices that give points',
      'mcq',
      { valid_responses: [[{ value: 'b', score: 0 }], [{ value: 'a', score: 2 }]], partial_scoring: true },
      ['a'],
      { multiple_responses: true },
    ],
    [
      'has the text of a blank that gives the most points',
      'clozetext',
      {
        valid_responses: [
          [
            { value: 'x', score: 1 },
            { value: 'y', score: 2 },
          ],
          [{ value: 'z', score: 0 }],
        ],
        partial_scoring: true,
      },
      ['y', null],
    ],
    [
      'is the value of a rule',
      'formulaV2',
      { valid_response: { value: [rule('isSimplified'), rule('equivValue', '6')] } },
      '6',
    ],
    [
      'is no value that is refused',
      'formulaV2',
      { valid_response: { value: [rule('equivValue', '0', { inverseResult: true }), rule('equivSymbolic', '2x')] } },
      '2x',
    ],
    [
      'is no unit',
      'formulaV2',
      { valid_response: { value: [rule('isUnit', 'cm,m'), rule('equivValue', '5cm')] } },
      '5cm',
    ],
    [
      'has a formula for each blank that names one',
      'clozeformula',
      { valid_response: { value: [[rule('isUnit', 'cm')], [rule('equivValue', '2')]] } },
      [null, '2'],
    ],
    [
      'is unknown when rules only require a form',
      'clozeformulaV2',
      { valid_response: { value: [[rule('isExpanded')]] } },
      undefined,
    ],
    ['is unknown without validation', 'mcq', undefined, undefined],
    ['is known when a person scores', 'mcq', { automarkable: false, valid_response: { value: ['a'] } }, ['a']],
  ])('%s (%s)', (_, type, validation, right, more: object = {}) => {
    expect(rightAnswer({ type, ...more, ...(validation ? { validation } : {}) } as never)).toEqual(right);
  });
});
