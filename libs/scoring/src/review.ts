import { type Json, objectOf } from '#kernel';
import type { ResponseScore } from './scorer';

/** Whether the answer is accepted. An answer that is accepted for no points is wrong, unless the question has none. */
export function isAcceptedForPoints({ isValid, maxScore, reasons }: ResponseScore): boolean | null {
  return isValid && (maxScore === 0 || reasons.steps[0]?.to !== 0);
}

/**
 * The verdicts that a review shows beside the entries of an answer, in their order: right, wrong, or null when empty.
 * undefined without verdicts.
 */
export function reviewParts(value: Json, judged: ResponseScore): (boolean | null)[] | undefined {
  const isValid = isAcceptedForPoints(judged);
  const earnsNothing = isValid !== judged.isValid;
  const parts = judged.reasons.parts.map((part) => {
    const isForNothing = earnsNothing || (judged.maxScore > 0 && part.points === 0);
    return isForNothing && part.verdict === 'right' ? { ...part, verdict: 'wrong' } : part;
  });
  const entries = answersIn(value);
  if (parts.length === 0)
    return isValid === null ? undefined : entries.map((entry) => (isEmptyEntry(entry) ? null : isValid));
  const byPlace = new Map<number, Set<string>>();
  const byName = new Map<string, string>();
  for (const { at, verdict, given } of parts)
    if (at !== null) byPlace.set(at, (byPlace.get(at) ?? new Set()).add(verdict));
    else if (given !== null && !byName.has(entryName(given))) byName.set(entryName(given), verdict);
  if (byPlace.size > 0) {
    const count = [...byPlace.keys()].reduce((most, at) => Math.max(most, at + 1), entries.length);
    return Array.from({ length: count }, (_, place) => combinedVerdict(byPlace.get(place) ?? new Set()));
  }
  return entries.map((entry) => {
    if (isEmptyEntry(entry)) return null;
    const verdict = byName.get(entryName(entry));
    return verdict === undefined ? isValid : combinedVerdict(new Set([verdict]));
  });
}

/** Several parts in one place are right when all of them are. */
function combinedVerdict(verdicts: ReadonlySet<string>): boolean | null {
  if (verdicts.has('wrong')) return false;
  if (verdicts.has('right')) return !verdicts.has('empty');
  return null;
}

const plain = (value: Json): string => (typeof value === 'object' ? JSON.stringify(value) : String(value));

/** The name by which rationales refer to an entry. */
export function entryName(entry: Json): string {
  if (Array.isArray(entry)) return entry.map(plain).join(',');
  const { point, position = null } = objectOf(entry);
  return typeof point === 'string' ? `${point} at ${plain(position)}` : plain(entry);
}

/** The single answers in a value. */
export function answersIn(value: Json): Json[] {
  if (Array.isArray(value)) return value;
  const { value: within } = objectOf(value);
  return Array.isArray(within) ? within : [value];
}

export const isEmptyEntry = (entry: Json): boolean =>
  entry === null || entry === '' || (Array.isArray(entry) && entry.every((each) => isEmptyEntry(each)));
