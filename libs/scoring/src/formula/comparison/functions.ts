import { approximate, type Value } from '../arithmetic';
import { type Assignment, evaluate } from '../evaluation';
import { someWithin, symbolsOf, type Formula, writtenAs } from '../notation/formula';
import { polynomialOf } from '../polynomial';
import { Fraction } from '../rational';
import { assignmentAt, MIN_SAMPLES, FAR, POINTS } from '../sampling';
import { peaksOf, pointsAround } from './break-points';
import { hasRealLaws, isNeverNegative, pivotsOf, turnsOf } from './turns';
import { hasKnownZeros } from './zeros';
import { agree, isKnown } from './values';

export interface Comparison {
  /** Decimal places to which numbers must agree, 0 to 10. */
  decimalPlaces: number;
  /** Equations are compared side by side. */
  compareSides: boolean;
  /** e and i are ordinary letters. */
  onlyLetters: boolean;
}

/** `null`: undecided. The reason is a sentence without its subject, "the answer". */
export interface Match {
  matches: boolean | null;
  reason: string;
}

export const yes = (reason: string): Match => ({ matches: true, reason });
export const no = (reason: string): Match => ({ matches: false, reason });
export const undecided = (reason: string): Match => ({ matches: null, reason });

/** Two formulas to compare by their values. */
interface Pair {
  value: Formula;
  response: Formula;
  letters: string[];
}

/** Whether two formulas without relations and ± have the same value for all values of their letters. */
export function sameValue(value: Formula, response: Formula, how: Comparison): Match {
  const pair = { value, response, letters: lettersOf(value, response, how) };
  if (!hasLetters(value, how) && !hasLetters(response, how)) {
    const at = assignmentAt(0, how.onlyLetters);
    return sameNumber(evaluate(value, at), evaluate(response, at), how);
  }
  const match = sameCoefficients(value, response, how);
  return match ?? sameAtPoints(pair, how, isImaginary(value, how) || isImaginary(response, how));
}

function sameAtPoints(pair: Pair, how: Comparison, imaginary: boolean): Match {
  const real = imaginary ? undefined : sameFunction(pair, how, true);
  if (real && real.reason !== TOO_FEW) return real;
  const match = sameFunction(pair, how, false);
  return real && match.matches === false && (hasRealLaws(pair.value) || hasRealLaws(pair.response)) ? real : match;
}

const TOO_FEW = 'has values that could be compared at too few points';

/** Compares polynomials by their coefficients, without calculating values. */
function sameCoefficients(value: Formula, response: Formula, how: Comparison): Match | undefined {
  const { decimalPlaces: places } = how;
  if ([value, response].some((formula) => symbolsOf(formula).some((name) => isConstant(name, how)))) return undefined;
  const [accepted, own] = [polynomialOf(value), polynomialOf(response)];
  if (!accepted || !own) return undefined;
  for (const monomial of new Set([...accepted.keys(), ...own.keys()])) {
    const [a, b] = [accepted, own].map((polynomial) => polynomial.get(monomial) ?? new Fraction(0));
    if (a && b && !agree({ exact: a }, { exact: b }, { places, of: 'number', real: true })) {
      const term = monomial === '' ? 'the constant' : monomial.replace(/\^1(?= |$)/g, '');
      return no(`has the coefficient ${shown({ exact: b })} of ${term} instead of ${shown({ exact: a })}`);
    }
  }
  return yes(`has the same coefficients as the accepted answer, to ${places} decimal places`);
}

function sameNumber(value: Value, response: Value, { decimalPlaces: places }: Comparison): Match {
  const agrees = agree(value, response, { places, of: 'number', real: false });
  if (agrees === undefined) return undecided('has no value that could be calculated and compared');
  const found = `has the value ${shown(response)}`;
  if (agrees) return yes(`${found}, which agrees to ${places} decimal places`);
  return no(`${found} instead of ${shown(value)}`);
}

