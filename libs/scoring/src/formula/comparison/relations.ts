import { approximate, type Value } from '../arithmetic';
import { type Assignment, evaluate } from '../evaluation';
import type { Formula, RelationSign } from '../notation/formula';
import { assignmentAt, MIN_SAMPLES, FAR, POINTS } from '../sampling';
import { pointsAround } from './break-points';
import { turnsOf } from './turns';
import {
  type Comparison,
  hasLetters,
  isImaginary,
  lettersOf,
  type Match,
  no,
  place,
  sameValue,
  undecided,
  yes,
} from './functions';
import { agree, isKnown } from './values';

/** A relation between two formulas, or one link of a chain such as a < b < c. */
export interface Link {
  sign: RelationSign;
  left: Formula;
  right: Formula;
}

type Relation = Formula & { kind: 'relation' };

/** The links of a chain, with the smaller side on the left. */
export function linksOf({ signs, sides }: Relation): Link[] {
  const links = signs.map((sign, at) => ({ sign, left: sides[at] as Formula, right: sides[at + 1] as Formula }));
  const turned =
    signs.every((sign) => sign === '>' || sign === '≥' || sign === '=') && signs.some((sign) => sign !== '=');
  return turned
    ? links.reverse().map(turn)
    : links.map((link) => (link.sign === '>' || link.sign === '≥' ? turn(link) : link));
}

function turn({ sign, left, right }: Link): Link {
  return { sign: sign === '>' ? '<' : sign === '≥' ? '≤' : sign, left: right, right: left };
}

/**
 * Whether two relations are equivalent. An equation is equivalent to all of its multiples. An equation without letters
 * is equivalent whenever it is true.
 */
export function sameRelation(value: Relation, response: Relation, how: Comparison): Match {
  if (how.compareSides) return sameSides(value, response, how);
  const [links, own] = [linksOf(value), linksOf(response)];
  if (!hasLetters(value, how) && !hasLetters(response, how) && holds(value, how).matches) return holds(response, how);
  if (links.length !== own.length) return differentChains(value, response, how);
  for (const [at, link] of links.entries()) {
    const match = sameLink(link, own[at] as Link, how);
    if (!match.matches) return match;
  }
  return yes('says the same as the accepted answer');
}

/** Compares relations with different chains. They may be equivalent: −x < y < x and |y| < x. */
function differentChains(value: Relation, response: Relation, how: Comparison): Match {
  const [links, own] = [linksOf(value), linksOf(response)];
  const isTrue = (all: Link[], at: Assignment) => all.every((link) => truthOf(link, at, how) === true);
  const isChain = [...links, ...own].every(({ sign }) => sign === '<' || sign === '≤');
  const points = Array.from({ length: POINTS }, (_, point) => assignmentAt(point, how.onlyLetters, true));
  return isChain && points.every((at) => isTrue(links, at) === isTrue(own, at))
    ? undecided('may say the same as the accepted answer in another form')
    : no(`has ${own.length} relations instead of ${links.length}`);
}

function sameSides(value: Relation, response: Relation, how: Comparison): Match {
  if (value.signs.join() !== response.signs.join()) {
    return no(`relates its sides by ${response.signs.join(' ')} instead of ${value.signs.join(' ')}`);
  }
  for (const [at, side] of value.sides.entries()) {
    const match = sameValue(side, response.sides[at] as Formula, how);
    if (!match.matches) return { ...match, reason: `${match.reason} (side ${at + 1})` };
  }
  return yes('has the same sides as the accepted answer');
}

/** Whether a relation holds for all values of its letters. */
export function holds(relation: Relation, how: Comparison): Match {
  const letters = lettersOf(relation, relation, how);
  const constant = !hasLetters(relation, how);
  const real = !constant && !isImaginary(relation, how);
  let known = 0;
  const links = linksOf(relation);
  const points = Array.from({ length: constant ? 1 : POINTS }, (_, point) =>
    assignmentAt(point, how.onlyLetters, real),
  );
  if (real) points.push(...pointsAround(changesOf(links), letters, how.onlyLetters, true));
  for (const [index, at] of points.entries()) {
    const truths = links.map((link) => truthOf(link, at, how, constant ? 'number' : index < FAR ? 'function' : 'far'));
    if (truths.includes(false)) return no(constant ? 'is not true' : `is not true for ${place(letters, at)}`);
    if (!truths.includes(undefined)) known += 1;
  }
  if (known >= (constant ? 1 : MIN_SAMPLES)) return yes('is true');
  return undecided('has sides whose values could not be calculated');
}

/** Whether a relation holds at a point; undefined if a side has no value there. */
export function truthOf(
  { sign, left, right }: Link,
  at: Assignment,
  how: Comparison,
  of: 'number' | 'function' | 'far' = 'function',
): boolean | undefined {
  const [a, b] = [evaluate(left, at), evaluate(right, at)];
  const equal = agree(a, b, { places: how.decimalPlaces, of, real: false });
  if (equal === undefined) return undefined;
  switch (sign) {
    case '=':
    case '≈':
      return equal;
    case '≠':
      return !equal;
    case '<':
      return !equal && isLess(a, b);
    default:
      return equal || isLess(a, b);
  }
}

function isLess(a: Value, b: Value): boolean | undefined {
  if (a.exact && b.exact) return a.exact.compare(b.exact) < 0;
  const [left, right] = [approximate(a), approximate(b)];
  return isKnown(left, true) && isKnown(right, true) ? left.z.re < right.z.re : undefined;
}

/** From this many decimal places on, numbers are compared as exact. */
export const EXACT = 8;

/** Formulas at whose zeros the truth of relations may change. */
function changesOf(links: readonly Link[]): Formula[] {
  return links.flatMap(({ left, right }) => [
    { kind: 'sum', signs: ['+', '-'], terms: [left, right] } satisfies Formula,
    ...turnsOf(left),
    ...turnsOf(right),
  ]);
}

