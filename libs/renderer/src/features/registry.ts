/** A feature on the page: what stands beside questions. It has no answer. */
export interface FeatureElement extends HTMLElement {
  feature: Record<string, unknown>;
  labels: Record<string, string>;
}

type ElementClass = new () => FeatureElement;

const FEATURES: Readonly<Record<string, () => Promise<{ default: ElementClass }>>> = {
  sharedpassage: () => import('./sharedpassage/element'),
};

export const SUPPORTED_FEATURES: readonly string[] = Object.keys(FEATURES);

/** Makes sure that a type of feature has its element. @returns the name of the tag; undefined for a type without one. */
export async function defineFeature(type: string): Promise<string | undefined> {
  const load = Object.hasOwn(FEATURES, type) ? FEATURES[type]! : undefined;
  if (!load) return undefined;
  const tag = `itembank-feature-${type.toLowerCase()}`;
  const { default: Element } = await load();
  if (!customElements.get(tag)) customElements.define(tag, Element);
  return tag;
}
