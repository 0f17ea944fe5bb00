import { matchFormula, type FormulaRule } from './index';

type Case = [method: string, value: string, response: string, matches: boolean, options?: FormulaRule['options']];

/** The worked cases of the published material on this question type. */
const CASES: Case[] = [
  ['equivLiteral', '1/2', '1/2', true],
  ['equivLiteral', '1/2', '0.5', false],
  ['equivLiteral', '1/2', '1 / 2', true],
  ['stringMatch', '1/2', '1 / 2', false],
  ['stringMatch', '1/2', ' 1/2 ', true],
  ['stringMatch', '1/2', ' 1/2 ', false, { ignoreLeadingAndTrailingSpaces: false }],
  ['equivSymbolic', '1/2', '0.5', true],
  ['equivValue', '1/2', '0.5', true],
  ['equivValue', '1/3', '0.33', true, { decimalPlaces: 2 }],
  ['equivValue', '1/3', '0.33', false],
  ['equivValue', '1000', '1,000', true, { allowThousandsSeparator: true, setThousandsSeparator: [','] }],
  ['equivValue', '1000', '1,000', false],
  ['equivLiteral', '1/2', '1/2', false, { inverseResult: true }],
  ['isTrue', '', '1+1=2', true],
  ['isTrue', '', '1+1=3', false],
  ['isSimplified', '', '1/2', true],
  ['isSimplified', '', '2/4', false],
  ['isExpanded', '', 'x^2+2x+1', true],
  ['isFactorised', '', '(x+1)^2', true],
  ['isUnit', 'cm', '5 cm', true],
  ['equivSymbolic', '(x+3)(x+1)', 'x^2+4x+3', true],
  ['equivValue', '5m', '500cm', true],
  // equivLiteral ignores spaces, needless brackets, leading zeros, a leading plus and the multiplication sign.
  ['equivLiteral', '2x+1', ' 2 x + 1 ', true],
  ['equivLiteral', '2x+1', '(2x)+1', true],
  ['equivLiteral', '5', '005', true],
  ['equivLiteral', '5', '+5', true],
  ['equivLiteral', '2\\times 3', '2\\cdot 3', true],
];

describe('behaviour 3.13', () => {
  test.each(CASES)('holds for %s of %j, answered %j: %s', (...[method, value, response, matches, options]) => {
    expect(matchFormula({ method, value, options }, response)).toMatchObject({ matches });
  });

  it('uses equivSymbolic when the method is absent, and accepts nothing under an unknown method', () => {
    for (const method of [undefined, null, ''])
      expect(matchFormula({ method, value: 'x+1' }, '1+x').matches).toBe(true);
    expect(matchFormula({ method: 'equivSymbols', value: 'x' }, 'x').matches).toBe(false);
    expect(matchFormula({ method: 'equivSymbols', value: 'x', options: { inverseResult: true } }, 'x').matches).toBe(
      false,
    );
  });

  it('ignores unknown options, and ignoreOrder', () => {
    expect(
      matchFormula({ method: 'equivLiteral', value: 'x+1', options: { ignoreOrder: true, colour: 'red' } }, '1+x')
        .matches,
    ).toBe(false);
  });

  it('accepts a number instead of its text', () => {
    expect(matchFormula({ method: 'equivLiteral', value: 42 }, '42').matches).toBe(true);
    expect(matchFormula({ method: 'equivLiteral', value: 42 }, '43').matches).toBe(false);
  });

  let read = 0;

  it("accepts an author's decimal point even when the separator is another", () => {
    const options = { setDecimalSeparator: ',' };
    // Formulas are cached once they are read, so each case needs a new letter.
    const letter = `x_{${(read += 1)}}`;
    expect(matchFormula({ value: `3.5${letter}`, options }, `3,5${letter}`).matches).toBe(true);
    expect(matchFormula({ value: `4,5${letter}`, options }, `\\frac{9}{2}${letter}`).matches).toBe(true);
    expect(matchFormula({ value: `5.5${letter}+`, options }, letter).matches).toBe(null);
  });

  it('scores the public sample question', () => {
    const rule = {
      method: 'equivSymbolic',
      value: '0.5+0.25+0.25=1.0',
      options: { inverseResult: false, decimalPlaces: 10 },
    };
    expect(matchFormula(rule, '0.5+0.25+0.25=1').matches).toBe(true);
    expect(matchFormula(rule, '0.5+0.25+0.25=2').matches).toBe(false);
    expect(matchFormula(rule, '\\frac{1}{2}+\\frac{1}{4}+\\frac{1}{4}=\\frac{1}{1}').matches).toBe(true);
  });
});
