import { Fraction } from './rational';
import { exactPower } from './arithmetic';
import { numberOf } from './evaluation';
import { LIMITS } from './limits';
import type { Formula } from './notation/formula';

/** A polynomial with rational coefficients by monomial. No coefficient is 0. */
export type Polynomial = ReadonlyMap<Monomial, Fraction>;

/** `x^2 y^1`: letters in alphabetical order; empty for a constant. */
type Monomial = string;

/** A polynomial with more terms is not expanded. */
const MAX_TERMS = 120;

/** The expanded polynomial; undefined for formulas that are not polynomials, and for those beyond the limits. */
export function polynomialOf(formula: Formula): Polynomial | undefined {
  switch (formula.kind) {
    case 'number':
      return constant(numberOf(formula));
    case 'mixed': {
      const part = numberOf(formula.denominator);
      return part.equals(0) ? undefined : constant(numberOf(formula.whole).add(numberOf(formula.numerator).div(part)));
    }
    case 'symbol':
      return formula.name === '\\infty' ? undefined : new Map([[`${formula.name}^1`, new Fraction(1)]]);
    case 'negative':
      return scaled(polynomialOf(formula.of), -1);
    case 'sum':
      return sumOf(formula);
    case 'product':
      return formula.factors.reduce<Polynomial | undefined>(
        (total, factor) => total && times(total, polynomialOf(factor)),
        constant(new Fraction(1)),
      );
    case 'quotient': {
      const divisor = constantOf(polynomialOf(formula.denominator));
      return !divisor || divisor.equals(0) ? undefined : scaled(polynomialOf(formula.numerator), divisor.inverse());
    }
    case 'power':
      return powerOf(polynomialOf(formula.base), constantOf(polynomialOf(formula.exponent)));
    default:
      return undefined;
  }
}

/** The value of a polynomial without letters; undefined for a polynomial with letters. */
export function constantOf(polynomial: Polynomial | undefined): Fraction | undefined {
  if (!polynomial || polynomial.size > 1) return undefined;
  return polynomial.size === 0 ? new Fraction(0) : polynomial.get('');
}

/** The letters of a monomial with their exponents. */
function exponentsOf(monomial: Monomial): Map<string, number> {
  const exponents = new Map<string, number>();
  for (const part of monomial === '' ? [] : monomial.split(' ')) {
    const at = part.lastIndexOf('^');
    exponents.set(part.slice(0, at), Number(part.slice(at + 1)));
  }
  return exponents;
}

export function lettersIn(polynomial: Polynomial): string[] {
  return [...new Set([...polynomial.keys()].flatMap((monomial) => [...exponentsOf(monomial).keys()]))].sort();
}

/**
 * The coefficients of a polynomial in one letter, from the lowest degree to the highest, without zeros at the end.
 * @param others gives the other letters their values.
 */
export function coefficientsIn(polynomial: Polynomial, letter: string, others: (name: string) => Fraction): Fraction[] {
  const coefficients: Fraction[] = [];
  for (const [monomial, coefficient] of polynomial) {
    let value = coefficient;
    let degree = 0;
    for (const [name, exponent] of exponentsOf(monomial)) {
      if (name === letter) degree = exponent;
      else value = value.mul(others(name).pow(new Fraction(exponent)) ?? 0);
    }
    while (coefficients.length <= degree) coefficients.push(new Fraction(0));
    coefficients[degree] = (coefficients[degree] as Fraction).add(value);
  }
  return trimmed(coefficients);
}

/** The greatest common divisor of two polynomials in one letter, up to a constant factor. */
export function commonDivisor(a: readonly Fraction[], b: readonly Fraction[]): readonly Fraction[] {
  return b.length === 0 ? a : commonDivisor(b, remainderOf(a, b));
}

/** The greatest common divisor of all coefficients; 1 when they are not all integers, 0 when there are none. */
export function contentOf(polynomial: Polynomial): bigint {
  let content = 0n;
  for (const coefficient of polynomial.values()) {
    if (coefficient.d !== 1n) return 1n;
    content = gcd(content, coefficient.n);
  }
  return content;
}

