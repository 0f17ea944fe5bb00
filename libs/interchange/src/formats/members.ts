import { type Json, type JsonObject } from '#kernel';

// Reads members of stored definitions. These may be absent or of any type, because definitions are stored as sent.

export const isObject = (value: Json | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
export const objectOf = (value: Json | undefined): JsonObject => (isObject(value) ? value : {});
export const listOf = (value: Json | undefined): readonly Json[] => (Array.isArray(value) ? value : []);
export const textOf = (value: Json | undefined): string =>
  typeof value === 'string' ? value : typeof value === 'number' ? String(value) : '';
export const isTrue = (value: Json | undefined): boolean => value === true || value === 'true' || value === 1;
export function numberOf(value: Json | undefined): number | undefined {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  return typeof number === 'number' && Number.isFinite(number) ? number : undefined;
}
/** The entries of a list; any other value counts as a list with this one entry. */
export const entriesOf = (value: Json): readonly Json[] =>
  Array.isArray(value) ? value : value === null ? [] : [value];

export const range = (count: number): number[] => Array.from({ length: count }, (_, at) => at);
