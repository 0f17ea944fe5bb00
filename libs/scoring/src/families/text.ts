import { foldCase, type Json, type JsonObject } from '#kernel';
import { flagOf, objectOf } from '../members';
import { isEmpty } from '../parts';
import { type Key, UNREADABLE } from './keys';

/** Marks of direction, hints of line breaks, and spaces without width. Keyboards and copied texts contain them. */
const UNSEEN = /[\u00ad\u061c\u200b\u200e\u200f\u202a-\u202e\u2060\u2066-\u2069\ufeff]/g;
/** Spaces at which no line breaks; they look like ordinary ones. */
const UNBROKEN = /[\u00a0\u202f]/g;

const FULL_WIDTH = /[\u3000\uff01-\uff60\uffe0-\uffe6]/g;

/** The key of a typed text, or of another entry. */
export type TextKey = (entry: Json) => Key;

/**
 * How a question compares typed texts (decision 26): ignores leading and trailing spaces, characters that nobody sees,
 * Unicode composition, the kind of line ends and, unless `case_sensitive`, case. With `validation.enable_fullwidth_scoring`, full-width letters,
 * digits and signs equal the ordinary ones.
 */
export function textKey(question: JsonObject): TextKey {
  const caseSensitive = flagOf(question['case_sensitive']) === true;
  const widthCounts = flagOf(objectOf(question['validation'])['enable_fullwidth_scoring']) !== true;
  const trims = flagOf(question['ignore_leading_and_trailing_spaces']) !== false;
  return (entry) => {
    if (isEmpty(entry)) return null;
    if (typeof entry === 'object') return UNREADABLE;
    let text = String(entry).replace(UNSEEN, '').replace(UNBROKEN, ' ');
    if (text.includes('\r')) text = text.replaceAll('\r\n', '\n');
    if (!widthCounts) text = text.replace(FULL_WIDTH, (sign) => sign.normalize('NFKC'));
    if (trims) text = text.trim();
    return caseSensitive ? text.normalize('NFC') : foldCase(text);
  };
}

const ACCENTS = /[\u0300-\u036f]/g;

/** The text without accents. Letters that have no accent in Unicode (ø, ł) stay. */
export function withoutAccents(text: string): string {
  return text.normalize('NFD').replace(ACCENTS, '').normalize('NFC');
}

const SPACES = /\s+/g;

/** The key of an entry of `gridded`, which ignores blanks (decision 26). */
export const griddedKey: TextKey = (entry) => {
  if (isEmpty(entry)) return null;
  return typeof entry === 'object' ? UNREADABLE : String(entry).replace(UNSEEN, '').replace(SPACES, '');
};

/** The words of a text. */
export function wordsOf(text: string): string[] {
  return text.trim().split(SPACES);
}

/**
 * Whether `text` contains `phrase` as consecutive whole words. Ignores punctuation around a word of the text, and
 * punctuation before a space within the phrase. Both parameters are words of a `textKey` result.
 */
export function containsPhrase(text: readonly string[], phrase: readonly string[]): boolean {
  const last = phrase.length - 1;
  const isAt = (start: number): boolean =>
    phrase.every((word, at) => {
      const given = text[start + at]!;
      return isWord(given, word) || (at < last && isWord(given, withoutEnd(word)));
    });
  for (let start = 0; start + last < text.length; start++) if (isAt(start)) return true;
  return false;
}

/** Whether `given` is `word` with nothing but punctuation around it. */
function isWord(given: string, word: string): boolean {
  const start = given.indexOf(word);
  return start >= 0 && isPunctuation(given, 0, start) && isPunctuation(given, start + word.length, given.length);
}

const PUNCTUATION = /\p{P}/u;

function isPunctuation(text: string, from: number, to: number): boolean {
  for (let at = from; at < to; at++) if (!PUNCTUATION.test(text.charAt(at))) return false;
  return true;
}

function withoutEnd(word: string): string {
  let end = word.length;
  while (end > 1 && PUNCTUATION.test(word.charAt(end - 1))) end--;
  return word.slice(0, end);
}
