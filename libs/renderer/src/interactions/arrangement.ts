import { entryText, isObject, isTrue, listOf, type Members, textOf } from '../members';

/** The responses in each place, as positions in the list of possible responses. */
export type Arrangement = readonly (readonly number[])[];

/** Possible responses as shown: the responses of a group stand together below its title. */
interface PossibleResponses {
  /** HTML. Response values contain the same texts. */
  texts: readonly string[];
  groups: readonly { title: string; from: number; to: number }[];
}

/** The possible responses: texts, or groups of texts with titles. Either of two members may hold groups. */
export function possibleResponsesOf(question: Members): PossibleResponses {
  const texts: string[] = [];
  const groups: { title: string; from: number; to: number }[] = [];
  for (const entry of offeredBy(question)) {
    const from = texts.length;
    const isGroup = isObject(entry);
    texts.push(...(isGroup ? listOf(entry['responses']) : [entry]).map((text) => entryText(text)));
    const last = groups.at(-1);
    if (!isGroup && last?.title === '') last.to = texts.length;
    else groups.push({ title: isGroup ? textOf(entry['title']) : '', from, to: texts.length });
  }
  return { texts, groups };
}

function offeredBy(question: Members): readonly unknown[] {
  const [responses, groups] = [listOf(question['possible_responses']), listOf(question['possible_response_groups'])];
  return groups.length > 0 && (responses.length === 0 || isTrue(question['group_possible_responses']))
    ? groups
    : responses;
}

/**
 * The arrangement of a value with one text, or a list of texts, for each place. A text may be offered several times;
 * each is used once, unless responses are reusable. Texts that were never offered are left out.
 */
export function arrange(value: unknown, texts: readonly string[], places: number, isReusable: boolean): Arrangement {
  const used = new Set<number>();
  const take = (entry: unknown): number[] => {
    const text = entry === null ? null : entryText(entry);
    const at = texts.findIndex((each, position) => each === text && (isReusable || !used.has(position)));
    used.add(at);
    return at < 0 ? [] : [at];
  };
  const entries = listOf(value);
  return Array.from({ length: places }, (_, place) => {
    const entry = entries[place] ?? null;
    return (Array.isArray(entry) ? entry : [entry]).flatMap(take);
  });
}

/** A text for each place, null for an empty one; null when all are empty. */
export function textsOf(arrangement: Arrangement, texts: readonly string[]): (string | null)[] | null {
  return isEmpty(arrangement) ? null : arrangement.map(([first]) => (first === undefined ? null : texts[first]!));
}

/** A list of texts for each place; null when all are empty. */
export function textListsOf(arrangement: Arrangement, texts: readonly string[]): string[][] | null {
  return isEmpty(arrangement) ? null : arrangement.map((place) => place.map((at) => texts[at]!));
}

export const isEmpty = (arrangement: Arrangement): boolean => arrangement.every((place) => place.length === 0);

export const countFilled = (arrangement: Arrangement): number => arrangement.filter(({ length }) => length > 0).length;

/** A response and its place; null for a response that is not placed. */
export interface Held {
  response: number;
  from: number | null;
}

export interface PlacingRules {
  /** The maximum number of responses in a place; 0 for no limit. */
  max: number;
  /** Whether a placed response can be used again. */
  isReusable: boolean;
}

/**
 * Moves a response to a place, or back (`null`). A place for one gives back what was in it.
 *
 * @returns undefined when the place is full.
 */
export function move(
  arrangement: Arrangement,
  { response, from }: Held,
  to: number | null,
  { max }: PlacingRules,
): { arrangement: Arrangement; putBack: readonly number[] } | undefined {
  const places = arrangement.map((place, at) => (at === from ? place.filter((each) => each !== response) : place));
  if (to === null) return { arrangement: places, putBack: [response] };
  const there = (places[to] ?? []).filter((each) => each !== response);
  const putBack = max === 1 ? there : [];
  if (max > 1 && there.length >= max) return undefined;
  places[to] = max === 1 ? [response] : [...there, response];
  return { arrangement: places, putBack };
}
