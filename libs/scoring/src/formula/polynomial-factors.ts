import { Fraction } from './rational';
import { coefficientsIn, commonDivisor, lettersIn, type Polynomial, remainderOf } from './polynomial';
import { rootsOf } from './roots';

export type Field = 'rational' | 'real' | 'complex';

/** Values that replace letters of a polynomial: primes, so that they have no common factor. */
const VALUES = [2n, 3n, 5n, 7n, 11n, 13n, 17n, 19n, 23n, 29n, 31n, 37n].map((prime) => new Fraction(prime));

/** Whether a polynomial is a product of non-constant polynomials; undefined when that is unknown. */
export function isReducible(polynomial: Polynomial, field: Field): boolean | undefined {
  const letters = lettersIn(polynomial);
  const [letter, ...others] = letters;
  if (letter === undefined) return false;
  if (others.length === 0)
    return isReducibleIn(
      coefficientsIn(polynomial, letter, () => VALUES[0] as Fraction),
      field,
    );
  if (letters.some((each) => hasContent(polynomial, each))) return true;
  if (letters.some((each) => degreeIn(polynomial, each) === 1)) return false;
  const rational = isReducibleOverRationals(polynomial, letters);
  return rational || field === 'rational' ? rational : undefined;
}

/** Whether two polynomials have a common factor that is not constant. */
export function haveCommonFactor(a: Polynomial, b: Polynomial): boolean {
  const letters = lettersIn(b);
  return lettersIn(a).some(
    (letter) =>
      letters.includes(letter) &&
      [0, 1, 2].every((round) => {
        const [above, below] = [a, b].map((each) => coefficientsIn(each, letter, valuesOf(round)));
        return commonDivisor(above ?? [], below ?? []).length > 1;
      }),
  );
}

/** Different values in each round, and for each letter in a round. */
function valuesOf(round: number): (name: string) => Fraction {
  const names: string[] = [];
  return (name) => {
    if (!names.includes(name)) names.push(name);
    return VALUES[(round + 5 * names.indexOf(name)) % VALUES.length] as Fraction;
  };
}

function degreeIn(polynomial: Polynomial, letter: string): number {
  return coefficientsIn(polynomial, letter, valuesOf(0)).length - 1;
}

/** Whether the coefficients of a polynomial in one letter have a common factor. */
function hasContent(polynomial: Polynomial, letter: string): boolean {
  return lettersIn(polynomial).some((other) =>
    [0, 1].every((round) => {
      const common = coefficientPolynomials(polynomial, letter)
        .map((coefficient) => coefficientsIn(coefficient, other, valuesOf(round)))
        .reduce<readonly Fraction[]>((divisor, each) => commonDivisor(divisor, each), []);
      return common.length > 1;
    }),
  );
}

/** The coefficients of a polynomial in one letter, as polynomials in the other letters. */
function coefficientPolynomials(polynomial: Polynomial, letter: string): Polynomial[] {
  const byDegree = new Map<string, Map<string, Fraction>>();
  for (const [monomial, coefficient] of polynomial) {
    const parts = monomial.split(' ');
    const own = parts.find((part) => part.startsWith(`${letter}^`)) ?? '';
    const rest = parts.filter((part) => part !== own).join(' ');
    byDegree.set(own, (byDegree.get(own) ?? new Map<string, Fraction>()).set(rest, coefficient));
  }
  return [...byDegree.values()];
}

/**
 * A factorisation survives when letters get values. So one set of values without a factorisation proves that there is
 * none.
 * If every set has one, the polynomial has one too, because an irreducible polynomial stays irreducible for nearly all
 * values.
 */
function isReducibleOverRationals(polynomial: Polynomial, letters: readonly string[]): boolean | undefined {
  const degreeOf = (letter: string) => degreeIn(polynomial, letter);
  const letter = letters.reduce((best, each) => (degreeOf(each) < degreeOf(best) ? each : best));
  let known = 0;
  for (const round of VALUES.keys()) {
    const coefficients = coefficientsIn(polynomial, letter, valuesOf(round));
    const reducible = coefficients.length - 1 < degreeOf(letter) ? undefined : isReducibleIn(coefficients, 'rational');
    if (reducible === false) return false;
    if (reducible) known += 1;
  }
  return known >= VALUES.length / 2 ? true : undefined;
}

/** @param coefficients in ascending order */
function isReducibleIn(coefficients: readonly Fraction[], field: Field): boolean | undefined {
  const degree = coefficients.length - 1;
  if (degree < 2) return false;
  if (field === 'complex') return true;
  if (field === 'real') return degree > 2 || discriminant(coefficients).compare(0) >= 0;
  const derivative = coefficients.slice(1).map((coefficient, at) => coefficient.mul(at + 1));
  return commonDivisor(coefficients, derivative).length > 1 || hasRationalFactor(withIntegers(coefficients));
}

function discriminant([c, b, a]: readonly Fraction[]): Fraction {
  return (b as Fraction).pow(2)?.sub((a as Fraction).mul(c as Fraction).mul(4)) ?? new Fraction(0);
}

function withIntegers(coefficients: readonly Fraction[]): Fraction[] {
  const denominator = coefficients.reduce((product, { d }) => product * d, 1n);
  return coefficients.map((coefficient) => coefficient.mul(new Fraction(denominator)));
}

/**
 * The roots of a factor are some of the polynomial's roots. For each choice of at most half of them, forms the product
 * and, if its coefficients are nearly integers, tests it by exact division. All roots are simple here.
 */
function hasRationalFactor(coefficients: readonly Fraction[]): boolean | undefined {
  // Floating point cannot tell larger integers from other numbers.
  if (coefficients.some((coefficient) => Math.abs(coefficient.valueOf()) > 1e11)) return undefined;
  const lead = coefficients.at(-1)?.valueOf() ?? 1;
  const roots = rootsOf(coefficients.map((coefficient) => coefficient.valueOf()));
  if (!roots) return undefined;
  const half = Math.floor(roots.length / 2);
  for (let choice = 1; choice < 2 ** roots.length; choice += 1) {
    const chosen = roots.filter((_, at) => (choice >> at) % 2 === 1);
    if (chosen.length > half) continue;
    let product = [{ re: lead, im: 0 }];
    for (const root of chosen) product = timesLinear(product, root);
    const integers = product.map(({ re }) => Math.round(re));
    const close = product.every(
      ({ re, im }, at) => Math.hypot(re - (integers[at] ?? 0), im) < 1e-4 * Math.max(1, Math.abs(re)),
    );
    if (
      close &&
      remainderOf(
        coefficients,
        integers.map((each) => new Fraction(each)),
      ).length === 0
    )
      return true;
  }
  return false;
}

function timesLinear(
  product: { re: number; im: number }[],
  root: { re: number; im: number },
): { re: number; im: number }[] {
  const result = [{ re: 0, im: 0 }, ...product];
  product.forEach(({ re, im }, at) => {
    const term = result[at] as { re: number; im: number };
    result[at] = { re: term.re - (re * root.re - im * root.im), im: term.im - (re * root.im + im * root.re) };
  });
  return result;
}
