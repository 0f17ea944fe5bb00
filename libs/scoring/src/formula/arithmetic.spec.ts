import Complex from 'complex.js';
import {
  add,
  approximate,
  approximately,
  binomial,
  divide,
  factorial,
  multiply,
  power,
  root,
  through,
  type Value,
} from './arithmetic';
import { matchFormula } from './index';
import { Fraction } from './rational';

const isTrue = (statement: string) => matchFormula({ method: 'isTrue' }, statement).matches;

describe('a value', () => {
  it.each<[formula: string, value: string, other: string]>([
    ['\\sqrt{1/4}', '1/2', '1/3'],
    ['\\sqrt{0.0001}', '0.01', '0.001'],
    ['\\sqrt[3]{-8}', '-2', '2'],
    ['\\sqrt[3]{27/8}', '3/2', '2'],
    ['\\sqrt{2}\\sqrt{2}', '2', '2.0000001'],
    ['4^{1/2}', '2', '4'],
    ['27^{1/3}', '3', '9'],
    ['8^{2/3}', '4', '16/3'],
    ['2^{-2}', '1/4', '-4'],
    ['(-1)^{100}', '1', '-1'],
    ['(-1)^{101}', '-1', '1'],
    ['1^{1000000}', '1', '2'],
    ['0^2', '0', '1'],
    ['0^0', '1', '0'],
    ['5!/3!', '20', '10'],
    ['\\binom{5}{5}', '1', '0'],
    ['\\binom{5}{6}', '0', '1'],
    ['|3-5|', '2', '-2'],
    ['|-\\pi|', '\\pi', '-\\pi'],
    ['|3+4i|', '5', '7'],
    ['2.5\\div0.5', '5', '1.25'],
    ['\\pi/\\pi', '1', '0'],
    ['10^{20}+1-10^{20}', '1', '0'],
    ['2^{100}', '1267650600228229401496703205376', '1267650600228229401496703205377'],
  ])('%s equals %s and differs from %s', (formula, value, other) => {
    expect(isTrue(`${formula}=${value}`)).toBe(true);
    expect(isTrue(`${formula}=${other}`)).toBe(false);
  });

  it.each([
    '1/0',
    '0^{-1}',
    '1/(\\pi-\\pi)',
    '(-1)!',
    '2.5!',
    '171!',
    '\\binom{1/2}{1}',
    '\\binom{5}{-1}',
    '\\ln 0',
    '\\infty',
  ])('does not exist for %s', (formula) => {
    expect(matchFormula({ method: 'equivValue', value: '1' }, formula).matches).not.toBe(true);
    expect(isTrue(`${formula}=${formula}+1`)).not.toBe(true);
  });

  it.each<[statement: string, is: boolean]>([
    ['\\pi<4', true],
    ['\\pi<3', false],
    ['4>\\pi', true],
    ['3\\ge\\pi', false],
    ['2\\le2', true],
    ['2<2', false],
    ['2\\ne3', true],
    ['2\\ne2', false],
    ['2\\approx2', true],
    ['2\\approx3', false],
    ['1<2<3', true],
    ['1<3<2', false],
    ['3>2>1', true],
    ['3>1>2', false],
    ['x^2\\ge0', true],
    ['x>0', false],
  ])('satisfies %s: %s', (statement, is) => {
    expect(isTrue(statement)).toBe(is);
  });
});

