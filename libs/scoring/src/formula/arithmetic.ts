import Complex from 'complex.js';
import { LIMITS } from './limits';
import { Fraction } from './rational';

/**
 * A value. It is exact while it is rational and of bounded size; otherwise it is a complex number with an error bound.
 */
export type Value = { exact: Fraction } | Approximation;

export interface Approximation {
  exact?: undefined;
  z: Complex;
  error: number;
}

/** The value of a formula without a value, or with a value that cannot be calculated. */
export const UNDEFINED: Value = { z: new Complex(NaN, 0), error: Infinity };

const EPSILON = 2 ** -52;
const ONE = new Fraction(1);

/** The complex number nearest to a value. */
export function approximate(value: Value): Approximation {
  if (value.exact === undefined) return value;
  const real = value.exact.valueOf();
  const isWhole = value.exact.d === 1n && Number.isSafeInteger(real);
  return { z: new Complex(real, 0), error: isWhole ? 0 : Math.abs(real) * EPSILON };
}

/** −a, exact where `a` is. */
export function negate(value: Value): Value {
  return value.exact !== undefined ? { exact: value.exact.neg() } : { z: value.z.neg(), error: value.error };
}

/** a + b; exact if both are and the result is short. */
export function add(left: Value, right: Value): Value {
  if (left.exact && right.exact) return bounded(left.exact.add(right.exact));
  const a = approximate(left);
  const b = approximate(right);
  return { z: a.z.add(b.z), error: a.error + b.error + EPSILON * (a.z.abs() + b.z.abs()) };
}

/** a × b; exact under the same condition as a sum. */
export function multiply(left: Value, right: Value): Value {
  if (left.exact && right.exact) return bounded(left.exact.mul(right.exact));
  const a = approximate(left);
  const b = approximate(right);
  const z = a.z.mul(b.z);
  return { z, error: a.error * b.z.abs() + b.error * a.z.abs() + EPSILON * z.abs() };
}

/** a ÷ b; exact under the same condition as a sum. UNDEFINED when b may be zero. */
export function divide(left: Value, right: Value): Value {
  if (right.exact?.equals(0)) return UNDEFINED;
  if (left.exact && right.exact) return bounded(left.exact.div(right.exact));
  const a = approximate(left);
  const b = approximate(right);
  const size = b.z.abs();
  // The divisor may be zero within its error.
  if (size <= b.error) return UNDEFINED;
  const z = a.z.div(b.z);
  return { z, error: (a.error + z.abs() * b.error) / size + EPSILON * z.abs() };
}

/** The principal power. UNDEFINED for 0 to a power that is not positive, except 0⁰ = 1. */
export function power(base: Value, exponent: Value): Value {
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

/** A power with an integer exponent; undefined for a result that is too long, and for 0⁰. */
export function exactPower(base: Fraction, exponent: Fraction): Fraction | undefined {
  if (base.equals(0)) return exponent.compare(0) > 0 ? base : undefined;
  if (base.n === 1n && base.d === 1n) return exponent.n % 2n === 0n ? ONE : base;
  if (exponent.n > BigInt(LIMITS.bits) || Number(exponent.n) * bitsOf(base) > LIMITS.bits) return undefined;
  return base.pow(exponent) ?? undefined;
}

/** An odd root of a negative number is real, as in school. */
export function root(of: Value, index: Value): Value {
  const n = index.exact;
  const a = approximate(of);
  if (n && n.d === 1n && n.n < 1_000n && n.compare(0) > 0 && Math.abs(a.z.im) <= a.error) {
    const degree = Number(n.n);
    const odd = degree % 2 === 1;
    if (a.z.re >= 0 || odd) {
      const size = Math.abs(a.z.re) ** (1 / degree);
      const exact = of.exact && exactRoot(of.exact, degree);
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

function exactRoot(of: Fraction, degree: number): Fraction | undefined {
  const rounded = (part: bigint) => BigInt(Math.round(Number(part) ** (1 / degree)));
  const guess = new Fraction(rounded(of.n), rounded(of.d));
  const signedGuess = of.compare(0) < 0 ? guess.neg() : guess;
  return bitsOf(guess) * degree <= LIMITS.bits && signedGuess.pow(degree)?.equals(of) ? signedGuess : undefined;
}

/** The error of the result: the change of the function's value when the argument changes by its own error. */
export function through(compute: (z: Complex) => Complex, value: Value): Value {
  const { z, error } = approximate(value);
  const result = compute(z);
  const moved = compute(z.add(new Complex(error, 0)));
  return { z: result, error: moved.sub(result).abs() + 4 * EPSILON * (1 + result.abs()) };
}

/** n!; UNDEFINED except for integers from 0 to 170. */
export function factorial(value: Value): Value {
  const n = value.exact;
  if (!n || n.d !== 1n || n.compare(0) < 0 || n.compare(170) > 0) return UNDEFINED;
  let result = 1n;
  for (let factor = 2n; factor <= n.n; factor += 1n) result *= factor;
  return { exact: new Fraction(result) };
}

/** n over k; UNDEFINED except for integers, and for n above 1,000. */
export function binomial(above: Value, below: Value): Value {
  const n = above.exact;
  const k = below.exact;
  if (!n || !k || n.d !== 1n || k.d !== 1n || n.compare(0) < 0 || n.compare(1000) > 0 || k.compare(0) < 0)
    return UNDEFINED;
  if (k.compare(n) > 0) return { exact: new Fraction(0) };
  let result = 1n;
  for (let step = 1n; step <= k.n; step += 1n) result = (result * (n.n - step + 1n)) / step;
  return { exact: new Fraction(result) };
}

/** An approximation of a number that has no finite notation. */
export function approximately(z: Complex): Value {
  return { z, error: EPSILON * z.abs() };
}

function bounded(exact: Fraction): Value {
  return bitsOf(exact) > LIMITS.bits ? approximate({ exact }) : { exact };
}

function bitsOf(exact: Fraction): number {
  return 4 * Math.max(exact.n.toString(16).length, exact.d.toString(16).length);
}
