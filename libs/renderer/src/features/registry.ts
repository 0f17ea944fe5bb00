/** Features: what stands beside questions, and has no answer. Their elements take `feature` and `labels`. */
type ElementClass = new () => HTMLElement;

const FEATURES: Readonly<Record<string, () => Promise<{ default: ElementClass }>>> = {
  audioplayer: () => import('./audioplayer/element'),
  calculator: () => import('./calculator/element'),
  counter: () => import('./counter/element'),
  imagetool: () => import('./imagetool/element'),
  scrollablepassage: () => import('./sharedpassage/element'),
  sharedpassage: () => import('./sharedpassage/element'),
  videoplayer: () => import('./videoplayer/element'),
};

export const SUPPORTED_FEATURES: readonly string[] = Object.keys(FEATURES);

/** Makes sure that a type of feature has its element. @returns the name of the tag; undefined for a type without one. */
export async function defineFeature(type: string): Promise<string | undefined> {
  const load = Object.hasOwn(FEATURES, type) ? FEATURES[type]! : undefined;
  if (!load) return undefined;
  const tag = `itembank-feature-${type.toLowerCase()}`;
  const { default: Element } = await load();
  // A class of its own: two types may share an element.
  if (!customElements.get(tag)) customElements.define(tag, class extends Element {});
  return tag;
}
