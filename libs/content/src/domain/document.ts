import { hash } from 'node:crypto';
import canonicalize from 'canonicalize';
import { type Json, type JsonObject, type JsonText } from '#kernel';
import { searchText } from './search-text';

/** A JSON value that is ready to become a member of a document. It is serialised once, outside any transaction. */
export interface Prepared {
  value: Json;
  text: JsonText;
  /** Canonical form (RFC 8785), input of the hash. */
  canonical: JsonText;
}

/** The immutable body of a revision. It has no ids, times, author, status, tags or workflow state. */
export interface Document {
  body: JsonText;
  extras: JsonText | null;
  /** SHA-256 of the canonical form of all members, in hexadecimal. */
  hash: string;
  /** Extracts the readable text of the body, for search. No getter: each would give its object a shape of its own. */
  says: () => string;
}

/**
 * @param portable `value` without the parts that differ between installations. The hash is computed from it, so that
 *   equal content has the same hash everywhere.
 */
export function prepare(value: Json, portable: Json = value): Prepared {
  const text = JSON.stringify(value);
  return { value, text, canonical: portable === value && isInOrder(value) ? text : canonicalize(portable)! };
}

/** Whether members are already in the order of RFC 8785. Then `JSON.stringify` gives the canonical form. */
function isInOrder(value: Json): boolean {
  if (typeof value !== 'object' || value === null) return true;
  if (Array.isArray(value)) return value.every(isInOrder);
  let before = '';
  for (const name of Object.keys(value)) {
    if (name < before || !isInOrder(value[name]!)) return false;
    before = name;
  }
  return true;
}

/** @param extras members that reads return only on request. */
export function documentOf(body: Record<string, Prepared>, extras: Record<string, Prepared> = {}): Document {
  // RFC 8785 sorts members by UTF-16 code units, as `<` does.
  const members = [...Object.entries(body), ...Object.entries(extras)].sort(([a], [b]) => (a < b ? -1 : 1));
  let canonical = '';
  for (const [name, value] of members) canonical += `${canonical && ','}${JSON.stringify(name)}:${value.canonical}`;
  return {
    says: () => searchText(Object.fromEntries(Object.entries(body).map(([name, { value }]) => [name, value]))),
    body: objectText(body),
    extras: Object.keys(extras).length > 0 ? objectText(extras) : null,
    hash: hash('sha256', `{${canonical}}`, 'hex'),
  };
}

/** The members that reads return only on request, after a write. Null clears a member; an absent member stays. */
export function mergeExtras(
  before: JsonText | null,
  sent: Record<string, Prepared | null | undefined>,
): Record<string, Prepared> {
  const merged: Record<string, Prepared> = {};
  const old = before === null ? {} : (JSON.parse(before) as JsonObject);
  for (const [name, value] of Object.entries(old)) merged[name] = prepare(value);
  for (const [name, value] of Object.entries(sent)) {
    if (value) merged[name] = value;
    else if (value === null) delete merged[name];
  }
  return merged;
}

/** An object of these members, in order. */
function objectText(members: Record<string, Prepared>): JsonText {
  let text = '';
  for (const name of Object.keys(members)) text += `${text && ','}${JSON.stringify(name)}:${members[name]!.text}`;
  return `{${text}}`;
}
