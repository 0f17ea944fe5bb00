import { FORMULA_METHODS, type FormulaRule, matchFormula } from './index';
import { LIMITS } from './limits';

const times = (count: number, text: string) => text.repeat(count);
const nested = (depth: number, open: string, inner: string, close: string) =>
  times(depth, open) + inner + times(depth, close);

/** Each formula is short and extremely costly to calculate, or was once slow in some engine. */
const HOSTILE: Record<string, string> = {
  'a tower of powers': '10^{10^{10}}',
  'a higher tower of powers': '9^{9^{9^{9^{9}}}}',
  'a power of a sum': '(a+b+c+d+e+f+g+h)^{1000000}',
  'powers of powers': nested(30, '(', 'x+1', ')^{9}'),
  'factorials of factorials': '9!!!!!!!!!!!!',
  'a factorial of a large number': '99999999999999!',
  'a binomial coefficient of large numbers': '\\binom{10^{90}}{10^{89}}',
  'many brackets': nested(900, '(', '1', ')'),
  'many braces': nested(900, '{', '1', '}'),
  'brackets that are not closed': times(1900, '('),
  'many roots': nested(190, '\\sqrt{', '2', '}'),
  'many fractions': nested(35, '\\frac{1}{1+', 'x', '}'),
  'many signs': times(1900, '-') + '1',
  'many absolute values': times(1900, '|'),
  'many functions': times(180, '\\sin ') + 'x',
  'a long number': times(1900, '9'),
  'a long sum': times(900, 'x+') + 'x',
  'a long product': times(140, '(x+1)'),
  'a sum of long fractions': Array.from(
    { length: 18 },
    (_, at) => `\\frac{${times(95, '7')}${at}}{${times(95, '3')}${at}}`,
  ).join('+'),
  'many letters': Array.from({ length: 200 }, (_, at) => `x_{${at}}`).join('+'),
  'a polynomial of many letters': '(a+b+c+d+f+g+h+j)^{12}',
  'a polynomial of a high degree': '(x^{12}+x^{11}+3)(x-1)',
  'a polynomial of large coefficients': `x^{12}+${times(90, '9')}x^6+${times(90, '7')}`,
  'separators without end': times(900, '1,'),
  'letters like units': times(1900, 'm') + 'q',
  'texts without end': times(300, '\\text{'),
  'a recurring decimal of a high period': `0.\\overline{${times(90, '1234567890').slice(0, 90)}}`,
  'a trigonometric function of a large number': '\\sin(10^{80})+\\tan(10^{300})',
  'an equation without a solution in reach': 'e^{e^{x}}=10^{-50}',
  'a text that is too long to read': times(100_000, 'x+1'),
};

describe('hostile formulas', () => {
  test.each(Object.entries(HOSTILE))('end in bounded time: %s', (_, text) => {
    for (const method of FORMULA_METHODS) {
      const rules: FormulaRule[] = [
        { method, value: text, options: { syntax: text } },
        { method, value: 'x^2+1', options: {} },
        { method, value: 'x=1', options: { allowInterval: true, ignoreCoefficientOne: true } },
      ];
      for (const rule of rules) {
        for (const response of [text, `${text}+1`, `x=${text}`, '5 cm'])
          expect(matchFormula(rule, response).reason).not.toBe('');
      }
    }
  });

  it('are undecided when longer, deeper or larger than the limits', () => {
    for (const text of [
      times(LIMITS.length, 'x') + 'x',
      nested(LIMITS.nesting + 1, '(', '1', ')'),
      times(LIMITS.digits, '9') + '9',
      times(LIMITS.nodes, 'x+') + 'x',
      Array.from({ length: LIMITS.variables + 1 }, (_, at) => `x_{${at}}`).join('+'),
    ]) {
      expect(matchFormula({ method: 'equivSymbolic', value: '1' }, text).matches).toBeNull();
      expect(matchFormula({ method: 'equivSymbolic', value: text }, '1').matches).toBeNull();
    }
  });

  it('are decided just within the limits', () => {
    for (const text of [
      nested(LIMITS.nesting - 2, '(', '1', ')'),
      times(LIMITS.digits, '9'),
      times(LIMITS.nodes / 2, 'x+') + 'x',
      Array.from({ length: LIMITS.variables }, (_, at) => `x_{${at}}`).join('+'),
    ]) {
      expect(matchFormula({ method: 'equivSymbolic', value: text }, `1\\cdot(${text})`).matches).toBe(true);
    }
  });
});
