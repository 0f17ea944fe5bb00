import { type Json } from '#kernel';

export { isObject, listOf, numberOf, objectOf } from '#kernel';

// Reads members of stored definitions. These may be absent or of any type, because definitions are stored as sent.

export const textOf = (value: Json | undefined): string =>
  typeof value === 'string' ? value : typeof value === 'number' ? String(value) : '';
export const isTrue = (value: Json | undefined): boolean => value === true || value === 'true' || value === 1;
/** The entries of a list; any other value counts as a list with this one entry. */
export const entriesOf = (value: Json): readonly Json[] =>
  Array.isArray(value) ? value : value === null ? [] : [value];

export const range = (count: number): number[] => Array.from({ length: count }, (_, at) => at);