describe('a unit', () => {
  it.each<[unit: string, right: string[], wrong: string[]]>([
    ['m^2', ['5 m^2', '5m\\cdot m', '2 m^3/m'], ['5 m', '5', '5 m^3']],
    ['m', ['5 m\\cdot cm/cm'], ['\\sqrt{4 m}m', '5 m(1 m+1 s)']],
    ['m s', ['5 m s', '1 m s+1 s m'], ['5 m', '5 s', '5 m/s']],
    ['\\frac{m}{s}', ['5 m/s', '5 m s^{-1}'], ['5 m', '5 km/h', '5 s/m']],
    ['cm', ['3 cm+2 cm', '-5 cm', '\\sqrt{4} cm', '\\frac{1}{2} cm'], ['3 cm+2 s', '5 cm/cm', '5 x cm']],
    [
      'cm',
      ['5\\text{}cm', '1\\frac{1}{2} cm', '\\pm5 cm', '2^{\\sqrt{2}} cm', '\\sin(1) cm'],
      ['3 cm+2 cm+1 s', '\\sin(cm) cm'],
    ],
  ])('is read from %s', (unit, right, wrong) => {
    const has = (response: string) => matchFormula({ method: 'isUnit', value: unit }, response).matches;
    expect(right.filter((response) => has(response) !== true)).toEqual([]);
    expect(wrong.filter((response) => has(response) === true)).toEqual([]);
  });

  it.each<[value: string, right: string[], wrong: string[]]>([
    ['5 m', ['500 cm', '0.005 km', '4m+1m', '4 m+100 cm'], ['5', '5 s', '50 cm', '5 m^2']],
    ['1 h', ['60 min', '3600 s', '30 min + 30 min'], ['1 min', '100 min']],
    ['1.5 h', ['1 h 30 min'], ['1 h 50 min']],
    ['10 m/s', ['36 km/h', '1000 cm/s'], ['10 km/h', '10 m s']],
    ['1 N', ['1 kg m/s^2'], ['1 J', '1 kg m/s']],
    ['10\\pm1.5', ['8.5', '10', '11.5'], ['8.4', '11.6']],
    ['(10\\pm1) m', ['10.5 m', '950 cm'], ['10.5', '12 m']],
    ['180\\text{ degrees}', ['\\pi', '180°', '180\\text{ degree}', '180\\text{ deg}'], ['180']],
  ])('belongs to the value %s', (value, right, wrong) => {
    const is = (response: string) => matchFormula({ method: 'equivValue', value }, response).matches;
    expect(right.filter((response) => is(response) !== true)).toEqual([]);
    expect(wrong.filter((response) => is(response) === true)).toEqual([]);
  });
});

const exact = (value: number | string): Value => ({ exact: new Fraction(value) });
const near = (value: number, error = 0): Value => ({ z: new Complex(value, 0), error });

describe('the error of an approximation', () => {
  const OPERATIONS: [string, (a: Value, b: Value) => Value, (x: number, y: number) => number][] = [
    ['add', add, (x, y) => x + y],
    ['multiply', multiply, (x, y) => x * y],
    ['divide', divide, (x, y) => x / y],
    ['power', power, (x, y) => x ** y],
    ['exp', (a) => through((z) => z.exp(), a), (x) => Math.exp(x)],
  ];
  const PAIRS = [
    [3, 0.25],
    [0.25, 3],
    [11, 2.5],
    [1, 2],
  ] as const;
  const CASES = OPERATIONS.flatMap(([name, operation, plain]) =>
    PAIRS.map(([x, y]) => [name, x, y, operation, plain] as const),
  );

  it.each(CASES)(
    '%s of %d and %d is as large as the errors of its operands can make it',
    (_, x, y, operation, plain) => {
      const [dx, dy] = [1e-6, 3e-6];
      const worst = Math.max(
        ...[dx, -dx].flatMap((a) => [dy, -dy].map((b) => Math.abs(plain(x + a, y + b) - plain(x, y)))),
      );
      const { z, error } = approximate(operation(near(x, dx), near(y, dy)));
      expect(z.re).toBeCloseTo(plain(x, y), 8);
      expect(error / worst).toBeCloseTo(1, 3);
    },
  );

  it.each(CASES)('%s of %d and %d includes the error of floating point', (_, x, y, operation, plain) => {
    const { error } = approximate(operation(near(x), near(y)));
    const size = Math.max(1, Math.abs(plain(x, y)));
    expect(error).toBeGreaterThanOrEqual(2 ** -53 * Math.abs(plain(x, y)));
    expect(error).toBeLessThanOrEqual(2 ** -48 * size);
  });

  it('of a root is at least that of its radicand', () => {
    const cube = approximate(root(near(8, 1e-6), exact(3)));
    expect(cube.error).toBeGreaterThanOrEqual(Math.cbrt(8 + 1e-6) - 2);
    expect(cube.error).toBeLessThan(1e-6);
    const large = approximate(root(near(1e10), exact(2)));
    expect(large.error).toBeGreaterThanOrEqual(2 ** -53 * 1e5);
    expect(large.error).toBeLessThanOrEqual(2 ** -48 * 1e5);
    expect(approximate(root(near(0, 1e-8), exact(2))).error).toBeCloseTo(1e-4, 12);
  });

  it('of a number is that of its floating-point form', () => {
    expect(approximate(exact(5)).error).toBe(0);
    expect(approximate(exact('1/3')).error).toBeGreaterThan(0);
    expect(approximate(exact('1/3')).error).toBeLessThan(1e-16);
    expect(approximate(exact('100000000000000000001')).error).toBeGreaterThanOrEqual(1);
    expect(approximate(approximately(new Complex(1e5, 0))).error).toBeGreaterThanOrEqual(2 ** -53 * 1e5);
  });
});

