import { approximate } from '../arithmetic';
import { type Assignment, evaluate } from '../evaluation';
import { negative, product, sum } from '../notation/building';
import { type Formula, mapParts, partsOf, symbolsOf, writtenAs } from '../notation/formula';
import { coefficientsIn, commonDivisor, constantOf, type Polynomial, polynomialOf } from '../polynomial';
import { Fraction } from '../rational';
import { rootsOf } from '../roots';
import { assignmentAt } from '../sampling';
import { isKnown } from './values';

/* Break points, at which a formula may change its course: zeros of absolute values, of radicands of even roots, of
denominators, and of the difference between the sides of a relation. Two formulas can agree on one side of a break point
and differ on the other. */

/** A formula with more absolute values is not split into pieces. */
const MAX_BRANCHES = 16;
/** Sampling points that give the other letters their values in the search for break points of one letter. */
const BASES = [0, 9, 13];
const MAX_SAMPLES = 60;

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

/** The pieces of a formula without absolute values; undefined for too many. */
function piecesOf(formula: Formula): Formula[] | undefined {
  const inner = firstAbsolute(formula);
  if (!inner) return [formula];
  const pieces: Formula[] = [];
  for (const replacement of [inner.arguments[0]!, negative(inner.arguments[0]!)]) {
    const more = piecesOf(replaced(formula, inner, replacement));
    if (!more || pieces.length + more.length > MAX_BRANCHES) return undefined;
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

/** Replaces parts that do not depend on the letter by named constants: √2, π, and every other letter. */
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

/** Exact roots have a smaller denominator. */
const MAX_EXACT_DENOMINATOR = 1_000_000n;

export const isExactRoot = (root: Fraction): boolean => root.d < MAX_EXACT_DENOMINATOR;

/** Roots with a small denominator are exact. */
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

/** Arguments of absolute values, and bases of even powers under even roots: √(u²) = |u|. */
export function pivotsOf(formula: Formula): Formula[] {
  const radicand = radicandOf(formula);
  const own = [
    ...(formula.kind === 'call' && formula.name === 'abs' ? formula.arguments : []),
    ...(radicand ? evenPowersIn(radicand) : []),
  ];
  return distinct([...own, ...partsOf(formula).flatMap(pivotsOf)]);
}

/** Formulas at whose zeros a formula may change its course. Sampling on both sides of the zeros shows what it does. */
export function turnsOf(formula: Formula): Formula[] {
  return [pivotsOf, radicandsIn, logarithmsIn, wrapsIn].flatMap((of) => of(formula));
}

/** Radicands of even roots. */
function radicandsIn(formula: Formula): Formula[] {
  const radicand = radicandOf(formula);
  return distinct([...(radicand ? [radicand] : []), ...partsOf(formula).flatMap(radicandsIn)]);
}

function distinct(formulas: readonly Formula[]): Formula[] {
  return [...new Map(formulas.map((formula) => [writtenAs(formula, true), formula])).values()];
}

/** Arguments of logarithms, which have real values on only one side of their zeros. */
function logarithmsIn(formula: Formula): Formula[] {
  const own = formula.kind === 'call' && ['ln', 'log'].includes(formula.name) ? formula.arguments : [];
  return [...own, ...partsOf(formula).flatMap(logarithmsIn)];
}

const INVERSES = ['arcsin', 'arccos', 'arctan', 'asin', 'acos', 'atan'];

/**
 * arcsin(sin u) equals u only between -π/2 and π/2. Returns, for each such u, formulas that are zero at u = 2 and u =
 * -2.
 */
function wrapsIn(formula: Formula): Formula[] {
  const own = formula.kind === 'call' && INVERSES.includes(formula.name) ? formula.arguments.flatMap(anglesIn) : [];
  const two: Formula = { kind: 'number', whole: '2' };
  const around = own.flatMap((angle): Formula[] => [
    { kind: 'sum', signs: ['+', '-'], terms: [angle, two] },
    { kind: 'sum', signs: ['+', '+'], terms: [angle, two] },
  ]);
  return [...around, ...partsOf(formula).flatMap(wrapsIn)];
}

function anglesIn(formula: Formula): Formula[] {
  const own = formula.kind === 'call' && ['sin', 'cos', 'tan'].includes(formula.name) ? formula.arguments : [];
  return [...own, ...partsOf(formula).flatMap(anglesIn)];
}

/** Whether letters occur under an even root or a logarithm, so that laws for real numbers may not hold for others. */
export function hasRealLaws(formula: Formula): boolean {
  const radicand = radicandOf(formula);
  return (
    [...logarithmsIn(formula), ...(radicand ? [radicand] : [])].some((part) => symbolsOf(part).length > 0) ||
    partsOf(formula).some(hasRealLaws)
  );
}

/** The radicand of an even root. */
function radicandOf(formula: Formula): Formula | undefined {
  if (formula.kind === 'root') {
    const index = formula.index ? constantOf(polynomialOf(formula.index)) : new Fraction(2);
    return !index || (index.d === 1n && index.n % 2n === 0n) ? formula.of : undefined;
  }
  if (formula.kind !== 'power') return undefined;
  const exponent = constantOf(polynomialOf(formula.exponent)) ?? exponentOf(formula.exponent);
  return exponent && exponent.d % 2n === 0n ? formula.base : undefined;
}

function exponentOf(formula: Formula): Fraction | undefined {
  if (formula.kind !== 'quotient') return undefined;
  const [above, below] = [formula.numerator, formula.denominator].map((part) => constantOf(polynomialOf(part)));
  return above && below && !below.equals(0) ? above.div(below) : undefined;
}

function evenPowersIn(formula: Formula): Formula[] {
  const own = formula.kind === 'power' && isEven(constantOf(polynomialOf(formula.exponent))) ? [formula.base] : [];
  return [...own, ...partsOf(formula).flatMap(evenPowersIn)];
}

const isEven = (exponent: Fraction | undefined) => exponent?.d === 1n && exponent.n % 2n === 0n;

/** Whether a formula is never negative. Then its absolute value, or an even root of its square, equals the formula. */
export function isNeverNegative(formula: Formula): boolean {
  switch (formula.kind) {
    case 'number':
    case 'mixed':
      return true;
    case 'symbol':
      return formula.name === '\\pi';
    case 'text':
      return true;
    case 'sum':
      return formula.signs.every((sign) => sign === '+') && formula.terms.every(isNeverNegative);
    case 'product':
      return formula.factors.every(isNeverNegative);
    case 'quotient':
      return isNeverNegative(formula.numerator) && isNeverNegative(formula.denominator);
    case 'power':
      return (
        isEven(constantOf(polynomialOf(formula.exponent))) || isPositive(formula.base) || isNeverNegative(formula.base)
      );
    case 'root':
      return formula.index === undefined;
    case 'call':
      return ['abs', 'exp', 'cosh', 'factorial'].includes(formula.name);
    default:
      return false;
  }
}

const isPositive = (formula: Formula) => formula.kind === 'symbol' && (formula.name === 'e' || formula.name === '\\pi');

/** Break points closer than this count as one. */
const NEAR = 1e-9;

const BEYOND = [0.4, 2.3, 4.6, 9.1];

/** Values before, between and after break points. */
export function between(points: readonly Fraction[], near = NEAR): Fraction[] {
  const numbers = points.map((point) => point.valueOf());
  if (numbers.length === 0) return [];
  const values = [numbers[0]! - 1 - Math.abs(numbers[0]!) / 3];
  for (let at = 1; at < numbers.length; at += 1) {
    const [low, high] = [numbers[at - 1]!, numbers[at]!];
    if (high - low > near * Math.max(1, Math.abs(low), Math.abs(high))) values.push((low + high) / 2);
  }
  const last = numbers.at(-1)!;
  values.push(last + 1 + Math.abs(last) / 3);
  return values.filter(Number.isFinite).map(shortFraction);
}

/** A value near the number with few digits, if that is far enough from its neighbours. */
function shortFraction(number: number): Fraction {
  const short = Math.round(number * 1024) / 1024;
  return new Fraction(Math.abs(short - number) <= Math.abs(number) * 1e-3 ? short : number);
}

/**
 * Points around the break points of formulas. For each letter: values before, between and after its break points, while
 * the other letters have the values of a few sampling points.
 * @param pivots formulas at whose zeros something may change.
 * @param withZeros whether the zeros are included.
 */
export function pointsAround(
  pivots: readonly Formula[],
  letters: readonly string[],
  onlyLetters: boolean,
  withZeros = false,
): Assignment[] {
  return pointsAt(letters, onlyLetters, (letter, at) => {
    const zeros = pivots.flatMap((pivot) => zerosAndPoles(pivot, letter, at) ?? []);
    zeros.sort((a, b) => a.compare(b));
    return [...(withZeros ? zeros : []), ...between(zeros), ...beyond(zeros)];
  });
}

/** Distances from the middle of a peak at which its sides are sampled. */
const BESIDE = [0, 1 / 2, 1 / 8, 1 / 64, 1 / 1024];

/**
 * Points at and beside the extrema of polynomials within the formulas. A formula may have a narrow peak there that
 * other points would miss: 1 / (1 + (x - 50)⁴).
 */
export function peaksOf(formulas: readonly Formula[], letters: readonly string[], onlyLetters: boolean): Assignment[] {
  const found = new Map<string, Polynomial>();
  const visit = (part: Formula) => {
    const polynomial = polynomialOf(part);
    if (polynomial) found.set(writtenAs(part, true), polynomial);
    else partsOf(part).forEach(visit);
  };
  formulas.forEach(visit);
  return pointsAt(letters, onlyLetters, (letter, at) => {
    const { valueOf } = new Constants(letter, at);
    const peaks = [...found.values()].flatMap(
      (each) => realRoots(derivativeOf(coefficientsIn(each, letter, valueOf))) ?? [],
    );
    return BESIDE.flatMap((distance) => peaks.map((peak) => peak.add(distance)));
  });
}

function pointsAt(
  letters: readonly string[],
  onlyLetters: boolean,
  valuesOf: (letter: string, at: Assignment) => readonly Fraction[],
): Assignment[] {
  const points: Assignment[] = [];
  for (const base of letters.length > 1 ? BASES : BASES.slice(0, 1))
    for (const letter of letters) {
      const at = assignmentAt(base, onlyLetters, true);
      for (const value of valuesOf(letter, at)) {
        if (points.length >= MAX_SAMPLES) return points;
        points.push({ ...at, valueOf: (name) => (name === letter ? value : at.valueOf(name)) });
      }
    }
  return points;
}

/** Values beyond all break points on both sides: a root or a logarithm may have values on only one side. */
function beyond(points: readonly Fraction[]): Fraction[] {
  const [first, last] = [points[0]?.valueOf(), points.at(-1)?.valueOf()];
  if (first === undefined || last === undefined) return [];
  return BEYOND.flatMap((step) => [first - step, last + step]).map(shortFraction);
}

/** Whether the zeros of a pivot are known, so that points lie on both sides of each. */
export function hasKnownZeros(pivot: Formula): boolean {
  const pieces = piecesOf(pivot);
  return pieces !== undefined && pieces.every((piece) => fractionOf(piece) !== undefined);
}
