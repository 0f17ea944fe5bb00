import { approximate } from '../arithmetic';
import { type Assignment, evaluate } from '../evaluation';
import { negative, product, sum } from '../notation/building';
import { type Formula, mapParts, partsOf, symbolsOf } from '../notation/formula';
import { coefficientsIn, commonDivisor, constantOf, type Polynomial, polynomialOf } from '../polynomial';
import { Fraction } from '../rational';
import { rootsOf } from '../roots';
import { isKnown } from './values';

/* Zeros, poles and extrema of formulas in one letter. */

/** The maximum number of pieces into which the absolute values of a formula split it. */
const MAX_PIECES = 16;

/**
 * The zeros and poles of a formula in one letter, in ascending order; undefined when they are unknown.
 * @param at gives the other letters their values.
 */
export function zerosAndPoles(formula: Formula, letter: string, at: Assignment): Fraction[] | undefined {
  const constants = new Constants(letter, at);
  const pieces = piecesOf(constants.namedIn(formula));
  if (!pieces) return undefined;
  const found: Fraction[] = [];
  for (const piece of pieces) {
    const fraction = fractionOf(piece);
    if (!fraction) return undefined;
    for (const polynomial of [fraction.numerator, fraction.denominator]) {
      const roots = realRoots(coefficientsIn(polynomial, letter, constants.valueOf));
      if (!roots) return undefined;
      found.push(...roots);
    }
  }
  return found.sort((a, b) => a.compare(b));
}

/** Whether `zerosAndPoles` can find the zeros of a pivot, so that points lie on both sides of each. */
export function hasKnownZeros(pivot: Formula): boolean {
  const pieces = piecesOf(pivot);
  return pieces !== undefined && pieces.every((piece) => fractionOf(piece) !== undefined);
}

/** The extrema of a polynomial in one letter; none when they are unknown. */
export function extremaOf(polynomial: Polynomial, letter: string, at: Assignment): Fraction[] {
  const { valueOf } = new Constants(letter, at);
  return realRoots(derivativeOf(coefficientsIn(polynomial, letter, valueOf))) ?? [];
}

/** A fraction of polynomials; undefined for other formulas. */
function fractionOf(formula: Formula): { numerator: Polynomial; denominator: Polynomial } | undefined {
  const quotient = quotientOf(formula);
  const [numerator, denominator] = quotient?.map(polynomialOf) ?? [];
  return numerator && denominator && denominator.size > 0 ? { numerator, denominator } : undefined;
}

const ONE: Formula = { kind: 'number', whole: '1' };

/** The numerator and denominator of a formula made of sums, products, quotients and integer powers. */
function quotientOf(formula: Formula): [Formula, Formula] | undefined {
  switch (formula.kind) {
    case 'negative': {
      const of = quotientOf(formula.of);
      return of && [negative(of[0]), of[1]];
    }
    case 'sum': {
      const terms = formula.terms.map(quotientOf);
      if (!terms.every((term) => term !== undefined)) return undefined;
      const denominator = terms.map(([, below]) => below).reduce(product);
      const above = terms.map(([own], at) =>
        terms.filter((_, other) => other !== at).reduce((all, [, below]) => product(all, below), own),
      );
      return [sum(formula.signs, above), denominator];
    }
    case 'product': {
      const factors = formula.factors.map(quotientOf);
      if (!factors.every((factor) => factor !== undefined)) return undefined;
      return [factors.map(([above]) => above).reduce(product), factors.map(([, below]) => below).reduce(product)];
    }
    case 'quotient': {
      const [above, below] = [quotientOf(formula.numerator), quotientOf(formula.denominator)];
      return above && below && [product(above[0], below[1]), product(above[1], below[0])];
    }
    case 'power': {
      const exponent = constantOf(polynomialOf(formula.exponent));
      const base = quotientOf(formula.base);
      if (!base || exponent?.d !== 1n) return undefined;
      const power = (of: Formula): Formula => ({
        kind: 'power',
        base: of,
        exponent: { kind: 'number', whole: String(exponent.n) },
      });
      return exponent.s < 0n ? [power(base[1]), power(base[0])] : [power(base[0]), power(base[1])];
    }
    default:
      return [formula, ONE];
  }
}

/**
 * The formulas that result when each absolute value |x| is replaced by x or by −x, in all combinations; undefined for too
 * many.
 */
