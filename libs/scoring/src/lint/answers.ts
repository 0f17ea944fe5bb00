import type { Json, JsonObject } from '#kernel';
import type { AcceptedAnswer } from '../accepted-answer';
import { isFormulaType } from '../families';
import { entriesOf, keyOf } from '../families/keys';
import { textKey } from '../families/text';
import { isObject, numberOf } from '../members';
import { countParts } from '../parts';
import { cut, type Found, MAX_FINDINGS } from './finding';
import { checkFormulas } from './formulas';
import type { Offers } from './offers';
import { checkReach } from './reach';

/** An accepted answer and its place. */
export interface Placed {
  answer: AcceptedAnswer;
  /** JSON pointer to it. */
  at: string;
  /** JSON pointer to its value. */
  valueAt: string;
}

/** Types whose answer is a set, with only one place. */
const SETS: ReadonlySet<string> = new Set(['mcq', 'hotspot', 'tokenhighlight']);
const TYPED: ReadonlySet<string> = new Set(['shorttext', 'clozetext', 'clozeinlinetext', 'imageclozetext']);

/** The entries of an accepted answer in each place of the question. */
function placesOf(type: string, value: Json): Json[] {
  return SETS.has(type) ? [value] : entriesOf(value);
}

/** @returns whether a response with the offered options can match this answer fully. */
export function checkAnswer(
  type: string,
  question: JsonObject,
  offers: Offers | undefined,
  { answer, valueAt }: Placed,
  found: Found,
): boolean {
  if (countParts(type, answer.value) === 0) {
    found('no-answer', valueAt, 'The accepted answer is empty, so no response can be right. Enter its value.');
    return false;
  }
  if (answer.parts) return true;
  const places = placesOf(type, answer.value);
  const fits = offers === undefined || checkPlaces(places, valueAt, offers, found);
  const isOffered = offers === undefined || checkOptions(type, places, valueAt, offers, found);
  const canBeMet = !isFormulaType(type) || checkFormulas(answer.value, valueAt, type !== 'formulaV2', found);
  const canBeGiven =
    checkLength(type, question, places, valueAt, found) && checkReach(type, question, places, valueAt, found);
  return fits && isOffered && canBeMet && canBeGiven;
}

function checkPlaces(places: readonly Json[], at: string, { places: asked }: Offers, found: Found): boolean {
  if (!asked || places.length === asked.count) return true;
  // Trailing rows and cells without content may be absent.
  if (places.length < asked.count && (asked.name === 'cells' || asked.name === 'rows')) return true;
  found('parts-differ', at, `The answer has ${places.length} entries, the question ${asked.count} ${asked.name}.`);
  return places.length < asked.count;
}

function checkOptions(type: string, places: readonly Json[], at: string, offers: Offers, found: Found): boolean {
  let unknown = 0;
  for (const [place, entry] of places.entries()) {
    const options = offers.at(place);
    if (!options) continue;
    for (const given of entriesOf(entry)) {
      const key = optionKey(given);
      if (key === null || (typeof key === 'string' && options.has(key))) continue;
      const where = SETS.has(type) ? at : `${at}/${place}`;
      const name = typeof key === 'string' ? `"${cut(key)}"` : 'What is given';
      found('option-unknown', where, `${name} is not ${offers.option} of the question, which has ${listed(options)}.`);
      if (++unknown === MAX_FINDINGS) return false;
    }
  }
  return unknown === 0;
}

/** An option's key. A token of a number line is identified by its label. */
function optionKey(given: Json): ReturnType<typeof keyOf> {
  return keyOf(isObject(given) ? (given['point'] ?? null) : given);
}

function checkLength(type: string, question: JsonObject, places: readonly Json[], at: string, found: Found): boolean {
  const most = TYPED.has(type) ? numberOf(question['max_length']) : undefined;
  if (most === undefined || most <= 0) return true;
  let fits = true;
  for (const [place, text] of places.entries()) {
    if (typeof text !== 'string' || text.trim().length <= most) continue;
    fits = false;
    const where = type === 'shorttext' ? at : `${at}/${place}`;
    found('maximum-unreachable', where, `The text has ${text.length} characters, and a learner may type ${most}.`);
  }
  return fits;
}

/** Whether a learner can give all entries of the answer, as often as it needs them. */
export function isAllowed(type: string, offers: Offers | undefined, { value }: AcceptedAnswer): boolean {
  const { times, most = Infinity } = offers ?? {};
  const used = new Map<string, number>();
  for (const entry of placesOf(type, value)) {
    const keys = entriesOf(entry).map(optionKey);
    if (new Set(keys).size > most) return false;
    for (const key of keys) if (typeof key === 'string') used.set(key, (used.get(key) ?? 0) + 1);
  }
  return times === undefined || [...used].every(([key, count]) => count <= (times.get(key) ?? Infinity));
}

/** Whether every option of every place is right. */
export function isEverything(type: string, offers: Offers | undefined, { value }: AcceptedAnswer): boolean {
  if (!offers || !(SETS.has(type) || type === 'choicematrix')) return false;
  return placesOf(type, value).every((entry, place) => {
    const options = offers.at(place);
    const right = new Set(entriesOf(entry).map(optionKey));
    return options !== undefined && [...options].every((option) => right.has(option));
  });
}

/** The key that equal accepted answers of a question share; undefined when it is hard to tell. */
export function answerKey(type: string, question: JsonObject, answer: AcceptedAnswer): string | undefined {
  if (answer.parts || answer.matchingRule) return undefined;
  const keyOfOne = TYPED.has(type) ? textKey(question) : optionKey;
  const keys: (string | null | (string | null)[])[] = [];
  for (const entry of entriesOf(answer.value)) {
    if (isObject(entry)) return undefined;
    const entries = entriesOf(entry).map((each) => keyOfOne(each));
    if (!entries.every((key) => typeof key !== 'symbol')) return undefined;
    keys.push(entries.sort());
  }
  return JSON.stringify(SETS.has(type) ? [...new Set(keys.map(String))].sort() : keys);
}

function listed(options: ReadonlySet<string>): string {
  const names: string[] = [];
  // Lists only some options, because a question with many unknown options may also offer many.
  for (const option of options) if (names.push(cut(option)) === 10) break;
  return names.join(', ') + (options.size > names.length ? ' …' : '');
}
