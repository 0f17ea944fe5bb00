import { Fault } from './fault';
import { place } from './place';

/** How many characters of Unicode a text has: an emoji of two halves is one. */
export function charactersOf(text: string): number {
  let count = 0;
  for (const _ of text) count++;
  return count;
}

/**
 * A text that people write: Unicode, and of an allowed length.
 * @param at JSON pointer to the text.
 */
export function checkText(text: string, at: string, { min = 0, max = Infinity } = {}): void {
  const length = charactersOf(text);
  if (length < min || length > max)
    throw new Fault('length', `${place(at)} must have ${min} to ${max} characters; it has ${length}.`, at);
  if (!text.isWellFormed())
    throw new Fault('value', `${place(at)} holds half of a surrogate pair, which is no Unicode text.`, at);
}

/**
 * The key under which texts that differ only in case are equal: Unicode case folding, accents kept, canonically
 * composed. Folded character by character, so that the end of a word folds like its middle (final sigma).
 */
export function foldCase(text: string): string {
  // Most names are plain.
  if (/^[\x20-\x7e]*$/.test(text)) return text.toLowerCase();
  let folded = '';
  for (const character of text.normalize('NFC')) {
    // The dotless i folds to itself; taking it through upper case would make it an i. Lower case comes first for the
    // capital ẞ alone, which is its own upper case.
    folded += character === 'ı' ? character : character.toLowerCase().toUpperCase().toLowerCase();
  }
  return folded.normalize('NFC');
}

/** A text without those of the characters that it ends with. In one pass: a pattern would begin anew at each of them. */
export function withoutEnd(text: string, characters: string): string {
  let end = text.length;
  while (end > 0 && characters.includes(text[end - 1]!)) end--;
  return text.slice(0, end);
}
