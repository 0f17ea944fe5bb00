import type { QuestionElement } from './question-element';

type ElementClass = new () => QuestionElement;
type AnyClass = new () => HTMLElement;

/** The supported question types. The first question of a type loads its code. */
const TYPES: Readonly<Record<string, () => Promise<{ default: ElementClass }>>> = {
  association: () => import('./questions/association/element'),
  choicematrix: () => import('./questions/choicematrix/element'),
  classification: () => import('./questions/classification/element'),
  clozeassociation: () => import('./questions/clozeassociation/element'),
  clozedropdown: () => import('./questions/clozedropdown/element'),
  clozeformula: () => import('./questions/clozeformula/element'),
  clozeformulaV2: () => import('./questions/clozeformula/element'),
  clozeinlinetext: () => import('./questions/clozetext/element'),
  clozetext: () => import('./questions/clozetext/element'),
  formulaV2: () => import('./questions/formulaV2/element'),
  gridded: () => import('./questions/gridded/element'),
  highlight: () => import('./questions/highlight/element'),
  hotspot: () => import('./questions/hotspot/element'),
  imageclozeassociation: () => import('./questions/imageclozeassociation/element'),
  imageclozeassociationV2: () => import('./questions/imageclozeassociation/element'),
  imageclozedropdown: () => import('./questions/imageclozedropdown/element'),
  imageclozetext: () => import('./questions/imageclozetext/element'),
  longtext: () => import('./questions/longtextV2/element'),
  longtextV2: () => import('./questions/longtextV2/element'),
  mcq: () => import('./questions/mcq/element'),
  numberline: () => import('./questions/numberline/element'),
  orderlist: () => import('./questions/orderlist/element'),
  plaintext: () => import('./questions/plaintext/element'),
  rating: () => import('./questions/rating/element'),
  shorttext: () => import('./questions/shorttext/element'),
  simpleshading: () => import('./questions/simpleshading/element'),
  sortlist: () => import('./questions/sortlist/element'),
  tokenhighlight: () => import('./questions/tokenhighlight/element'),
};

const unsupported = () => import('./unsupported');

/**
 * Defines the element of a question type.
 * @returns the name of the tag; `itembank-unsupported` for an unknown type.
 */
export async function defineQuestion(type: string): Promise<string> {
  const isKnown = Object.hasOwn(TYPES, type);
  const tag = `itembank-${isKnown ? type.toLowerCase() : 'unsupported'}`;
  const { default: Element } = await (isKnown ? TYPES[type]! : unsupported)();
  // Each tag needs its own class, and two types may share an element.
  if (!customElements.get(tag)) customElements.define(tag, class extends (Element as AnyClass) {});
  return tag;
}
