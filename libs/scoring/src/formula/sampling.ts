import { Fraction } from './rational';
import type { Assignment } from './evaluation';

/** At how many points two formulas are compared, and at how many of them both need a value for a decision. */
export const POINTS = 24;
export const ENOUGH = 5;

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
  const size = new Fraction(1 + (hash % 43), 11);
  return point >= 8 && !name.includes(' ') && (hash >>> 16) % 2 === 1 ? size.neg() : size;
}

/** FNV-1a with a final scramble: near points and names lead to values that have nothing to do with each other. */
function mix(point: number, name: string): number {
  let hash = 2166136261 ^ Math.imul(point + 1, 0x9e3779b1);
  for (let place = 0; place < name.length; place += 1) hash = Math.imul(hash ^ name.charCodeAt(place), 16777619);
  hash = Math.imul(hash ^ (hash >>> 15), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}
