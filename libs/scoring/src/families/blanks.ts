import type { Json } from '#kernel';
import type { AcceptedAnswer } from '../accepted-answer';
import { type Comparison, type Family, type Part, reader, shown } from '../comparison';
import { countParts, isEmpty } from '../parts';
import { entriesOf, type Key, keyOf, UNREADABLE } from './keys';
import { type TextKey, textKey } from './text';

interface Blank {
  value: Json;
  key: Key;
}

/** Clozes with typed text: the parts are the blanks, compared with `textKey`. */
export const typedBlanks: Family = (question, validation) => blanks(textKey(question))(question, validation);

/** Clozes with menus or dragged texts, and association: the parts are the blanks or stems, compared exactly. */
export const chosenBlanks: Family = blanks(keyOf);

/** orderlist and sortlist: the parts are the positions, compared exactly. */
export const places: Family = chosenBlanks;

function blanks(keyOfOne: TextKey): Family {
  const blankOf = (entry: Json): Blank => ({ value: entry, key: keyOfEntry(entry, keyOfOne) });
  return (_, { answers, matchAllPossibleResponses }) =>
    reader<Blank[]>(answers, {
      read: (value) => {
        if (typeof value === 'object' && value !== null && !Array.isArray(value)) return undefined;
        return entriesOf(value).map(blankOf);
      },
      isEmpty: (given) => given.every(({ key }) => key === null),
      size: (given) => given.length,
      prepare: (answer) => {
        if (answer.parts) return preparePartAnswers(answer.parts, keyOfOne);
        const accepted = entriesOf(answer.value).map(blankOf);
        const total = countParts('', answer.value);
        return matchAllPossibleResponses ? preparePool(accepted, total) : prepareBlanks(accepted, total);
      },
    });
}

/** Several texts in one blank are compared as a set. */
function keyOfEntry(entry: Json, keyOfOne: TextKey): Key {
  if (!Array.isArray(entry) || isEmpty(entry)) return keyOfOne(entry);
  if (entry.length === 1) return Array.isArray(entry[0]) ? UNREADABLE : keyOfOne(entry[0]!);
  const keys = entry.map((each) => keyOfOne(each)).filter((key) => key !== null);
  if (keys.includes(UNREADABLE)) return UNREADABLE;
  return keys.length <= 1 ? (keys[0] ?? null) : JSON.stringify(keys.sort());
}

const NOTHING: Blank = { value: null, key: null };

function prepareBlanks(accepted: readonly Blank[], total: number): (given: Blank[]) => Comparison {
  const texts = accepted.map(({ key, value }) => (key === null ? null : shown(value)));
  return (given) => {
    const parts: Part[] = [];
    for (let at = 0; at < Math.max(accepted.length, given.length); at++) {
      const { value, key } = given[at] ?? NOTHING;
      const expected = (accepted[at] ?? NOTHING).key;
      // Nothing was expected here and nothing was given.
      if (key === null && expected === null) continue;
      const verdict = key === null ? 'empty' : key === expected && key !== UNREADABLE ? 'right' : 'wrong';
      parts.push({ at, verdict, given: shown(value), accepted: texts[at] ?? null });
    }
    return { total, parts };
  };
}

/** `match_all_possible_responses`: the accepted texts of all blanks form one pool, and each may be used once. */
function preparePool(accepted: readonly Blank[], total: number): (given: Blank[]) => Comparison {
  const pool = new Map<Key, { count: number; text: Json }>();
  for (const { key, value } of accepted) {
    if (typeof key !== 'string') continue;
    const entry = pool.get(key);
    if (entry) entry.count++;
    else pool.set(key, { count: 1, text: shown(value) });
  }
  return (given) => {
    const used = new Map<Key, number>();
    const parts = given.map(({ value, key }, at): Part => {
      if (key === null) return { at, verdict: 'empty', given: null, accepted: null };
      const entry = pool.get(key);
      const before = used.get(key) ?? 0;
      if (!entry || before >= entry.count) return { at, verdict: 'wrong', given: shown(value), accepted: null };
      used.set(key, before + 1);
      return { at, verdict: 'right', given: shown(value), accepted: entry.text };
    });
    return { total, parts };
  };
}

/** The form before 2015: each blank has its own accepted texts and scores. */
function preparePartAnswers(
  parts: NonNullable<AcceptedAnswer['parts']>,
  keyOfOne: TextKey,
): (given: Blank[]) => Comparison {
  const scores = parts.map((part) => {
    const byKey = new Map<Key, number>();
    for (const { value, score } of part) {
      const key = keyOfEntry(value, keyOfOne);
      if (typeof key === 'string') byKey.set(key, Math.max(byKey.get(key) ?? 0, score));
    }
    return byKey;
  });
  const texts = parts.map((part, at) => (scores[at]!.size === 0 ? null : shown(part.map(({ value }) => value))));
  const total = scores.filter((byKey) => byKey.size > 0).length;
  return (given) => {
    const compared: Part[] = [];
    for (let at = 0; at < Math.max(scores.length, given.length); at++) {
      const { value, key } = given[at] ?? NOTHING;
      if (key === null && !scores[at]?.size) continue;
      const score = key === null ? undefined : scores[at]?.get(key);
      const verdict = key === null ? 'empty' : score === undefined ? 'wrong' : 'right';
      const part: Part = { at, verdict, given: shown(value), accepted: texts[at] ?? null };
      if (score !== undefined) part.score = score;
      compared.push(part);
    }
    return { total, parts: compared };
  };
}
