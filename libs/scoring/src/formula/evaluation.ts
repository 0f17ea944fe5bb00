import Complex from 'complex.js';
import { Fraction } from './rational';
import { LIMITS } from './limits';
import type { Formula, NumberFormula, Sign } from './notation/formula';
import { unitOf } from './units';

/** A value: exact as long as it is rational and of bounded size, then a complex number with a bound of its error. */
export type Value = { exact: Fraction } | Approximation;

export interface Approximation {
  exact?: undefined;
  z: Complex;
  error: number;
}

/** What the letters of a formula mean while it is evaluated. */
export interface Assignment {
  /** The value of a letter, of a dimension of measurement or of a word. */
  valueOf(name: string): Fraction | number;
  /** e and i are letters like others. */
  onlyLetters: boolean;
  /** Roots and logarithms of negative numbers have no value. */
  real: boolean;
}

/** A place at which a formula has no value, or one that cannot be calculated. */
export const UNDEFINED: Value = { z: new Complex(NaN, 0), error: Infinity };

const EPSILON = 2 ** -52;
const ONE = new Fraction(1);

/** @returns UNDEFINED for a division by zero, an overflow, ±, a relation or a list */
export function evaluate(formula: Formula, at: Assignment): Value {
  switch (formula.kind) {
    case 'number':
      return { exact: numberOf(formula) };
    case 'mixed':
      return add(
        { exact: numberOf(formula.whole) },
        divide({ exact: numberOf(formula.numerator) }, { exact: numberOf(formula.denominator) }),
      );
    case 'symbol':
      return symbolValue(formula.name, at);
    case 'text':
      return textValue(formula.text, at);
    case 'sum':
      return formula.terms.reduce<Value>(
        (total, term, place) => add(total, signed(formula.signs[place], evaluate(term, at))),
        { exact: new Fraction(0) },
      );
    case 'negative':
      return negate(evaluate(formula.of, at));
    case 'product':
      return formula.factors.reduce<Value>((total, factor) => multiply(total, evaluate(factor, at)), { exact: ONE });
    case 'quotient':
      return divide(evaluate(formula.numerator, at), evaluate(formula.denominator, at));
    case 'power':
      return within(power(evaluate(formula.base, at), evaluate(formula.exponent, at)), at);
    case 'root':
      return within(
        root(evaluate(formula.of, at), formula.index ? evaluate(formula.index, at) : { exact: new Fraction(2) }),
        at,
      );
    case 'call':
      return within(
        callValue(
          formula.name,
          formula.arguments.map((argument) => evaluate(argument, at)),
          at,
        ),
        at,
      );
    default:
      return UNDEFINED;
  }
}

export function numberOf({ whole, decimals = '', repeating = '' }: NumberFormula): Fraction {
  const scale = 10n ** BigInt(decimals.length);
  const fixed = new Fraction(BigInt(whole + decimals), scale);
  if (repeating === '') return fixed;
  return fixed.add(new Fraction(BigInt(repeating), (10n ** BigInt(repeating.length) - 1n) * scale));
}

/** The complex number next to a value. */
export function approximate(value: Value): Approximation {
  if (value.exact === undefined) return value;
  const real = value.exact.valueOf();
  const isWhole = value.exact.d === 1n && Number.isSafeInteger(real);
  return { z: new Complex(real, 0), error: isWhole ? 0 : Math.abs(real) * EPSILON };
}

function within(value: Value, { real }: Assignment): Value {
  const beyond = real && value.exact === undefined && Math.abs(value.z.im) > value.error + 1e-12 * value.z.abs();
  return beyond ? UNDEFINED : value;
}

function symbolValue(name: string, at: Assignment): Value {
  if (name === '\\pi') return approximately(new Complex(Math.PI, 0));
  if (name === '\\infty') return UNDEFINED;
  if (!at.onlyLetters) {
    if (name === 'e') return approximately(new Complex(Math.E, 0));
    if (name === 'i') return approximately(new Complex(0, 1));
  }
  return letterValue(name, at);
}

function letterValue(name: string, at: Assignment): Value {
  const value = at.valueOf(name);
  return typeof value === 'number' ? approximately(new Complex(value, 0)) : { exact: value };
}

