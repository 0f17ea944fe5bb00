import type { Json } from '#kernel';
import type { AcceptedAnswer } from '../accepted-answer';
import { type Comparison, type Family, type Part, reader, shown } from '../comparison';
import { entriesOf, keyOf, UNREADABLE } from './keys';

/** The selected values by key. */
type Selection = Map<string, Json>;

/**
 * mcq, hotspot, tokenhighlight: the answer is a set, and the parts are the accepted values. Another selected value is
 * wrong; an accepted value that was not selected is empty.
 */
export const sets: Family = (_, { answers }) =>
  reader<Selection>(answers, {
    read: selectionOf,
    isEmpty: (selection) => selection.size === 0,
    size: (selection) => selection.size,
    prepare: prepareSet,
  });

function selectionOf(value: Json): Selection | undefined {
  const selection: Selection = new Map();
  for (const entry of entriesOf(value)) {
    const key = keyOf(entry);
    if (key === UNREADABLE) return undefined;
    if (key !== null) selection.set(key, entry);
  }
  return selection;
}

interface Choice {
  key: string;
  value: Json;
  score?: number;
}

function prepareSet(answer: AcceptedAnswer): (given: Selection) => Comparison {
  const accepted = answer.parts ? oldChoices(answer.parts) : choicesOf(answer.value);
  const known = new Set(accepted.flatMap((choices) => choices.map(({ key }) => key)));
  return (given) => {
    const parts: Part[] = accepted.map((choices) => compareChoice(choices, given));
    for (const [key, value] of given)
      if (!known.has(key)) parts.push({ at: null, verdict: 'wrong', given: shown(value), accepted: null });
    return { total: accepted.length, parts };
  };
}

function choicesOf(value: Json): Choice[][] {
  const byKey = new Map<string, Choice[]>();
  for (const entry of entriesOf(value)) {
    const key = keyOf(entry);
    if (typeof key === 'string') byKey.set(key, [{ key, value: shown(entry) }]);
  }
  return [...byKey.values()];
}

function oldChoices(parts: NonNullable<AcceptedAnswer['parts']>): Choice[][] {
  return parts
    .map((part) =>
      part.flatMap(({ value, score }): Choice[] => {
        const key = keyOf(value);
        return typeof key === 'string' ? [{ key, value: shown(value), score }] : [];
      }),
    )
    .filter((choices) => choices.length > 0);
}

function compareChoice(choices: readonly Choice[], given: Selection): Part {
  let best: Choice | undefined;
  for (const choice of choices)
    if (given.has(choice.key) && (!best || (choice.score ?? 0) > (best.score ?? 0))) best = choice;
  if (!best) return { at: null, verdict: 'empty', given: null, accepted: choices[0]?.value ?? null };
  const part: Part = { at: null, verdict: 'right', given: shown(given.get(best.key)), accepted: best.value };
  if (best.score !== undefined) part.score = best.score;
  return part;
}
