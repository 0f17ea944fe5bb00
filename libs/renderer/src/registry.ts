import type { QuestionElement } from './question-element';

type ElementClass = new () => QuestionElement;

/** The types that can be shown. Each is loaded when the first question of it is. */
const TYPES: Readonly<Record<string, () => Promise<{ default: ElementClass }>>> = {
  clozeassociation: () => import('./questions/clozeassociation/element'),
  mcq: () => import('./questions/mcq/element'),
  shorttext: () => import('./questions/shorttext/element'),
};

const unsupported = () => import('./unsupported');

export const SUPPORTED_TYPES: readonly string[] = Object.keys(TYPES);

/** Makes sure that a type has its element. @returns the name of the tag, `itembank-unsupported` for a type without one. */
export async function defineQuestion(type: string): Promise<string> {
  const isKnown = Object.hasOwn(TYPES, type);
  const tag = `itembank-${isKnown ? type.toLowerCase() : 'unsupported'}`;
  const { default: Element } = await (isKnown ? TYPES[type]! : unsupported)();
  if (!customElements.get(tag)) customElements.define(tag, Element);
  return tag;
}
