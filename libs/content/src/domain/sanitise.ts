import { type Json, type JsonObject } from '#kernel';
import { cleanMarkup, type Tally } from './markup';
import { decode, isHarmfulAddress } from './markup-proof';

export interface Sanitised {
  /** The very object that was passed in when nothing had to go. */
  data: JsonObject;
  /** How many elements, attributes and addresses went. */
  removed: number;
}

/** Removes what could run in a reader's browser from a question's or feature's definition. Never touches answers and formulas. */
export function sanitiseWidgetData(data: JsonObject): Sanitised {
  const tally = { removed: 0 };
  return { data: cleanObject(data, false, tally), removed: tally.removed };
}

/** The same for the members of an item that may hold markup; title, note, source and the rest are plain text and stay. */
export function sanitiseItem(item: JsonObject): Sanitised {
  const tally = { removed: 0 };
  let data = item;
  for (const key of ['content', 'description', 'definition', 'metadata', 'dynamic_content_data']) {
    const before = item[key];
    if (before === undefined) continue;
    const after = clean(before, key, false, tally);
    if (after !== before) data = { ...data, [key]: after };
  }
  return { data, removed: tally.removed };
}

// The members of a definition

/** Answers are compared, never shown as markup: whole subtrees, whatever they hold. */
const ANSWERS = new Set(['validation', 'valid_response', 'valid_responses', 'alt_responses']);
/** Texts with a notation of their own. An object of this name is looked into all the same. */
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

function cleanObject(object: JsonObject, group: boolean, tally: Tally): JsonObject {
  let copy: JsonObject | undefined;
  for (const key of Object.keys(object)) {
    if (ANSWERS.has(key)) continue;
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