/** Left side minus right side of both relations at one point, and the scale for their difference. */
interface Differences {
  value: number;
  response: number;
  size: number;
}

function sameLink(value: Link, response: Link, how: Comparison): Match {
  const directed = (sign: RelationSign) => sign === '<' || sign === '≤';
  if (value.sign !== response.sign) return no(`has the sign ${response.sign} instead of ${value.sign}`);
  const letters = lettersOf(relationOf(value), relationOf(response), how);
  const found: Differences[] = [];
  let zero = 0;
  const points = Array.from({ length: POINTS }, (_, point) => assignmentAt(point, how.onlyLetters, true));
  // Points between an exact and a rounded bound would be misleading.
  if (how.decimalPlaces >= EXACT) points.push(...pointsAround(changesOf([value, response]), letters, how.onlyLetters));
  for (const at of points) {
    const differences = differencesAt(value, response, at);
    if (!differences) continue;
    const { value: a, response: b, size } = differences;
    const nothing = size * 10 ** -how.decimalPlaces;
    if (Math.abs(a) <= nothing && Math.abs(b) <= nothing) zero += 1;
    else if (directed(value.sign) && a < 0 !== b < 0) return no(`is not the same for ${place(letters, at)}`);
    else found.push(differences);
  }
  if (found.length === 0 && zero >= MIN_SAMPLES) return sameIdentity(value, response, how);
  if (found.length + zero < MIN_SAMPLES) return undecided('has sides whose values could be compared at too few points');
  if (areMultiples(found, how)) return yes('says the same as the accepted answer');
  if (directed(value.sign)) return undecided('may say the same as the accepted answer in another form');
  return counterexample(value, response, how, letters);
}

function relationOf({ sign, left, right }: Link): Relation {
  return { kind: 'relation', signs: [sign], sides: [left, right] };
}

function differencesAt(value: Link, response: Link, at: Assignment): Differences | undefined {
  const sides = [value.left, value.right, response.left, response.right].map((side) => approximate(evaluate(side, at)));
  if (!sides.every((side) => isKnown(side, true))) return undefined;
  const [a = 0, b = 0, c = 0, d = 0] = sides.map(({ z }) => z.re);
  return { value: a - b, response: c - d, size: Math.max(1, Math.abs(a), Math.abs(b), Math.abs(c), Math.abs(d)) };
}

/** Compares equations that always hold by their sides, in either order. */
function sameIdentity(value: Link, response: Link, how: Comparison): Match {
  const straight = sameSides(relationOf(value), relationOf(response), how);
  return straight.matches
    ? straight
    : sameSides(relationOf(value), relationOf({ ...response, left: response.right, right: response.left }), how);
}

/** Whether one factor turns one relation into the other at all points. For inequalities it must be positive. */
function areMultiples(found: readonly Differences[], { decimalPlaces }: Comparison): boolean {
  const widest = found.reduce((best, each) =>
    Math.abs(each.value) / each.size > Math.abs(best.value) / best.size ? each : best,
  );
  const factor = widest.response / widest.value;
  if (!Number.isFinite(factor) || factor === 0) return false;
  const unit = 10 ** -decimalPlaces;
  return found.every(
    ({ value, response, size }) =>
      Math.abs(response / factor - value) <= 4 * unit * size * Math.max(1, 1 / Math.abs(factor)),
  );
}

/** Points from which the search for solutions starts: some positive, some of either sign. */
const STARTS = [0, 1, 9, 11, 13, 15];

/**
 * Equations differ if a solution of one does not solve the other. Without such a solution, the comparison is undecided.
 */
function counterexample(value: Link, response: Link, how: Comparison, letters: string[]): Match {
  for (const point of STARTS) {
    for (const letter of letters) {
      for (const [solved, other] of [
        [value, response],
        [response, value],
      ] as const) {
        const at = solutionOf(solved, letter, assignmentAt(point, how.onlyLetters, true));
        const differences = at && differencesAt(solved, other, at);
        if (
          at &&
          differences &&
          Math.abs(differences.value) <= 1e-9 * differences.size &&
          Math.abs(differences.response) > 1e-5 * differences.size
        ) {
          return no(
            `is ${solved === value ? 'not true' : 'true'} for ${place(letters, at)}, other than the accepted answer`,
          );
        }
      }
    }
  }
  return undecided('may say the same as the accepted answer in another form');
}

/** The assignment with one letter changed so that the equation holds, found by the secant method. */
function solutionOf(link: Link, letter: string, at: Assignment): Assignment | undefined {
  const withLetter = (x: number): Assignment => ({
    ...at,
    valueOf: (name) => (name === letter ? x : at.valueOf(name)),
  });
  const difference = (x: number) => {
    const [left, right] = [link.left, link.right].map((side) => approximate(evaluate(side, withLetter(x))));
    return left && right && isKnown(left, true) && isKnown(right, true) ? left.z.re - right.z.re : NaN;
  };
  let [x0, x1] = [Number(at.valueOf(letter)), Number(at.valueOf(letter)) + 0.5];
  let [y0, y1] = [difference(x0), difference(x1)];
  for (let step = 0; step < 30 && y1 !== 0; step += 1) {
    const next = x1 - (y1 * (x1 - x0)) / (y1 - y0);
    if (!Number.isFinite(next) || Math.abs(next) > 1e6) return undefined;
    [x0, y0, x1] = [x1, y1, next];
    y1 = difference(x1);
    if (Math.abs(x1 - x0) <= 1e-13 * Math.max(1, Math.abs(x1))) break;
  }
  return Number.isFinite(y1) ? withLetter(x1) : undefined;
}
