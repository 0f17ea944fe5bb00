import { type XmlElement } from '../xml';

/* QTI 3.0 writes `qti-simple-choice` and `max-choices` where 2.x writes `simpleChoice` and `maxChoices`. All code here uses 2.x names. */

const camel = (name: string): string => name.replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase());
const kebab = (name: string): string => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

/** The name of an element as 2.x writes it. */
export const nameOf = ({ name }: XmlElement): string => (name.startsWith('qti-') ? camel(name.slice(4)) : name);

/** An attribute by its name in 2.x; undefined when it is absent. */
export const attr = ({ attributes }: XmlElement, name: string): string | undefined =>
  attributes[name] ?? attributes[kebab(name)];

export const allOf = (element: XmlElement, name: string): XmlElement[] =>
  element.elements.filter((child) => nameOf(child) === name);

export const firstOf = (element: XmlElement, name: string): XmlElement | undefined =>
  element.elements.find((child) => nameOf(child) === name);

/** The elements with these names below this one, at any depth, in the order of the document. */
export const allBelow = (element: XmlElement, ...names: string[]): XmlElement[] =>
  [...element.below()].filter((child) => names.includes(nameOf(child)));

/** An attribute as a number; undefined when it is absent or not a number. */
export function numberAttr(element: XmlElement, name: string): number | undefined {
  const text = attr(element, name)?.trim();
  const number = text ? Number(text) : NaN;
  return Number.isFinite(number) ? number : undefined;
}

/** The attributes among these that say something: `maxPlays 2`, and not `maxPlays 0`. */
export const rulesIn = (element: XmlElement, names: readonly string[]): string[] =>
  names
    .filter((name) => !['', '0', 'false'].includes(attr(element, name) ?? ''))
    .map((name) => `${name} ${attr(element, name)!}`);

export const isTrue = (element: XmlElement, name: string): boolean => attr(element, name) === 'true';
