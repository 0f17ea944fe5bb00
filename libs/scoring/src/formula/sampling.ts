import { Fraction } from './rational';
import type { Assignment } from './evaluation';

/** At how many points two formulas are compared, and at how many of them both need a value for a decision. */
export const POINTS = 30;
export const MIN_SAMPLES = 5;

/** Points from here on are far from zero. */
export const FAR = 24;

/** Denominators of the values, by turns: no factor of π or of a letter makes all values special at once. */
const DENOMINATORS = [11, 13, 7, 17, 19, 23, 29, 31];

/**
 * The values that letters have at one of the points. They depend on the number of the point and on the letter alone, so
 * that a comparison always comes out the same. At the first eight points all are positive, where roots and logarithms
 * have values; what is measured or named (`unit m`, `function f`) is positive throughout.
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

/** FNV-1a with a final scramble: near points and names lead to values that have nothing to do with each other. */
function mix(point: number, name: string): number {
  let hash = 2166136261 ^ Math.imul(point + 1, 0x9e3779b1);
  for (let place = 0; place < name.length; place += 1) hash = Math.imul(hash ^ name.charCodeAt(place), 16777619);
  hash = Math.imul(hash ^ (hash >>> 15), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}
