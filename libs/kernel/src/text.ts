import { Fault } from './fault';
import { place } from './place';

/** The number of Unicode code points in a text. A surrogate pair counts as one. */
export function charactersOf(text: string): number {
  let count = 0;
  for (const _ of text) count++;
  return count;
}

/**
 * Checks that a text is valid Unicode and has an allowed length.
 * @param at JSON pointer to the text.
 */
export function checkText(text: string, at: string, { min = 0, max = Infinity } = {}): void {
  const length = charactersOf(text);
  if (length < min || length > max)
    throw new Fault('length', `${place(at)} must have ${min} to ${max} characters; it has ${length}.`, at);
  if (!text.isWellFormed())
    throw new Fault('value', `${place(at)} holds half of a surrogate pair, which is not Unicode text.`, at);
}

/** A character as messages name it: `"ä"`, `"\t"`, and `U+00A0` for one that nobody can see or tell from a blank. */
export function nameOfCharacter(character: string): string {
  const quoted = JSON.stringify(character);
  if (character === ' ' || !/[\p{C}\p{Z}]/u.test(quoted)) return quoted;
  return `U+${character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}`;
}

/**
 * A key that is equal for texts that differ only in case. It uses Unicode case folding, keeps accents and composes
 * canonically. It folds each character alone, so a final sigma folds like any other sigma.
 */
export function foldCase(text: string): string {
  // Fast path: most names are plain ASCII.
  if (/^[\x20-\x7e]*$/.test(text)) return text.toLowerCase();
  let folded = '';
  for (const character of text.normalize('NFC')) {
    // The dotless i folds to itself; upper case would turn it into an i. Lower case comes first because
    // the capital ẞ is its own upper case.
    folded += character === 'ı' ? character : character.toLowerCase().toUpperCase().toLowerCase();
  }
  return folded.normalize('NFC');
}

/** Removes the given characters from the end of a text in one pass. A pattern would backtrack at each of them. */
export function withoutEnd(text: string, characters: string): string {
  let end = text.length;
  while (end > 0 && characters.includes(text[end - 1]!)) end--;
  return text.slice(0, end);
}
