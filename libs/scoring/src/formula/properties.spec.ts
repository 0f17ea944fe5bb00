import fc from 'fast-check';
import { FORMULA_METHODS, matchFormula } from './index';
import { anyCharacter } from '../../../../test/support/any-character';

const RUNS = { numRuns: 200 };

const letter = fc.constantFrom('a', 'b', 'x', 'y', '\\alpha', 'x_1');
const number = fc.oneof(
  fc.integer({ min: 0, max: 999 }).map(String),
  fc.tuple(fc.nat(99), fc.nat(99)).map(([whole, decimals]) => `${whole}.${decimals}`),
);

/** Formulas as people write them. They never divide by letters, so all of them have values. */
const formulas = (maxDepth: number, maxExponent: number) =>
  fc.letrec<{ formula: string }>((tie) => ({
    formula: fc.oneof(
      { maxDepth, depthSize: 'small', withCrossShrink: true },
      letter,
      number,
      fc.tuple(tie('formula'), tie('formula')).map(([a, b]) => `${a}+${b}`),
      fc.tuple(tie('formula'), tie('formula')).map(([a, b]) => `(${a})-(${b})`),
      fc.tuple(tie('formula'), tie('formula')).map(([a, b]) => `\\left(${a}\\right)\\left(${b}\\right)`),
      fc.tuple(tie('formula'), fc.integer({ min: 2, max: maxExponent })).map(([a, n]) => `(${a})^{${n}}`),
      tie('formula').map((a) => `\\frac{${a}}{7}`),
      tie('formula').map((a) => `\\sqrt{(${a})^2+1}`),
      tie('formula').map((a) => `\\cos(${a})`),
    ),
  })).formula;

const formula = formulas(5, 4);

/** Formulas with values small enough for floating point to distinguish neighbours. */
const small = formulas(2, 2);

/** Random texts of formula fragments. Most of them are not formulas. */
const scraps = fc
  .array(
    fc.constantFrom(
      ..."0 1 23 4.5 x y e i m cm + - * / ^ _ = < > ( ) [ ] { } | , ; ! % ' . $ & # ~ \\ \\\\ ° ² π \\frac \\sqrt \\sin \\log".split(
        ' ',
      ),
      ...'\\left( \\right) \\text{cm} \\text{ \\pm \\le \\circ \\overline{3} \\dot \\infty \\int \\pi \\{ \\} {} ^{ _{ \\number \\foo'.split(
        ' ',
      ),
      ' ',
    ),
    { maxLength: 40 },
  )
  .map((parts) => parts.join(''));

const anyText = fc.oneof(scraps, fc.string({ maxLength: 60 }), fc.string({ unit: anyCharacter, maxLength: 60 }));

describe('formula properties', () => {
  test.each(['equivLiteral', 'equivSymbolic', 'equivValue'])('let an expression match itself under %s', (method) => {
    fc.assert(
      fc.property(formula, (text) => {
        expect(matchFormula({ method, value: text }, text)).toMatchObject({ matches: true });
      }),
      RUNS,
    );
  });

  it('let an expression match itself with its terms exchanged under equivSymbolic', () => {
    fc.assert(
      fc.property(formula, formula, (a, b) => {
        expect(matchFormula({ method: 'equivSymbolic', value: `${a}+${b}` }, `${b}+${a}`)).toMatchObject({
          matches: true,
        });
      }),
      RUNS,
    );
  });

  it('do not let an expression match itself plus one under equivSymbolic', () => {
    fc.assert(
      fc.property(small, (text) => {
        expect(matchFormula({ method: 'equivSymbolic', value: text }, `${text}+1`).matches).not.toBe(true);
      }),
      RUNS,
    );
  });

  it('make equivSymbolic symmetric', () => {
    fc.assert(
      fc.property(formula, formula, (a, b) => {
        const there = matchFormula({ method: 'equivSymbolic', value: a }, b).matches;
        expect(matchFormula({ method: 'equivSymbolic', value: b }, a).matches).toBe(there);
      }),
      RUNS,
    );
  });

  test.each([...FORMULA_METHODS])(
    'of %s never include an exception, always include a reason, and are deterministic',
    (method) => {
      fc.assert(
        fc.property(anyText, anyText, (value, response) => {
          const match = matchFormula({ method, value, options: { allowInterval: true, syntax: value } }, response);
          expect([true, false, null]).toContain(match.matches);
          expect(match.reason).toMatch(/^The answer .+\.$/s);
          expect(match.reason).not.toContain('too complicated');
          expect(matchFormula({ method, value, options: { allowInterval: true, syntax: value } }, response)).toEqual(
            match,
          );
        }),
        RUNS,
      );
    },
  );

  it('accept any JSON as a rule', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.jsonValue(), fc.jsonValue(), anyText, (method, value, options, response) => {
        const rule = { method, value, options } as Parameters<typeof matchFormula>[0];
        expect(typeof matchFormula(rule, response).reason).toBe('string');
      }),
      RUNS,
    );
  });

  it('accept any value for each option', () => {
    const names = [
      'decimalPlaces',
      'setThousandsSeparator',
      'allowThousandsSeparator',
      'setDecimalSeparator',
      'field',
      'syntax',
    ];
    fc.assert(
      fc.property(
        fc.constantFrom(...names),
        fc.jsonValue(),
        fc.constantFrom(...FORMULA_METHODS),
        (name, option, method) => {
          const rule = { method, value: '1,000.5', options: { [name]: option } } as Parameters<typeof matchFormula>[0];
          expect(typeof matchFormula(rule, '1000.5').reason).toBe('string');
        },
      ),
      RUNS,
    );
  });
});
