import type { Json } from '#kernel';

/** Question types whose answer is a set, in which a repeated entry counts once. */
const SETS: ReadonlySet<string> = new Set(['mcq', 'hotspot', 'tokenhighlight']);

/**
 * The number of parts of an accepted answer (decision 26): its entries; for a choice matrix the cells of all its rows.
 * An empty entry (`isEmpty`) is not a part, because nothing can be right about it. With `match_all_possible_responses`,
 * the pool of all blanks has as many parts as there are blanks.
 */
export function countParts(questionType: string, value: Json): number {
  if (!Array.isArray(value)) return isEmpty(value) ? 0 : 1;
  if (questionType === 'choicematrix') return sum(value, (row) => (Array.isArray(row) ? distinct(row) : countOne(row)));
  return SETS.has(questionType) ? distinct(value) : sum(value, countOne);
}

/** The number of elements in the cells of an accepted answer, where `countParts` counts the cells. */
export function countElements(value: Json): number {
  return Array.isArray(value) ? sum(value, (cell) => (Array.isArray(cell) ? sum(cell, countOne) : countOne(cell))) : 0;
}

/** Whether an entry is nothing, blank, or a list of empty entries. */
export function isEmpty(entry: Json): boolean {
  return isBlank(entry) || (Array.isArray(entry) && entry.every(isBlank));
}

function isBlank(entry: Json): boolean {
  if (typeof entry === 'string') return entry.trim() === '';
  return entry === null || (Array.isArray(entry) && entry.length === 0);
}

function countOne(value: Json): number {
  return isEmpty(value) ? 0 : 1;
}

function distinct(entries: Json[]): number {
  const seen = new Set<Json>();
  // Positions are written as numbers and as texts.
  for (const each of entries) if (!isEmpty(each)) seen.add(typeof each === 'number' ? String(each) : each);
  return seen.size;
}

function sum(entries: Json[], count: (entry: Json) => number): number {
  let total = 0;
  for (const each of entries) total += count(each);
  return total;
}
