import type { Json, JsonObject } from '#kernel';
import { isFormulaType, score, SCORED_TYPES } from '#scoring';
import { D26, NEGATIVE, OWN, question, scored } from './cases';

// Other tests cover the comparison of formulas; these cover the points for its results.
const literally = (value: string, options: JsonObject = {}): JsonObject => ({ method: 'equivLiteral', value, options });
const byValue = (value: string): JsonObject => ({ method: 'equivValue', value, options: {} });
const B313 = 'behaviour 3.13';

describe('formulaV2', () => {
  scored('one rule', question('formulaV2', [literally('1/2')], { score: 2 }), 2, [
    [B313, 'as it is', '1/2', 2],
    [B313, 'with spaces', '1 / 2', 2],
    [B313, 'another form', '0.5', 0],
    [B313, 'another value', '1/3', 0],
    ['decision 27', 'does not parse', '\\frac{1', 0],
    [D26, 'empty', '', null],
    [D26, 'blanks', '  ', null],
    [D26, 'no value', null, null],
    [D26, 'no response', undefined, null],
    [OWN, 'alone in a list', ['1/2'], 2],
    [OWN, 'two of them', ['1/2', '1/2'], 0],
    [OWN, 'another kind of value', { latex: '1/2' }, 0],
    [OWN, 'a list in a list', [['1/2']], 0],
    [OWN, 'an empty list', [], null],
  ]);
  it('rejects a list in a list', () => {
    const { reasons } = score(question('formulaV2', [byValue('2')]), { value: [['2']] });
    expect(reasons.outcome).toBe('unreadable');
  });
  scored('texts as rules', question('formulaV2', ['x+1', ' ', null, 7]), 1, [
    [B313, 'by equivSymbolic', '1+x', 1],
    [B313, 'another', 'x+2', 0],
  ]);
  scored('a number as response', question('formulaV2', [byValue('42')]), 1, [[OWN, 'is its text', 42, 1]]);
  const both = [byValue('1/2'), { method: 'isSimplified', value: null }];
  scored('two rules', question('formulaV2', both), 1, [
    [B313, 'both hold', '1/2', 1],
    [B313, 'only the first', '2/4', 0],
    [B313, 'only the second', '1/3', 0],
  ]);
  scored('penalty 1, negative', question('formulaV2', [byValue('3')], { score: 2, penalty: 1, ...NEGATIVE }), 2, [
    [D26, 'right', '3', 2],
    [D26, 'wrong', '4', -1],
    [D26, 'empty', '', null],
  ]);
  scored('at least 1', question('formulaV2', [byValue('3')], { score: 2, min_score_if_attempted: 1 }), 2, [
    [D26, 'wrong', '4', 1],
    [D26, 'right', '3', 2],
  ]);
  const alternates = { score: 2, alt_responses: [{ score: 1, value: [byValue('1/2')] }] };
  scored('alternates', question('formulaV2', [literally('1/2')], alternates), 2, [
    [D26, 'the valid one', '1/2', 2],
    [D26, 'the alternate', '0.5', 1],
    [D26, 'neither', '0.4', 0],
  ]);
  scored('the opposite', question('formulaV2', [literally('1/2', { inverseResult: true })]), 1, [
    [B313, 'the same', '1/2', 0],
    [B313, 'another', '3', 1],
  ]);
  scored('no rule', question('formulaV2', []), 1, [[OWN, 'nothing can be right', '1/2', 0]]);
  scored('a rule that stands alone', question('formulaV2', literally('1/2')), 1, [[OWN, 'is read', '1/2', 1]]);
  scored('another scoring type', question('formulaV2', [byValue('3')], { scoring_type: 'partialMatch', score: 2 }), 2, [
    [B313, 'is exactMatch', '3', 2],
  ]);
  scored('unscored', question('formulaV2', [byValue('3')], { unscored: true }), 0, [[D26, 'no score', '3', null]]);
  scored('a person scores', question('formulaV2', [byValue('3')], { automarkable: false, max_score: 5 }), 5, [
    [D26, 'no score', '3', null],
  ]);
});

