import type { Json, JsonObject } from '#kernel';
import type { AcceptedAnswer } from './accepted-answer';
import { entriesOf, keyOf } from './families/keys';
import { offersOf, type Offers, optionValue, responsesOf } from './lint/offers';
import { isObject, listOf } from './members';
import { readValidation } from './validation';

/** An option that can be chosen in a place of a question. */
export interface Choice {
  /** Index of the blank, stem, row or cell; null when the answer is one set. */
  place: number | null;
  /** The value in responses: a value, a text or a position. Unique in its place. */
  key: string;
}

/** An option as the question shows it. */
export interface OfferedChoice extends Choice {
  /** As its author wrote it; may contain markup. */
  label: string;
  /** Whether an accepted answer has it in this place. */
  isRight: boolean;
}

/** The options of a question whose answers consist only of options. */
export interface Choices {
  /** By place, in the order of the question. */
  offered: readonly OfferedChoice[];
  /**
   * The options in a response, each once per place, including options that were never offered. An empty place has none.
   */
  chosenIn(value: Json): Choice[];
}

/** A question with more options is treated as one with free answers. */
export const MAX_CHOICES = 2000;

/** Question types whose answer is one set. */
const SETS: ReadonlySet<string> = new Set(['mcq', 'hotspot']);

/** Question types that offer options. */
const CHOICE_TYPES: ReadonlySet<string> = new Set([
  ...SETS,
  'choicematrix',
  'association',
  'clozedropdown',
  'clozeassociation',
  'imageclozedropdown',
  'imageclozeassociation',
  'imageclozeassociationV2',
  'orderlist',
  'sortlist',
  'classification',
]);

/**
 * The options of a question, and those in a response. undefined where answers are free (typed, drawn, spoken), where the
 * definition does not list its options, and beyond {@link MAX_CHOICES}.
 *
 * @param question the `data` of a question; may be anything that JSON can hold.
 */
export function choicesOf(type: string, question: JsonObject): Choices | undefined {
  const offers = CHOICE_TYPES.has(type) ? offersOf(type, question) : undefined;
  if (!offers) return undefined;
  const isSet = SETS.has(type);
  const right = rightChoices(question, isSet);
  const label = labelsOf(type, question);
  const offered: OfferedChoice[] = [];
  for (const place of isSet ? [null] : placesOf(type, question, offers))
    for (const key of offers.at(place ?? 0) ?? []) {
      if (offered.length === MAX_CHOICES) return undefined;
      offered.push({ place, key, label: label(key), isRight: right(place, key) });
    }
  return offered.length === 0 ? undefined : { offered, chosenIn: (value) => chosen(value, isSet) };
}

function placesOf(type: string, question: JsonObject, { places }: Offers): number[] {
  const isMenu = type === 'clozedropdown' || type === 'imageclozedropdown';
  const count = places?.count ?? (isMenu ? listOf(question['possible_responses']).length : 0);
  return Array.from({ length: Math.min(count, MAX_CHOICES) }, (_, place) => place);
}

function chosen(value: Json, isSet: boolean): Choice[] {
  const found = new Map<string, Choice>();
  const add = (place: number | null, entry: Json) => {
    for (const each of entriesOf(entry).flatMap(entriesOf)) {
      const key = keyOf(each);
      if (typeof key === 'string') found.set(`${place} ${key}`, { place, key });
    }
  };
  if (isSet) add(null, value);
  else for (const [place, entry] of entriesOf(value).entries()) add(place, entry);
  return [...found.values()];
}

function rightChoices(question: JsonObject, isSet: boolean): (place: number | null, key: string) => boolean {
  const { key, matchAllPossibleResponses } = readValidation(question);
  const accepted = (counts: Counts) => key.flatMap((answer) => chosen(acceptedValue(answer, counts), isSet));
  const forPoints = accepted(({ score }) => score > 0);
  // Imports accept choices for no points, so that they cost no penalty.
  const right = new Set((forPoints.length > 0 ? forPoints : accepted(() => true)).map(nameOf));
  if (!matchAllPossibleResponses) return (place, key) => right.has(nameOf({ place, key }));
  const anywhere = new Set([...right].map((name) => name.slice(name.indexOf(' ') + 1)));
  return (_, key) => anywhere.has(key);
}

const nameOf = ({ place, key }: Choice): string => `${place} ${key}`;

type Counts = (accepted: { score: number }) => boolean;

function acceptedValue({ score, value, parts }: AcceptedAnswer, counts: Counts): Json {
  if (parts) return parts.map((part) => part.filter(counts).map((each) => each.value));
  return counts({ score }) ? value : null;
}

/** Returns the label of an option by its key, or the key itself where the question shows it. */
function labelsOf(type: string, question: JsonObject): (key: string) => string {
  const shown = new Map<string, string>();
  for (const [at, entry] of shownBy(type, question).entries()) {
    const key = keyOf(type === 'mcq' ? optionValue(entry, at) : String(at));
    const label = isObject(entry) ? entry['label'] : entry;
    if (typeof key === 'string' && !shown.has(key) && typeof label === 'string' && label !== '') shown.set(key, label);
  }
  return (key) => shown.get(key) ?? key;
}

function shownBy(type: string, question: JsonObject): Json[] {
  switch (type) {
    case 'mcq':
    case 'choicematrix':
      return listOf(question['options']);
    case 'orderlist':
    case 'sortlist':
      return listOf(question['list']);
    case 'classification':
      return responsesOf(question);
    case 'hotspot':
      return listOf(question['areas']);
    default:
      return [];
  }
}
