import { useFeatures } from '../content/simple-features';

/** Features accompany questions and have no answer. Their elements take `feature` and `labels`. */
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

/**
 * Defines the element of a feature type.
 * @returns the name of the tag; undefined for an unknown type.
 */
export async function defineFeature(type: string): Promise<string | undefined> {
  const load = Object.hasOwn(FEATURES, type) ? FEATURES[type]! : undefined;
  if (!load) return undefined;
  const tag = `itembank-feature-${type.toLowerCase()}`;
  const { default: Element } = await load();
  // Each tag needs its own class, and two types may share an element.
  if (!customElements.get(tag)) customElements.define(tag, class extends Element {});
  return tag;
}

// Texts of authors may hold features.
useFeatures(defineFeature);