export function gcd(a: bigint, b: bigint): bigint {
  return b === 0n ? a : gcd(b, a % b);
}

/** The letters in every term, with their smallest exponent. */
export function commonLetters(polynomial: Polynomial): Map<string, number> {
  const [first, ...others] = [...polynomial.keys()].map(exponentsOf);
  const common = new Map(first);
  for (const [name, exponent] of common) {
    const least = Math.min(exponent, ...others.map((each) => each.get(name) ?? 0));
    if (least === 0) common.delete(name);
    else common.set(name, least);
  }
  return common;
}

/** The remainder of a division of polynomials in one letter; empty when there is none. */
export function remainderOf(a: readonly Fraction[], b: readonly Fraction[]): Fraction[] {
  const rest = [...a];
  const lead = b.at(-1) as Fraction;
  while (rest.length >= b.length) {
    const factor = (rest.at(-1) as Fraction).div(lead);
    const shift = rest.length - b.length;
    b.forEach((coefficient, at) => (rest[at + shift] = (rest[at + shift] as Fraction).sub(coefficient.mul(factor))));
    rest.pop();
    trimmed(rest);
  }
  return rest;
}

function trimmed(coefficients: Fraction[]): Fraction[] {
  while (coefficients.at(-1)?.equals(0)) coefficients.pop();
  return coefficients;
}

function constant(value: Fraction): Polynomial {
  return value.equals(0) ? new Map() : new Map([['', value]]);
}

function scaled(polynomial: Polynomial | undefined, factor: Fraction | number): Polynomial | undefined {
  return polynomial && new Map([...polynomial].map(([monomial, coefficient]) => [monomial, coefficient.mul(factor)]));
}

function sumOf({ signs, terms }: Formula & { kind: 'sum' }): Polynomial | undefined {
  const total = new Map<Monomial, Fraction>();
  for (const [at, term] of terms.entries()) {
    const sign = signs[at];
    const polynomial = polynomialOf(term);
    if (!polynomial || sign === '±' || sign === '∓') return undefined;
    for (const [monomial, coefficient] of polynomial)
      addTo(total, monomial, sign === '-' ? coefficient.neg() : coefficient);
  }
  return total;
}

function times(a: Polynomial, b: Polynomial | undefined): Polynomial | undefined {
  const total = new Map<Monomial, Fraction>();
  for (const [left, leftCoefficient] of a) {
    for (const [right, rightCoefficient] of b ?? []) {
      const monomial = together(left, right);
      if (monomial === undefined) return undefined;
      addTo(total, monomial, leftCoefficient.mul(rightCoefficient));
    }
  }
  return b && total.size <= MAX_TERMS ? total : undefined;
}

function together(left: Monomial, right: Monomial): Monomial | undefined {
  const exponents = exponentsOf(left);
  let degree = 0;
  for (const [name, exponent] of exponentsOf(right)) exponents.set(name, (exponents.get(name) ?? 0) + exponent);
  for (const exponent of exponents.values()) degree += exponent;
  if (degree > LIMITS.degree) return undefined;
  return [...exponents]
    .map(([name, exponent]) => `${name}^${exponent}`)
    .sort()
    .join(' ');
}

function addTo(total: Map<Monomial, Fraction>, monomial: Monomial, coefficient: Fraction): void {
  const sum = total.get(monomial)?.add(coefficient) ?? coefficient;
  if (sum.equals(0)) total.delete(monomial);
  else total.set(monomial, sum);
}

function powerOf(base: Polynomial | undefined, exponent: Fraction | undefined): Polynomial | undefined {
  if (!base || exponent?.d !== 1n) return undefined;
  const number = constantOf(base);
  if (number) {
    const power = exactPower(number, exponent);
    return power && constant(power);
  }
  if (exponent.compare(0) < 0) return undefined;
  // Ends soon, because each step raises the degree, and `times` limits the degree.
  let result: Polynomial | undefined = constant(new Fraction(1));
  for (let step = 0n; step < exponent.n && result; step += 1n) result = times(result, base);
  return result;
}
