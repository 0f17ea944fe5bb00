import type { Json } from '#kernel';
import type { AcceptedAnswer } from '../accepted-answer';
import { type Comparison, type Family, type Part, reader, shown } from '../comparison';
import { entriesOf, keyOf, UNREADABLE } from './keys';

interface Entry {
  value: Json;
  key: string;
}

/**
 * orderlist under `partialMatchPairwise`: the parts are the neighbouring pairs of the right order, anywhere in the
 * answer (decision 26). Any other neighbouring pair of the answer is wrong.
 */
export const pairs: Family = (_, { answers }) =>
  reader<Entry[]>(answers, {
    read: orderOf,
    isEmpty: (order) => order.length === 0,
    size: (order) => order.length,
    prepare: preparePairs,
  });

function orderOf(value: Json): Entry[] | undefined {
  const order: Entry[] = [];
  for (const entry of entriesOf(value)) {
    const key = keyOf(entry);
    if (key === UNREADABLE) return undefined;
    if (key !== null) order.push({ value: entry, key });
  }
  return order;
}

function preparePairs({ value }: AcceptedAnswer): (given: Entry[]) => Comparison {
  const order = orderOf(value) ?? [];
  const total = Math.max(0, order.length - 1);
  // How often each pair may count. Orders do not repeat entries, but bad data may.
  const accepted = new Map<string, number>();
  for (let at = 0; at < total; at++) count(accepted, pairKey(order, at));
  return (given) => {
    const counted = new Map<string, number>();
    const parts: Part[] = [];
    for (let at = 0; at + 1 < given.length; at++) {
      const pair = pairKey(given, at);
      const isRight = count(counted, pair) <= (accepted.get(pair) ?? 0);
      const both = pairShown(given, at);
      parts.push({ at, verdict: isRight ? 'right' : 'wrong', given: both, accepted: isRight ? both : null });
    }
    return { total, parts };
  };
}

function count(counts: Map<string, number>, key: string): number {
  const now = (counts.get(key) ?? 0) + 1;
  counts.set(key, now);
  return now;
}

/** Includes the length of the first entry, so that the border between the two is unambiguous. */
function pairKey(order: readonly Entry[], at: number): string {
  const first = order[at]!.key;
  return `${first.length}:${first}${order[at + 1]!.key}`;
}

function pairShown(order: readonly Entry[], at: number): Json {
  return shown([order[at]!.value, order[at + 1]!.value]);
}
