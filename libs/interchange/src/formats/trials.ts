import { type Json } from '#kernel';

/** A response that may matter for scoring, and the points that the source gives for it. */
export interface Trial {
  value: Json;
  score: number;
  /** The value in each place, null where there is none: for accepted answers by place. */
  parts?: readonly Json[];
  /** Another spelling of a response that is tried too. It never becomes an accepted answer of its own. */
  isVariant?: boolean;
  /** Whether it stands for all responses that no rule names. Then it is not an accepted answer. */
  isOther?: boolean;
}

/** A text that no rule and no answer names. */
export const OTHER_TEXT = 'zq-other-qz';

const MAX_TRIES = 1500;
const MAX_SAMPLED = 100;
/** Bounds the memory for questions with very many places. */
const MAX_PLACES_TRIED = 500_000;
const MIN_WAYS = 20;

/** All sets of up to `max` of these ids, or, if there are too many, a sample around the key. */
export function subsets(
  ids: readonly string[],
  max: number,
  key: readonly string[],
): { sets: string[][]; isAll: boolean } {
  const limit = max > 0 ? max : ids.length;
  const all: string[][] = [[]];
  for (const id of ids) {
    for (const set of [...all]) if (set.length < limit) all.push([...set, id]);
    if (all.length > MAX_TRIES) return { sets: sample(ids, limit, key), isAll: false };
  }
  return { sets: all, isAll: true };
}

function sample(ids: readonly string[], limit: number, key: readonly string[]): string[][] {
  const others = ids.filter((id) => !key.includes(id));
  const sets = [
    [],
    [...key],
    ...ids.slice(0, MAX_SAMPLED).map((id) => [id]),
    ...key.map((gone) => key.filter((id) => id !== gone)),
    ...others.slice(0, MAX_SAMPLED).map((more) => [...key, more]),
    ...key.flatMap((gone) => others.slice(0, 5).map((more) => [...key.filter((id) => id !== gone), more])),
    [...ids],
  ];
  // A key of two choices, without one of them, is a single choice.
  return [...new Map(sets.filter((set) => set.length <= limit).map((set) => [JSON.stringify(set), set])).values()];
}

/** All orders of these ids, or, if there are too many, the key with swaps and moves. */
export function orders(ids: readonly string[], key: readonly string[]): { orders: string[][]; isAll: boolean } {
  if (ids.length <= 6) {
    let all: string[][] = [[]];
    for (const _ of ids)
      all = all.flatMap((begun) => ids.filter((id) => !begun.includes(id)).map((id) => [...begun, id]));
    return { orders: all, isAll: true };
  }
  const base = key.length === ids.length ? [...key] : [...ids];
  const made = [base, [...base].reverse()];
  for (let i = 0; i < base.length; i++)
    for (let j = i + 1; j < base.length; j++) {
      const swapped = [...base];
      [swapped[i], swapped[j]] = [swapped[j]!, swapped[i]!];
      made.push(swapped);
      made.push([...base.slice(0, i), ...base.slice(i + 1, j + 1), base[i]!, ...base.slice(j + 1)]);
    }
  return { orders: made, isAll: false };
}

/**
 * All combinations with one entry of every list. If there are too many: the first one, with changes in one or two
 * places.
 */
export function ways<T extends object>(lists: readonly (readonly T[])[]): { ways: T[][]; isAll: boolean } {
  const count = lists.reduce((product, list) => product * list.length, 1);
  if (count <= MAX_TRIES) {
    const all = lists.reduce<T[][]>((made, list) => made.flatMap((way) => list.map((one) => [...way, one])), [[]]);
    return { ways: all, isAll: true };
  }
  const base = lists.map((list) => list[0]!);
  const empty = lists.map((list) => list.at(-1)!);
  const made: T[][] = [base, empty];
  const max = Math.max(MIN_WAYS, Math.min(2 * MAX_TRIES, Math.floor(MAX_PLACES_TRIED / lists.length)));
  for (const [i, list] of lists.entries())
    for (const one of list) {
      if (made.length >= max) return { ways: made, isAll: false };
      made.push(base.with(i, one), empty.with(i, one));
      for (let j = i + 1; j < lists.length && made.length < max / 2; j++)
        for (const other of lists[j]!.slice(0, 3)) made.push(base.with(i, one).with(j, other));
    }
  return { ways: made, isAll: false };
}
