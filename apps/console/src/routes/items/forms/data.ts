import { objectOf } from '../../../ui/member-path';

export { objectOf };

/** The definition of a question or feature. Forms change the members that they know, and keep all others. */
export type Data = Record<string, unknown>;

export interface FormProps {
  data: Data;
  change: (data: Data) => void;
}

export const textOf = (value: unknown): string =>
  typeof value === 'string' ? value : typeof value === 'number' ? String(value) : '';
export const listOf = <T = unknown>(value: unknown): T[] => (Array.isArray(value) ? (value as T[]) : []);
export const isOn = (value: unknown): boolean => value === true;

/** The data with other members; `undefined` takes a member away. */
export function withMembers(data: Data, members: Data): Data {
  const next = { ...data, ...members };
  for (const [name, value] of Object.entries(members)) if (value === undefined) delete next[name];
  return next;
}

export const validationOf = (data: Data): Data => objectOf(data.validation);
const validResponseOf = (data: Data): Data => objectOf(validationOf(data).valid_response);
export const rightValueOf = (data: Data): unknown => validResponseOf(data).value;

/** The data with another right answer. */
export function withRightValue(data: Data, value: unknown): Data {
  const validation = validationOf(data);
  return {
    ...data,
    validation: {
      scoring_type: 'exactMatch',
      ...validation,
      valid_response: { score: 1, ...objectOf(validation.valid_response), value },
    },
  };
}

/**
 * The data with each accepted answer changed that is a list: the right one (`at` is 0) and the alternatives. A change of the
 * right one alone would leave alternatives that mean other rows, columns or gaps.
 */
export function withAnswers(data: Data, changed: (answer: unknown[], at: number) => unknown[]): Data {
  const next = withRightValue(data, changed(listOf(rightValueOf(data)), 0));
  const { alt_responses: others } = validationOf(data);
  if (!Array.isArray(others)) return next;
  const alternatives = others.map((other: unknown, index) => {
    const { value } = objectOf(other);
    return Array.isArray(value) ? { ...objectOf(other), value: changed(value, index + 1) } : other;
  });
  return { ...next, validation: { ...validationOf(next), alt_responses: alternatives } };
}

/**
 * The data with the lists changed that have an entry for each gap or row: accepted answers, and members that forms do not show.
 * @param noAnswer the answer of a new gap or row.
 */
export function withPlaces(
  data: Data,
  changed: (list: unknown[], fresh: unknown) => unknown[],
  noAnswer: unknown,
): Data {
  const next = withAnswers(data, (answer) => changed(answer, noAnswer));
  const { metadata } = data;
  const containers = listOf(data.response_containers);
  const rationales = listOf(objectOf(metadata).distractor_rationale_response_level);
  if (containers.length > 0) next.response_containers = changed(containers, {});
  if (rationales.length > 0)
    next.metadata = { ...objectOf(metadata), distractor_rationale_response_level: changed(rationales, '') };
  return next;
}

/** The list in another order. @param order the former positions of the entries; -1 for a new entry. */
export const reordered = <T>(list: readonly T[], order: readonly number[], fresh: T): T[] =>
  order.map((from) => list[from] ?? fresh);

/** The list with the entry at `from` moved to `to`. */
export function moved<T>(list: readonly T[], from: number, to: number): T[] {
  const next = [...list];
  const [entry] = next.splice(from, 1);
  next.splice(to, 0, entry as T);
  return next;
}

export const replaced = <T>(list: readonly T[], at: number, entry: T): T[] =>
  list.map((each, index) => (index === at ? entry : each));

export const without = <T>(list: readonly T[], at: number): T[] => list.filter((_, index) => index !== at);

const GAP = /\{\{response\}\}/g;

/** The number of gaps in a template. */
export const gapsIn = (template: unknown): number => textOf(template).match(GAP)?.length ?? 0;

/** A list with an entry for each gap. */
export const fitted = <T>(list: readonly T[], count: number, fresh: T): T[] =>
  Array.from({ length: count }, (_, index) => list[index] ?? fresh);

/** The lengths of the parts before and after a change. */
export function unchangedEnds(
  before: string | readonly string[],
  after: string | readonly string[],
): { start: number; end: number } {
  const common = Math.min(before.length, after.length);
  let start = 0;
  while (start < common && before[start] === after[start]) start++;
  let end = 0;
  while (end < common - start && before.at(-1 - end) === after.at(-1 - end)) end++;
  return { start, end };
}

/** The entries for the gaps of a changed template. Gaps before and after the change keep theirs. */
export function movedWithGaps<T>(list: readonly T[], former: unknown, next: unknown, fresh: T): T[] {
  const [before, after] = [textOf(former), textOf(next)];
  const { start, end } = unchangedEnds(before, after);
  const [first, last] = [gapsIn(before.slice(0, start)), gapsIn(before.slice(before.length - end))];
  const entries = fitted(list, gapsIn(before), fresh);
  const added = gapsIn(after) - first - last;
  return [...entries.slice(0, first), ...fitted([], added, fresh), ...entries.slice(entries.length - last)];
}
