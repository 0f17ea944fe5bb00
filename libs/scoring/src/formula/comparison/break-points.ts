import { type Assignment } from '../evaluation';
import { type Formula, partsOf, writtenAs } from '../notation/formula';
import { type Polynomial, polynomialOf } from '../polynomial';
import { Fraction } from '../rational';
import { assignmentAt } from '../sampling';
import { extremaOf, zerosAndPoles } from './zeros';

/* Break points, at which a formula may change its course: zeros of absolute values, of radicands of even roots, of
denominators, and of the difference between the sides of a relation. Two formulas can agree on one side of a break point
and differ on the other. */

/** Sampling points that give the other letters their values in the search for break points of one letter. */
const BASES = [0, 9, 13];
const MAX_SAMPLES = 60;

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
    const peaks = [...found.values()].flatMap((each) => extremaOf(each, letter, at));
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
