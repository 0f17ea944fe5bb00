import { foldCase, type Json, type JsonObject } from '#kernel';
import { flagOf, objectOf } from '../members';
import { isEmpty } from '../parts';
import { type Key, UNREADABLE } from './keys';

const FULL_WIDTH = /[\u3000\uff01-\uff60\uffe0-\uffe6]/g;

/** What a text is compared by, or the key of another entry. */
export type TextKey = (entry: Json) => Key;

/**
 * How a question compares typed texts (decision 26): leading and trailing spaces and, unless `case_sensitive`, case do not
 * count; the same characters composed otherwise, or lines ended otherwise, are the same text. With
 * `validation.enable_fullwidth_scoring` full-width letters, digits and signs are the ordinary ones.
 */
export function textKey(question: JsonObject): TextKey {
  const caseSensitive = flagOf(question['case_sensitive']) === true;
  const widthCounts = flagOf(objectOf(question['validation'])['enable_fullwidth_scoring']) !== true;
  const trims = flagOf(question['ignore_leading_and_trailing_spaces']) !== false;
  return (entry) => {
    if (isEmpty(entry)) return null;
    if (typeof entry === 'object') return UNREADABLE;
    let text = String(entry);
    if (text.includes('\r')) text = text.replaceAll('\r\n', '\n');
    if (!widthCounts) text = text.replace(FULL_WIDTH, (sign) => sign.normalize('NFKC'));
    if (trims) text = text.trim();
    return caseSensitive ? text.normalize('NFC') : foldCase(text);
  };
}

const ACCENTS = /[\u0300-\u036f]/g;

/** The text without accents; letters that are others, and not accented ones (ø, ł), stay. */
export function withoutAccents(text: string): string {
  return text.normalize('NFD').replace(ACCENTS, '').normalize('NFC');
}

const SPACES = /\s+/g;

/** gridded: blanks do not count (decision 26). */
export const griddedKey: TextKey = (entry) => {
  if (isEmpty(entry)) return null;
  return typeof entry === 'object' ? UNREADABLE : String(entry).replace(SPACES, '');
};

/** The words of a text. */
export function wordsOf(text: string): string[] {
  return text.trim().split(SPACES);
}

/**
 * Whether `phrase` stands in `text` as whole words, one after the other. Punctuation around a word of the text need not
 * match, nor that within the phrase which a space follows. Both as the words of what `textKey` gives.
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

/** Whether nothing but punctuation stands around `word`. */
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