/** A unit is its factor times the dimensions that it measures, which are letters like others. */
function textValue(text: string, at: Assignment): Value {
  const unit = unitOf(text);
  let value: Value =
    typeof unit.factor === 'number' ? approximately(new Complex(unit.factor, 0)) : { exact: unit.factor };
  for (const [dimension, exponent] of unit.dimensions) {
    value = multiply(value, power(letterValue(`unit ${dimension}`, at), { exact: new Fraction(exponent) }));
  }
  return value;
}

/** ± stands for two formulas and has no value of its own. */
function signed(sign: Sign | undefined, value: Value): Value {
  if (sign === '±' || sign === '∓') return UNDEFINED;
  return sign === '-' ? negate(value) : value;
}

function negate(value: Value): Value {
  return value.exact !== undefined ? { exact: value.exact.neg() } : { z: value.z.neg(), error: value.error };
}

function add(left: Value, right: Value): Value {
  if (left.exact && right.exact) return bounded(left.exact.add(right.exact));
  const a = approximate(left);
  const b = approximate(right);
  return { z: a.z.add(b.z), error: a.error + b.error + EPSILON * (a.z.abs() + b.z.abs()) };
}

function multiply(left: Value, right: Value): Value {
  if (left.exact && right.exact) return bounded(left.exact.mul(right.exact));
  const a = approximate(left);
  const b = approximate(right);
  const z = a.z.mul(b.z);
  return { z, error: a.error * b.z.abs() + b.error * a.z.abs() + EPSILON * z.abs() };
}

function divide(left: Value, right: Value): Value {
  if (right.exact?.equals(0)) return UNDEFINED;
  if (left.exact && right.exact) return bounded(left.exact.div(right.exact));
  const a = approximate(left);
  const b = approximate(right);
  const size = b.z.abs();
  // A divisor that may be zero for all that is known.
  if (size <= b.error) return UNDEFINED;
  const z = a.z.div(b.z);
  return { z, error: (a.error + z.abs() * b.error) / size + EPSILON * z.abs() };
}

function power(base: Value, exponent: Value): Value {
  const n = exponent.exact;
  if (n && n.d === 1n && base.exact) {
    const exact = exactPower(base.exact, n);
    if (exact) return { exact };
  }
  const a = approximate(base);
  if (n?.equals(0)) return { exact: ONE };
  if (a.z.abs() === 0) return n && n.compare(0) > 0 ? { exact: new Fraction(0) } : UNDEFINED;
  if (n && n.d === 2n && n.n === 1n && n.compare(0) > 0) return root(base, { exact: new Fraction(2) });
  return principalPower(a, approximate(exponent));
}

function principalPower(a: Approximation, b: Approximation): Value {
  const z = a.z.pow(b.z);
  const growth = (a.error / a.z.abs()) * b.z.abs() + b.error * a.z.log().abs() + EPSILON * (1 + b.z.abs());
  return { z, error: z.abs() * growth };
}

/** A power of an integer exponent; undefined for one that is too long to be written out, and for 0⁰. */
export function exactPower(base: Fraction, exponent: Fraction): Fraction | undefined {
  if (base.equals(0)) return exponent.compare(0) > 0 ? base : undefined;
  if (base.n === 1n && base.d === 1n) return exponent.n % 2n === 0n ? ONE : base;
  if (exponent.n > BigInt(LIMITS.bits) || Number(exponent.n) * bitsOf(base) > LIMITS.bits) return undefined;
  return base.pow(exponent) ?? undefined;
}

/** Of a negative number an odd root is the real one, as in school. */
function root(of: Value, index: Value): Value {
  const n = index.exact;
  const a = approximate(of);
  if (n && n.d === 1n && n.n < 1_000n && n.compare(0) > 0 && Math.abs(a.z.im) <= a.error) {
    const degree = Number(n.n);
    const odd = degree % 2 === 1;
    if (a.z.re >= 0 || odd) {
      const size = Math.abs(a.z.re) ** (1 / degree);
      const exact = of.exact && exactRoot(of.exact, degree, size);
      if (exact) return { exact };
      const z = new Complex(a.z.re < 0 ? -size : size, 0);
      return {
        z,
        error: size === 0 ? a.error ** (1 / degree) : (size / Math.abs(a.z.re)) * a.error + 4 * EPSILON * size,
      };
    }
  }
  if (a.z.abs() === 0) return UNDEFINED;
  return principalPower(a, approximate(divide({ exact: ONE }, index)));
}

