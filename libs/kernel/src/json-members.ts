import type { Json, JsonObject } from './json';

/* Reads members of stored or sent JSON, which are as their authors wrote them: absent or of any type. */

/** The object; an empty one in place of anything else. */
export function objectOf(value: Json | undefined): JsonObject {
  return isObject(value) ? value : {};
}

export function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The list; an empty one in place of anything else. */
export function listOf(value: Json | undefined): Json[] {
  return Array.isArray(value) ? value : [];
}

const NUMBER = /^[+-]?(\d+(\.\d*)?|\.\d+)(e[+-]?\d+)?$/i;

/** A number, or a text with a number ("2.0", frequent in public data). Never NaN or infinite. */
export function numberOf(value: Json | undefined): number | undefined {
  const number = typeof value === 'string' && NUMBER.test(value.trim()) ? Number(value) : value;
  return typeof number === 'number' && Number.isFinite(number) ? number : undefined;
}

/** A boolean, or a text, 0 or 1 that means one; undefined in place of anything else. */
export function flagOf(value: Json | undefined): boolean | undefined {
  if (value === true || value === 'true' || value === 1 || value === '1') return true;
  if (value === false || value === 'false' || value === 0 || value === '0') return false;
  return undefined;
}
