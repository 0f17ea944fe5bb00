import type { Json } from '#kernel';

export { flagOf, isObject, listOf, objectOf } from '#kernel';

// Reads members of stored definitions, which are as their authors sent them: absent or of any type.

const NUMBER = /^[+-]?(\d+(\.\d*)?|\.\d+)(e[+-]?\d+)?$/i;

/** A number, or a text with a number ("2.0", frequent in public data). Never NaN or infinite. */
export function numberOf(value: Json | undefined): number | undefined {
  const number = typeof value === 'string' && NUMBER.test(value.trim()) ? Number(value) : value;
  return typeof number === 'number' && Number.isFinite(number) ? number : undefined;
}

/** Points, at least 0. */
export function pointsOf(value: Json | undefined, otherwise: number): number {
  return Math.max(0, numberOf(value) ?? otherwise);
}
