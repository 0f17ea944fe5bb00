import type { Labels } from '../labels';

/** Placeholders of features that are described by attributes: `<span class="learnosity-feature" data-type="calculator">`. */
const MARKS = '.learnosity-feature[data-type]';
const PREFIX = 'data-';

/** The event by which a sound or film asks for the key under which this browser keeps its plays; listeners set `detail.key`. */
export const PLAYS_WANTED = 'itembank-plays-wanted';

type Define = (type: string) => Promise<string | undefined>;
let defineFeature: Define = () => Promise.resolve(undefined);

/** Sets the function that defines elements of features. Their registry calls it: features import markup, so markup cannot import them. */
export function useFeatures(define: Define): void {
  defineFeature = define;
}

export interface SimpleFeature {
  feature: Readonly<Record<string, unknown>>;
  element: HTMLElement;
}

/** The features that {@link placeSimpleFeatures} placed below an element. */
export function simpleFeaturesIn(root: ParentNode): SimpleFeature[] {
  const elements = [...root.querySelectorAll<HTMLElement>(`${MARKS} > *`)].filter((element) => 'feature' in element);
  return elements.map((element) => ({ element, feature: (element as unknown as SimpleFeature).feature }));
}

/** Fills the placeholders of simple features. Ignores those of an unsupported type. */
export async function placeSimpleFeatures(root: ParentNode, labels: Labels): Promise<void> {
  await Promise.all(
    [...root.querySelectorAll<HTMLElement>(MARKS)].map(async (mark) => {
      const feature = featureOf(mark);
      const tag = await defineFeature(String(feature['type']));
      // A second app on the page may have filled it meanwhile.
      if (!tag || 'feature' in (mark.firstElementChild ?? mark)) return;
      const element = Object.assign(document.createElement(tag), { feature, labels });
      // A passage that scrolls is the content of its placeholder.
      element.append(...mark.childNodes);
      mark.append(element);
    }),
  );
}

/** The definition in the attributes: `data-playback-limit` is the member `playback_limit`. */
function featureOf(mark: HTMLElement): Record<string, unknown> {
  const given = [...mark.attributes].filter(({ name }) => name.startsWith(PREFIX));
  const members = given.map(({ name, value }) => [name.slice(PREFIX.length).replaceAll('-', '_'), valueOf(value)]);
  return Object.fromEntries(members) as Record<string, unknown>;
}

/** Attributes hold objects as JSON, for example `data-metadata`. */
function valueOf(text: string): unknown {
  if (!text.startsWith('{')) return text;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
