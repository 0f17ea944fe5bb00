import { type Json, type JsonObject, pointerPart } from '#kernel';
import { cleanMarkup, type Tally } from './markup';
import { decode, isHarmfulAddress } from './markup-proof';

/** The number and places of removals. */
export interface Removed {
  /** The number of removed elements, attributes and addresses. */
  removed: number;
  /** JSON pointers to the changed texts: the first 50. */
  places: string[];
}

interface Sanitised extends Removed {
  /** The input object itself when nothing was removed. */
  data: JsonObject;
}

const MAX_PLACES = 50;

/** The removals of several objects, in order. */
export function removedFrom(parts: readonly Removed[]): Removed {
  return {
    removed: parts.reduce((sum, { removed }) => sum + removed, 0),
    places: parts.flatMap(({ places }) => places).slice(0, MAX_PLACES),
  };
}

/**
 * Removes markup that could run in a browser from the definition of a question or feature. Never touches answers and
 * formulas.
 *
 * @param at the place of the object in the request.
 */
export function sanitiseWidgetData(data: JsonObject, at = ''): Sanitised {
  const tally = { removed: 0 };
  return sanitised(data, cleanObject(data, false, tally), tally, at);
}

/** The members of an item whose markup learners see. All others are plain text for authors. */
const ITEM_MARKUP = ['content', 'definition', 'metadata', 'dynamic_content_data'];
/** Members of metadata that are plain text. */
const PLAIN_METADATA = new Set(['name']);

/** Like `sanitiseWidgetData`, for an item. */
export function sanitiseItem(item: JsonObject, at = ''): Sanitised {
  const tally = { removed: 0 };
  let data = item;
  for (const key of ITEM_MARKUP) {
    const before = item[key];
    if (before === undefined) continue;
    const after =
      key === 'metadata' && before !== null
        ? cleanObject(before as JsonObject, false, tally, PLAIN_METADATA)
        : clean(before, key, false, tally);
    if (after !== before) data = { ...data, [key]: after };
  }
  return sanitised(item, data, tally, at);
}

function sanitised(before: JsonObject, after: JsonObject, { removed }: Tally, at: string): Sanitised {
  return { data: after, removed, places: placesOf(before, after, at).slice(0, MAX_PLACES) };
}

/** The places of changed texts. Unchanged parts are the same object in both. */
function placesOf(before: Json, after: Json, at: string): string[] {
  if (before === after) return [];
  if (typeof before !== 'object' || before === null) return [at];
  return Object.entries(before).flatMap(([name, value]) =>
    placesOf(value, (after as JsonObject)[name]!, `${at}/${pointerPart(name)}`),
  );
}

// The groups of members in a definition

/** Subtrees of answers, which are compared and never shown as markup. */
const ANSWERS = new Set(['validation', 'valid_response', 'valid_responses', 'alt_responses']);
/** Texts with a notation of their own. An object with such a name is still searched. */
const NOTATION = new Set(['value', 'formula', 'latex', 'tex']);
const ADDRESS_MEMBER =
  /(?:^|[_-])(?:src|url|uri|href|link|poster|image|img|icon|thumbnail|waveform|audio|video|media|file|sound|css|js)$|(?:Src|Url|Uri|Href)$/i;
/** Objects whose members are all addresses: `js: { question, scorer }` of custom questions. */
const ADDRESS_GROUP = new Set(['js', 'css']);

function clean(value: Json, key: string, group: boolean, tally: Tally): Json {
  if (typeof value === 'string') return cleanText(value, key, group, tally);
  if (typeof value !== 'object' || value === null) return value;
  return Array.isArray(value) ? cleanList(value, key, group, tally) : cleanObject(value, ADDRESS_GROUP.has(key), tally);
}

function cleanObject(object: JsonObject, group: boolean, tally: Tally, skipped = ANSWERS): JsonObject {
  let copy: JsonObject | undefined;
  for (const key of Object.keys(object)) {
    if (skipped.has(key)) continue;
    const before = object[key]!;
    const after = clean(before, key, group, tally);
    if (after !== before) (copy ??= { ...object })[key] = after;
  }
  return copy ?? object;
}

function cleanList(list: Json[], key: string, group: boolean, tally: Tally): Json[] {
  let copy: Json[] | undefined;
  for (const [index, before] of list.entries()) {
    const after = clean(before, key, group, tally);
    if (after !== before) (copy ??= [...list])[index] = after;
  }
  return copy ?? list;
}

function cleanText(text: string, key: string, group: boolean, tally: Tally): string {
  if (NOTATION.has(key)) return text;
  if (/[:&]/.test(text) && (group || ADDRESS_MEMBER.test(key))) {
    if (isHarmfulAddress(text) || isHarmfulAddress(decode(text))) {
      tally.removed++;
      return '';
    }
    if (/^data:/i.test(text)) return text; // an inline image may be written in plain SVG
  }
  return text.includes('<') ? cleanMarkup(text, tally) : text;
}
