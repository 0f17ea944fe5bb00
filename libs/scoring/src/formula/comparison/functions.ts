import { approximate, type Value } from '../arithmetic';
import { type Assignment, evaluate } from '../evaluation';
import { someWithin, symbolsOf, type Formula } from '../notation/formula';
import { polynomialOf } from '../polynomial';
import { Fraction } from '../rational';
import { assignmentAt, ENOUGH, POINTS } from '../sampling';
import { agree } from './values';

export interface Comparison {
  /** Decimal places to which numbers have to agree, 0 to 10. */
  decimalPlaces: number;
  /** Equations are compared side by side. */
  compareSides: boolean;
  /** e and i are letters like others. */
  onlyLetters: boolean;
}

/** `null`: not decided. The reason is a sentence without its subject, "the answer". */
export interface Match {
  matches: boolean | null;
  reason: string;
}

export const yes = (reason: string): Match => ({ matches: true, reason });
export const no = (reason: string): Match => ({ matches: false, reason });
export const undecided = (reason: string): Match => ({ matches: null, reason });

/** The values of two formulas at one of the points, in the real or in the complex numbers. */
type Pair = (point: number, real: boolean) => [Value, Value, Assignment];

/** Whether two formulas without relations and ± have the same value, whatever their letters stand for. */
export function sameValue(value: Formula, response: Formula, how: Comparison): Match {
  const pair: Pair = (point, real) => {
    const at = assignmentAt(point, how.onlyLetters, real);
    return [evaluate(value, at), evaluate(response, at), at];
  };
  if (!hasLetters(value, how) && !hasLetters(response, how)) return sameNumber(pair(0, false), how);
  const match = sameCoefficients(value, response, how);
  return (
    match ??
    sameAtPoints(pair, how, isImaginary(value, how) || isImaginary(response, how), lettersOf(value, response, how))
  );
}

function sameAtPoints(pair: Pair, how: Comparison, imaginary: boolean, letters: string[]): Match {
  const match = sameFunction(pair, how, !imaginary, letters);
  return match.matches === null && !imaginary ? sameFunction(pair, how, false, letters) : match;
}

/** Polynomials are the same when their coefficients are; no value has to be calculated. */
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

function sameNumber([value, response]: [Value, Value, Assignment], { decimalPlaces: places }: Comparison): Match {
  const agrees = agree(value, response, { places, of: 'number', real: false });
  if (agrees === undefined) return undecided('has no value that could be calculated and compared');
  const found = `has the value ${shown(response)}`;
  if (agrees) return yes(`${found}, which agrees to ${places} decimal places`);
  return no(`${found} instead of ${shown(value)}`);
}

function sameFunction(pair: Pair, { decimalPlaces: places }: Comparison, real: boolean, letters: string[]): Match {
  let compared = 0;
  for (let point = 0; point < POINTS; point += 1) {
    const [value, response, at] = pair(point, real);
    const agrees = agree(value, response, { places, of: 'function', real });
    if (agrees === false) {
      return no(
        `has another value than the accepted answer: ${shown(response)} instead of ${shown(value)}${letters.length > 0 ? ` for ${place(letters, at)}` : ''}`,
      );
    }
    if (agrees) compared += 1;
  }
  if (compared >= ENOUGH)
    return yes(`has the same value as the accepted answer, to ${places} decimal places at ${compared} points`);
  return undecided('has values that could be compared at too few points');
}

export function place(letters: string[], at: Assignment): string {
  return letters.map((letter) => `${letter} = ${shownNumber(Number(at.valueOf(letter)))}`).join(', ');
}

export function lettersOf(value: Formula, response: Formula, how: Comparison): string[] {
  const letters = new Set([...symbolsOf(value), ...symbolsOf(response)].filter((name) => !isConstant(name, how)));
  return [...letters].sort();
}

/** Letters, words and unknown functions make a formula more than a number. */
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

/** @param value one that is known */
export function shown(value: Value): string {
  const { z } = approximate(value);
  if (Math.abs(z.im) < 1e-12 * Math.max(1, z.abs())) return shownNumber(z.re);
  return `${shownNumber(z.re)} ${z.im < 0 ? '-' : '+'} ${shownNumber(Math.abs(z.im))}i`;
}

function shownNumber(number: number): string {
  return String(Number(number.toPrecision(10)));
}
