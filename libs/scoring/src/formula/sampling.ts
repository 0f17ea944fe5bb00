import { Fraction } from './rational';
import type { Assignment } from './evaluation';

/** The number of points at which two formulas are compared, and how many of them must have values for a decision. */
export const POINTS = 30;
export const MIN_SAMPLES = 5;

/** From this index on, points are far from zero. */
export const FAR = 24;

/** Denominators of the values, in rotation, so that no factor of π or a letter makes all values special at once. */
const DENOMINATORS = [11, 13, 7, 17, 19, 23, 29, 31];

/**
 * The values of the letters at one point. They depend only on the index of the point and the letter, so that
 * comparisons are deterministic. At the first eight points all are positive, where roots and logarithms have values.
 * Units and functions (`unit m`, `function f`) are always positive.
 */
export function assignmentAt(point: number, onlyLetters: boolean, real = false): Assignment {
  const values = new Map<string, Fraction>();
  return {
    onlyLetters,
    real,
    valueOf: (name) => {
      let value = values.get(name);
      if (!value) values.set(name, (value = valueAt(point, name)));
      return value;
    },
  };
}

function valueAt(point: number, name: string): Fraction {
  const hash = mix(point, name);
  const denominator = DENOMINATORS[point % DENOMINATORS.length]!;
  const isLetter = !name.includes(' ');
  const scale = isLetter && point >= FAR ? 10 ** (1 + Math.floor((point - FAR) / 2)) : 1;
  const size = new Fraction(scale * (1 + (hash % (4 * denominator - 1))), denominator);
  return point >= 8 && isLetter && (hash >>> 16) % 2 === 1 ? size.neg() : size;
}

/** FNV-1a with a final scramble: similar points and names give unrelated values. */
function mix(point: number, name: string): number {
  let hash = 2166136261 ^ Math.imul(point + 1, 0x9e3779b1);
  for (let place = 0; place < name.length; place += 1) hash = Math.imul(hash ^ name.charCodeAt(place), 16777619);
  hash = Math.imul(hash ^ (hash >>> 15), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}
