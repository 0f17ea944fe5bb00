import { Fault, foldCase } from '#kernel';

/*
 * Words for the full-text indexes of all engines. Engines split texts differently, and leave out short and common
 * words, and letters of some scripts. So this module splits texts itself, and writes each word in ASCII with a fixed
 * prefix.
 */

/** A word of a text and its place. */
export interface Word {
  /** Folded: without case and accents. */
  folded: string;
  start: number;
  end: number;
}

/** A search term: a word, or words that follow each other. */
export interface Term {
  words: readonly string[];
  /** Whether it also finds longer words that begin with it. */
  isPrefix: boolean;
}

/** Scripts that put no blanks between words. Each of their letters is a word of its own. */
const UNSPACED = 'Han Hiragana Katakana Thai Lao Khmer Myanmar'
  .split(' ')
  .map((name) => `\\p{sc=${name}}`)
  .join('');
const WORD = new RegExp(`[${UNSPACED}]\\p{M}*|(?:(?![${UNSPACED}])[\\p{L}\\p{N}\\p{M}])+`, 'gu');
/** Most texts are plain ASCII, in which folding only changes the case. Their words are found faster. */
const ASCII = /^[\x00-\x7f]*$/;
const ALONE = new RegExp(`^[${UNSPACED}]`, 'u');

export function wordsOf(text: string): Word[] {
  const words: Word[] = [];
  const isAscii = ASCII.test(text);
  const matches = isAscii ? text.toLowerCase().matchAll(/[a-z0-9]+/g) : text.matchAll(WORD);
  for (const { 0: word, index: start } of matches) {
    const folded = isAscii ? word : foldedWord(word);
    if (folded !== '') words.push({ folded, start, end: start + word.length });
  }
  return words;
}

function foldedWord(word: string): string {
  if (/^[a-z0-9]+$/.test(word)) return word;
  const plain = word.normalize('NFKD').replace(/[\u0300-\u036f]/g, '');
  return foldCase(plain).replace(/[^\p{L}\p{N}\p{M}]/gu, '');
}

/** The maximum number of indexed words per item. */
export const MAX_WORDS = 20_000;

/** The index entry of an item: the words of its texts, in order. */
export function indexedWords(texts: readonly string[]): string {
  const words: string[] = [];
  for (const text of texts)
    // Fast path, without the places of the words.
    if (ASCII.test(text)) for (const word of text.toLowerCase().match(/[a-z0-9]+/g) ?? []) words.push(inAscii(word));
    else for (const { folded } of wordsOf(text)) words.push(inAscii(folded));
  return words.slice(0, MAX_WORDS).join(' ');
}

/**
 * The prefix of indexed words. No natural word begins with it, and it makes words long enough that no server leaves
 * them out.
 */
const PREFIX = 'zq';
/** Servers leave out words of more than 84 characters, so longer words are cut off. */
const MAX_ENCODED = 80;
const SHORT = MAX_ENCODED - PREFIX.length;

/**
 * Encodes a word in lower-case letters, digits and `_`. If a word begins with another, its code begins with the other's
 * code.
 */
export function inAscii(folded: string): string {
  if (folded.length <= SHORT && /^[a-z0-9]*$/.test(folded)) return PREFIX + folded;
  let encoded = PREFIX;
  for (const character of folded) {
    const next = /[a-z0-9]/.test(character) ? character : encodedCharacter(character.codePointAt(0)!);
    if (encoded.length + next.length > MAX_ENCODED) break;
    encoded += next;
  }
  return encoded;
}

/** Whether the index has a word under the given code or, for a prefix, under one that begins with it. */
export function isIndexedAs({ folded }: Word, code: string, isPrefix: boolean): boolean {
  // Most words differ in the first letter, and need not be encoded. Only letters that are not in ASCII have another code.
  const first = code[PREFIX.length];
  if (first !== '_' && first !== folded[0]) return false;
  const encoded = inAscii(folded);
  return isPrefix ? encoded.startsWith(code) : encoded === code;
}

function encodedCharacter(code: number): string {
  return code < 36 ** 3 ? `_${code.toString(36).padStart(3, '0')}` : `__${code.toString(36).padStart(4, '0')}`;
}

/** From this length on, a term also finds longer words. A shorter one would find nearly everything. */
const PREFIX_LENGTH = 3;
const MAX_TERMS = 20;

/**
 * Reads a search: words, and phrases in double quotes.
 * @throws Fault for a search without words, with too many, or with a quote that does not end.
 */
export function termsOf(text: string, at: string): Term[] {
  const parts = text.split(/["“”„]/);
  if (parts.length % 2 === 0)
    throw new Fault(
      'value',
      `${at.slice(1)} holds a quotation mark without a second one; put a phrase in two, or leave it out.`,
      at,
    );
  const terms = parts.flatMap((part, index) => (index % 2 === 1 ? phraseOf(part) : singleTerms(part)));
  const unique = [...new Map(terms.map((term) => [JSON.stringify(term), term])).values()];
  if (unique.length === 0)
    throw new Fault('value', `${at.slice(1)} holds no word: it needs a letter or a digit at least.`, at);
  if (unique.length > MAX_TERMS)
    throw new Fault('too-many', `${at.slice(1)} may hold at most ${MAX_TERMS} words; it holds ${unique.length}.`, at);
  return unique;
}

function phraseOf(part: string): Term[] {
  const words = wordsOf(part).map(({ folded }) => folded);
  return words.length > 0 ? [{ words, isPrefix: false }] : [];
}

/** Each word is a term of its own. Words with nothing between them, as in scripts without blanks, form one phrase. */
function singleTerms(part: string): Term[] {
  const terms: { words: string[]; isPrefix: boolean }[] = [];
  let before: Word | undefined;
  for (const word of wordsOf(part)) {
    const { folded, start } = word;
    if (before?.end === start) {
      terms.at(-1)!.words.push(folded);
      terms.at(-1)!.isPrefix = false;
    } else terms.push({ words: [folded], isPrefix: folded.length >= PREFIX_LENGTH && !ALONE.test(folded) });
    before = word;
  }
  return terms;
}

/** A term in the words of the index. */
export function indexedTerm({ words, isPrefix }: Term): Term {
  return { words: words.map(inAscii), isPrefix };
}