function piecesOf(formula: Formula): Formula[] | undefined {
  const inner = firstAbsolute(formula);
  if (!inner) return [formula];
  const pieces: Formula[] = [];
  for (const replacement of [inner.arguments[0]!, negative(inner.arguments[0]!)]) {
    const more = piecesOf(replaced(formula, inner, replacement));
    if (!more || pieces.length + more.length > MAX_PIECES) return undefined;
    pieces.push(...more);
  }
  return pieces;
}

type Call = Formula & { kind: 'call' };

function firstAbsolute(formula: Formula): Call | undefined {
  for (const part of partsOf(formula)) {
    const found = firstAbsolute(part);
    if (found) return found;
  }
  return formula.kind === 'call' && formula.name === 'abs' ? formula : undefined;
}

function replaced(formula: Formula, from: Formula, to: Formula): Formula {
  return formula === from ? to : mapParts(formula, (part) => replaced(part, from, to));
}

/** Gives names to the parts of a formula that do not depend on the letter: √2, π, and every other letter. */
class Constants {
  private readonly named = new Map<string, Fraction>();

  constructor(
    private readonly letter: string,
    private readonly at: Assignment,
  ) {}

  /** The formula with a name in place of each constant that is not a polynomial. */
  namedIn(formula: Formula): Formula {
    if (symbolsOf(formula).includes(this.letter)) return mapParts(formula, (part) => this.namedIn(part));
    const value = polynomialOf(formula) ? undefined : this.evaluated(formula);
    if (!value) return formula;
    const name = `#${this.named.size}`;
    this.named.set(name, value);
    return { kind: 'symbol', name };
  }

  readonly valueOf = (name: string): Fraction =>
    this.named.get(name) ?? this.evaluated({ kind: 'symbol', name }) ?? new Fraction(0);

  private evaluated(formula: Formula): Fraction | undefined {
    const value = evaluate(formula, this.at);
    if (value.exact) return value.exact;
    const number = approximate(value);
    return isKnown(number, true) ? new Fraction(number.z.re) : undefined;
  }
}

/** An exact root has a smaller denominator. An approximate one has that of a floating-point number, which is larger. */
const MAX_EXACT_DENOMINATOR = 1_000_000n;

export const isExactRoot = (root: Fraction): boolean => root.d < MAX_EXACT_DENOMINATOR;

/** The real roots: exact where they are rational with a small denominator, otherwise approximate. */
function realRoots(coefficients: readonly Fraction[]): Fraction[] | undefined {
  const simple = withoutRepeatedRoots(coefficients);
  if (simple.length <= 1) return [];
  if (simple.length === 2) return [simple[0]!.div(simple[1]!).neg()];
  const roots = rootsOf(simple.map((each) => each.valueOf()));
  return roots
    ?.filter(({ re, im }) => Math.abs(im) <= 1e-7 * Math.max(1, Math.abs(re)))
    .map(({ re }) => {
      const rational = new Fraction(re).simplify(1e-9 * Math.max(1, Math.abs(re)));
      return valueAt(simple, rational).equals(0) ? rational : new Fraction(re);
    });
}

function valueAt(coefficients: readonly Fraction[], x: Fraction): Fraction {
  return coefficients.reduceRight((value, coefficient) => value.mul(x).add(coefficient), new Fraction(0));
}

function derivativeOf(coefficients: readonly Fraction[]): Fraction[] {
  return coefficients.slice(1).map((each, at) => each.mul(at + 1));
}

function withoutRepeatedRoots(coefficients: readonly Fraction[]): readonly Fraction[] {
  const derivative = derivativeOf(coefficients);
  const divisor = derivative.length > 0 ? commonDivisor(coefficients, derivative) : [];
  return divisor.length > 1 ? quotient(coefficients, divisor) : coefficients;
}

function quotient(a: readonly Fraction[], b: readonly Fraction[]): Fraction[] {
  const rest = [...a];
  const result: Fraction[] = [];
  while (rest.length >= b.length) {
    const factor = rest.at(-1)!.div(b.at(-1)!);
    result.unshift(factor);
    const shift = rest.length - b.length;
    b.forEach((coefficient, at) => (rest[at + shift] = rest[at + shift]!.sub(coefficient.mul(factor))));
    rest.pop();
  }
  return result;
}