function sameFunction({ value, response, letters }: Pair, how: Comparison, real: boolean): Match {
  const { decimalPlaces: places, onlyLetters } = how;
  const pivots = new Pivots(value, response);
  let compared = 0;
  let lacking = 0;
  const points = Array.from({ length: POINTS }, (_, point) => assignmentAt(point, onlyLetters, real));
  if (real) {
    const both = [value, response];
    points.push(...pointsAround(both.flatMap(turnsOf), letters, onlyLetters));
    points.push(...peaksOf(both, letters, onlyLetters));
  }
  for (const [index, at] of points.entries()) {
    const [accepted, own] = [evaluate(value, at), evaluate(response, at)];
    const agrees = agree(accepted, own, { places, of: index < FAR ? 'function' : 'far', real });
    if (agrees === false) {
      return no(
        `has another value than the accepted answer: ${shown(own)} instead of ${shown(accepted)}${letters.length > 0 ? ` for ${place(letters, at)}` : ''}`,
      );
    }
    if (agrees ?? !isOutside([value, response], at)) pivots.see(at, agrees === true);
    if (agrees) compared += 1;
    else if (real && isKnown(approximate(accepted), true) && isOutside([response], at)) lacking += 1;
  }
  if (compared < MIN_SAMPLES)
    return lacking < MIN_SAMPLES ? undecided(TOO_FEW) : no('has no real value where the accepted answer has one');
  if (real && pivots.areUnseen)
    return undecided('has an absolute value or an even root of which no change of sign was seen');
  return yes(`has the same value as the accepted answer, to ${places} decimal places at ${compared} points`);
}

/** Whether a formula has a value at a point, but no real one. Unknown where a value is too large. */
function isOutside(formulas: readonly Formula[], at: Assignment): boolean {
  return formulas.some((formula) => {
    const value = approximate(evaluate(formula, { ...at, real: false }));
    return isKnown(value, false) && !isKnown(value, true);
  });
}

/** A value closer to zero has no sign. */
const ZERO = 1e-6;

/** The break points of only one of two formulas, and the sides of them that were compared. */
class Pivots {
  private readonly own: { pivot: Formula; isKnown: boolean; signs: Set<number>; compared: Set<number> }[];

  constructor(value: Formula, response: Formula) {
    const [accepted, own] = [pivotsOf(value), pivotsOf(response)];
    const names = own.map((pivot) => writtenAs(pivot, true));
    const shared = new Set(accepted.map((pivot) => writtenAs(pivot, true)).filter((name) => names.includes(name)));
    this.own = [...accepted, ...own]
      .filter((pivot) => !shared.has(writtenAs(pivot, true)) && !isNeverNegative(pivot))
      .map((pivot) => ({ pivot, isKnown: hasKnownZeros(pivot), signs: new Set(), compared: new Set() }));
  }

  see(at: Assignment, isCompared: boolean): void {
    for (const { pivot, signs, compared } of this.own) {
      const { z } = approximate(evaluate(pivot, at));
      if (!(Math.abs(z.im) <= 1e-9 * z.abs()) || Math.abs(z.re) < ZERO) continue;
      signs.add(Math.sign(z.re));
      if (isCompared) compared.add(Math.sign(z.re));
    }
  }

  /**
   * Whether a side was missed. If the zeros are known, the points cover all sides. Otherwise two sides must have been
   * seen.
   */
  get areUnseen(): boolean {
    return this.own.some(({ isKnown, signs, compared }) => compared.size < (isKnown ? signs.size : 2));
  }
}

export function place(letters: string[], at: Assignment): string {
  return letters.map((letter) => `${letter} = ${shownNumber(Number(at.valueOf(letter)))}`).join(', ');
}

export function lettersOf(value: Formula, response: Formula, how: Comparison): string[] {
  const letters = new Set([...symbolsOf(value), ...symbolsOf(response)].filter((name) => !isConstant(name, how)));
  return [...letters].sort();
}

/** Whether a formula contains letters, words or unknown functions, and so is not just a number. */
export function hasLetters(formula: Formula, how: Comparison): boolean {
  return someWithin(
    formula,
    (part) =>
      (part.kind === 'symbol' && !isConstant(part.name, how)) ||
      (part.kind === 'text' && part.text !== '°') ||
      (part.kind === 'call' && part.name.length === 1),
  );
}

function isConstant(name: string, { onlyLetters }: Comparison): boolean {
  return name === '\\pi' || name === '\\infty' || (!onlyLetters && (name === 'e' || name === 'i'));
}

export function isImaginary(formula: Formula, { onlyLetters }: Comparison): boolean {
  return !onlyLetters && someWithin(formula, (part) => part.kind === 'symbol' && part.name === 'i');
}

/** @param value a value that is not UNDEFINED */
export function shown(value: Value): string {
  const { z } = approximate(value);
  if (Math.abs(z.im) < 1e-12 * Math.max(1, z.abs())) return shownNumber(z.re);
  return `${shownNumber(z.re)} ${z.im < 0 ? '-' : '+'} ${shownNumber(Math.abs(z.im))}i`;
}

function shownNumber(number: number): string {
  return String(Number(number.toPrecision(10)));
}