describe.each(['clozeformula', 'clozeformulaV2'])('%s', (type) => {
  const KEY = [[byValue('2')], [byValue('3')], [literally('x')]];
  scored('exact', question(type, KEY, { score: 3 }), 3, [
    [D26, 'all right', ['2', '3', 'x'], 3],
    [D26, 'one wrong', ['2', '4', 'x'], 0],
    [D26, 'exchanged', ['3', '2', 'x'], 0],
    [D26, 'one empty', ['2', '', 'x'], 0],
    [D26, 'one missing', ['2', '3'], 0],
    [OWN, 'one more than asked for', ['2', '3', 'x', '5'], 0],
    [OWN, 'one more that is empty', ['2', '3', 'x', null], 3],
    [OWN, 'lists in lists', [[['2']], '3', 'x'], 0],
    [OWN, 'numbers', [2, 3, 'x'], 3],
    [D26, 'all empty', ['', null, ' '], null],
    [D26, 'no entry', [], null],
    [D26, 'no value', null, null],
    [D26, 'no response', undefined, null],
    [OWN, 'another kind of value', { 0: '2' }, 0],
  ]);
  scored('by part, penalty 1', question(type, KEY, { score: 2, scoring_type: 'partialMatch', penalty: 1 }), 6, [
    [D26, 'all right', ['2', '3', 'x'], 6],
    [D26, 'one right, one empty, one wrong', ['2', null, 'y'], 1],
    [D26, 'all wrong', ['5', '5', '5'], 0],
  ]);
  const negative = { score: 2, scoring_type: 'partialMatch', penalty: 1, ...NEGATIVE };
  scored('by part, penalty 1, negative', question(type, KEY, negative), 6, [[D26, 'all wrong', ['5', '5', '5'], -3]]);
  scored('shared', question(type, KEY, { score: 3, scoring_type: 'partialMatchV2' }), 3, [
    [D26, 'two of three', ['2', '3', 'y'], 2],
  ]);
  const shared = { score: 2, scoring_type: 'partialMatchV2', rounding: 'none' };
  scored('shared, not rounded', question(type, KEY, shared), 2, [
    [D26, 'one of three', ['2', null, null], 0.6667],
    [D26, 'two of three', ['2', '3', null], 1.3333],
    [D26, 'all', ['2', '3', 'x'], 2],
  ]);
  const alternates = {
    score: 3,
    alt_responses: [{ score: 1, value: [[byValue('5')], [byValue('6')], [literally('y')]] }],
  };
  scored('alternates', question(type, KEY, alternates), 3, [
    [D26, 'the alternate', ['5', '6', 'y'], 1],
    [D26, 'half of each', ['2', '6', 'y'], 0],
  ]);
  scored('two rules for a blank', question(type, [[byValue('1/2'), { method: 'isSimplified' }]]), 1, [
    [B313, 'both hold', ['1/2'], 1],
    [B313, 'one holds', ['2/4'], 0],
  ]);
  scored(
    'a blank with an empty accepted answer',
    question(type, [[byValue('2')], []], { scoring_type: 'partialMatch', penalty: 0.5 }),
    1,
    [
      [OWN, 'is not a part', ['2', null], 1],
      [OWN, 'filled: wrong', ['2', '3'], 0.5],
    ],
  );
});

it('formula types are the types that compare formulas', () => {
  expect(SCORED_TYPES.filter(isFormulaType)).toEqual(['formulaV2', 'clozeformula', 'clozeformulaV2']);
  expect(['formula', 'longtext', ''].some(isFormulaType)).toBe(false);
});

it('reasons of formulas name the failed rule and why it failed', () => {
  const definition = question('clozeformula', [[byValue('2'), literally('1+1')], [byValue('3')]]);
  const [first, second] = score(definition, { value: ['2', ''] }).reasons.parts;
  expect(first).toMatchObject({ at: 0, verdict: 'wrong', given: '2', accepted: ['equivValue 2', 'equivLiteral 1+1'] });
  expect(first!.note).toMatch(/\S/);
  expect(second).toEqual({ at: 1, verdict: 'empty', given: null, accepted: 'equivValue 3', points: null });
});

describe('a formula that cannot be compared', () => {
  // It has too many digits to be compared.
  const huge = '1'.repeat(5000) + '+x';
  const at = (value: Json, validation: JsonObject = {}, type = 'formulaV2') => question(type, value, validation);

  it('has no score, and a reason', () => {
    const result = score(at([byValue('x')]), { value: huge });
    expect(result).toMatchObject({ score: null, attempted: true, isValid: null, maxScore: 1 });
    expect(result.reasons.outcome).toBe('undecided');
    expect(result.reasons.message).toContain('is longer than 2000 characters');
  });

  it('does not matter when the score does not depend on it', () => {
    const definition = at([[byValue('x')], [byValue('2')]], { score: 3 }, 'clozeformula');
    expect(score(definition, { value: [huge, '5'] })).toMatchObject({ score: 0, reasons: { outcome: 'scored' } });
    expect(score(definition, { value: [huge, '2'] })).toMatchObject({ score: null, reasons: { outcome: 'undecided' } });
  });
});
