import type { Json } from '#kernel';
import { isEmpty } from '../parts';

/** The key of an entry with an impossible form. It equals no other key. */
export const UNREADABLE = Symbol('unreadable');

/** The key by which entries are compared; null for an empty entry. */
export type Key = string | null | typeof UNREADABLE;

/** A number and its text have the same key, because positions are written as both. */
export function keyOf(entry: Json): Key {
  if (isEmpty(entry)) return null;
  return typeof entry === 'object' ? UNREADABLE : String(entry);
}

export type Scalar = null | boolean | number | string;

/** A text, number or boolean, alone or as the only entry of a list; null when there is none. */
export function single(value: Json): Scalar | undefined {
  const only = Array.isArray(value) && value.length <= 1 ? (value[0] ?? null) : value;
  return typeof only === 'object' && only !== null ? undefined : only;
}

/** The entries of a list; a value that is not a list is its own only entry. */
export function entriesOf(value: Json): Json[] {
  return Array.isArray(value) ? value : value === null ? [] : [value];
}