function exactRoot(of: Fraction, degree: number, size: number): Fraction | undefined {
  const guess = new Fraction(
    BigInt(Math.round(Number(of.n) ** (1 / degree)) || 0),
    BigInt(Math.round(Number(of.d) ** (1 / degree)) || 1),
  );
  if (!Number.isFinite(size) || Math.abs(guess.valueOf() - size) > 1e-6 * (1 + size)) return undefined;
  const signedGuess = of.compare(0) < 0 ? guess.neg() : guess;
  return bitsOf(guess) * degree <= LIMITS.bits && signedGuess.pow(degree)?.equals(of) ? signedGuess : undefined;
}

const FUNCTIONS: ReadonlyMap<string, (z: Complex) => Complex> = new Map([
  ['sin', (z) => z.sin()],
  ['cos', (z) => z.cos()],
  ['tan', (z) => z.tan()],
  ['cot', (z) => z.cot()],
  ['sec', (z) => z.sec()],
  ['csc', (z) => z.csc()],
  ['arcsin', (z) => z.asin()],
  ['arccos', (z) => z.acos()],
  ['arctan', (z) => z.atan()],
  ['sinh', (z) => z.sinh()],
  ['cosh', (z) => z.cosh()],
  ['tanh', (z) => z.tanh()],
  ['exp', (z) => z.exp()],
  ['ln', (z) => z.log()],
] as [string, (z: Complex) => Complex][]);

function callValue(name: string, [first = UNDEFINED, second]: Value[], at: Assignment): Value {
  const known = FUNCTIONS.get(name);
  if (known) return through(known, first);
  switch (name) {
    case 'log':
      return divide(
        through((z) => z.log(), first),
        through((z) => z.log(), second ?? { exact: new Fraction(10) }),
      );
    case 'abs':
      return first.exact !== undefined
        ? { exact: first.exact.abs() }
        : { z: new Complex(first.z.abs(), 0), error: first.error };
    case 'percent':
      return divide(first, { exact: new Fraction(100) });
    case 'factorial':
      return factorial(first);
    case 'binomial':
      return binomial(first, second ?? UNDEFINED);
    default:
      return opaque(name, first, at);
  }
}

/** The error of a function follows from how far its value moves when its argument moves by its own error. */
function through(compute: (z: Complex) => Complex, value: Value): Value {
  const { z, error } = approximate(value);
  const result = compute(z);
  const moved = compute(z.add(new Complex(error, 0)));
  return { z: result, error: moved.sub(result).abs() + 4 * EPSILON * (1 + result.abs()) };
}

function factorial(value: Value): Value {
  const n = value.exact;
  if (!n || n.d !== 1n || n.compare(0) < 0 || n.compare(170) > 0) return UNDEFINED;
  let result = 1n;
  for (let factor = 2n; factor <= n.n; factor += 1n) result *= factor;
  return { exact: new Fraction(result) };
}

function binomial(above: Value, below: Value): Value {
  const n = above.exact;
  const k = below.exact;
  if (!n || !k || n.d !== 1n || k.d !== 1n || n.compare(0) < 0 || n.compare(1000) > 0 || k.compare(0) < 0)
    return UNDEFINED;
  if (k.compare(n) > 0) return { exact: new Fraction(0) };
  let result = 1n;
  for (let step = 1n; step <= k.n; step += 1n) result = (result * (n.n - step + 1n)) / step;
  return { exact: new Fraction(result) };
}

/** A function that nothing is known of: some curve, another one for each name. */
function opaque(name: string, argument: Value, at: Assignment): Value {
  const seed = Number(at.valueOf(`function ${name}`));
  return through(
    (z) =>
      z
        .mul(1.3)
        .add(seed)
        .sin()
        .add(z.mul(0.7 + seed / 10)),
    argument,
  );
}

function approximately(z: Complex): Value {
  return { z, error: EPSILON * z.abs() };
}

function bounded(exact: Fraction): Value {
  return bitsOf(exact) > LIMITS.bits ? approximate({ exact }) : { exact };
}

function bitsOf(exact: Fraction): number {
  return 4 * Math.max(exact.n.toString(16).length, exact.d.toString(16).length);
}
