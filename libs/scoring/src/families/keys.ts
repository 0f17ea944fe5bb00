import type { Json } from '#kernel';
import { isEmpty } from '../parts';

/** Stands for an entry of a form that no answer can have: it equals nothing. */
export const UNREADABLE = Symbol('unreadable');

/** What entries are compared by: null for an empty one. */
export type Key = string | null | typeof UNREADABLE;

/** Positions are written as numbers and as texts. */
export function keyOf(entry: Json): Key {
  if (isEmpty(entry)) return null;
  return typeof entry === 'object' ? UNREADABLE : String(entry);
}

export type Scalar = null | boolean | number | string;

/** A text, number or boolean, also one that stands alone in a list; null when there is none. */
export function single(value: Json): Scalar | undefined {
  const only = Array.isArray(value) && value.length <= 1 ? (value[0] ?? null) : value;
  return typeof only === 'object' && only !== null ? undefined : only;
}

/** The entries; a value that is no list is its own only entry. */
export function entriesOf(value: Json): Json[] {
  return Array.isArray(value) ? value : value === null ? [] : [value];
}
