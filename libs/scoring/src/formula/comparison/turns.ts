import { type Formula, partsOf, symbolsOf, writtenAs } from '../notation/formula';
import { constantOf, polynomialOf } from '../polynomial';
import { Fraction } from '../rational';

/* Formulas at whose zeros another formula may change its course: absolute values, radicands of even roots, arguments of
logarithms, and the ends of the ranges of inverse functions. */

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