describe('an exact value', () => {
  const huge: Value = { exact: new Fraction(2n ** 300n) };
  const tiny: Value = { exact: new Fraction(1n, 2n ** 300n) };

  it.each<[what: string, value: () => Value, is: string]>([
    ['3 · 1/3', () => multiply(exact(3), exact('1/3')), '1'],
    ['4^(1/2)', () => power(exact(4), exact('1/2')), '2'],
    ['0^(1/2)', () => power(exact(0), exact('1/2')), '0'],
    ['0.0^2', () => power(near(0), exact(2)), '0'],
    ['0.0^0', () => power(near(0), exact(0)), '1'],
    ['the third root of 27/8', () => root(exact('27/8'), exact(3)), '3/2'],
    ['the third root of -8', () => root(exact(-8), exact(3)), '-2'],
    ['the root of 0', () => root(exact(0), exact(2)), '0'],
    ['the root of 10^40', () => root({ exact: new Fraction(10n ** 40n) }, exact(2)), '100000000000000000000'],
    ['1000 over 1', () => binomial(exact(1000), exact(1)), '1000'],
    ['0 over 0', () => binomial(exact(0), exact(0)), '1'],
    ['0!', () => factorial(exact(0)), '1'],
    ['4!', () => factorial(exact(4)), '24'],
  ])('%s equals %s', (...[, value, is]) => {
    expect(value().exact?.toFraction()).toBe(is);
  });

  it('of 170! is an integer', () => {
    expect(
      factorial(exact(170))
        .exact?.div(factorial(exact(169)).exact as Fraction)
        .toFraction(),
    ).toBe('170');
  });

  it.each<[what: string, value: () => Value, re: number, im: number]>([
    ['2^300 · 2^300', () => multiply(huge, huge), 2 ** 600, 0],
    ['2^-300 · 2^-300', () => multiply(tiny, tiny), 2 ** -600, 0],
    ['2^600', () => power(exact(2), exact(600)), 2 ** 600, 0],
    ['4^(3/2)', () => power(exact(4), exact('3/2')), 8, 0],
    ['4^(-1/2)', () => power(exact(4), exact('-1/2')), 0.5, 0],
    ['the root of 2', () => root(exact(2), exact(2)), Math.SQRT2, 0],
    ['the root of -4', () => root(exact(-4), exact(2)), 0, 2],
    ['the root of 2i', () => root({ z: new Complex(0, 2), error: 0 }, exact(2)), 1, 1],
    ['the third root of -8.0', () => root(near(-8), exact(3)), -2, 0],
    ['the root of index 1/3 of 8', () => root(exact(8), exact('1/3')), 512, 0],
    ['the root of index -3 of 8', () => root(exact(8), exact(-3)), 0.5, 0],
    ['the root of 10^40 + 1', () => root({ exact: new Fraction(10n ** 40n + 1n) }, exact(2)), 1e20, 0],
  ])('does not exist for %s, which is only approximate', (...[, value, re, im]) => {
    expect(value().exact).toBeUndefined();
    const { z } = approximate(value());
    const size = Math.hypot(re, im);
    expect(z.re / size).toBeCloseTo(re / size, 12);
    expect(z.im / size).toBeCloseTo(im / size, 12);
  });

  it.each<[what: string, value: () => Value]>([
    ['1 / (0 ± a little)', () => divide(exact(1), near(1e-9, 1e-8))],
    ['1 / (just as much as its error)', () => divide(exact(1), near(1e-8, 1e-8))],
    ['0^(-1/2)', () => power(exact(0), exact('-1/2'))],
    ['0^(about 1/2)', () => power(exact(0), near(0.5))],
    ['the root of index 0', () => root(exact(8), exact(0))],
    ['the root of index -2 of 0', () => root(exact(0), exact(-2))],
    ['2.5!', () => factorial(exact('5/2'))],
    ['(about 3)!', () => factorial(near(3))],
    ['(-1)!', () => factorial(exact(-1))],
    ['171!', () => factorial(exact(171))],
    ['1/2 over 1', () => binomial(exact('1/2'), exact(1))],
    ['5 over 1/2', () => binomial(exact(5), exact('1/2'))],
    ['about 5 over 1', () => binomial(near(5), exact(1))],
    ['5 over about 1', () => binomial(exact(5), near(1))],
    ['-1 over 1', () => binomial(exact(-1), exact(1))],
    ['5 over -1', () => binomial(exact(5), exact(-1))],
    ['1001 over 1', () => binomial(exact(1001), exact(1))],
  ])('does not exist for %s', (_, value) => {
    expect(value().exact).toBeUndefined();
    expect(approximate(value()).z.re).toBeNaN();
  });
});
