import { entryText, listOf } from '../members';
import { type Attempted, attemptedOf } from '../question';

/** Values of questions with blanks: a text for each, or null. */

export const textsOf = (value: unknown, count: number): string[] =>
  Array.from({ length: count }, (_, at) => entryText(listOf(value)[at]));

/** The value after one blank changes; null when all blanks are empty. */
export function withText(value: unknown, count: number, at: number, text: string): (string | null)[] | null {
  const texts = textsOf(value, count).map((each, place) => (place === at ? text : each) || null);
  return texts.every((each) => each === null) ? null : texts;
}

export const attemptedTexts = (value: unknown, count: number): Attempted =>
  attemptedOf(textsOf(value, count).filter((text) => text.trim() !== '').length, count);
