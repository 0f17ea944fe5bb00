import { Fault, type JsonObject, place } from '#kernel';

export const SCORING_TYPES = ['per-question', 'dichotomous', 'dependent'] as const;
export const DEFAULT_SCORING_TYPE = 'per-question';

/** A widget as an item's definition or lists name it, with the place in the request. */
export interface WidgetMention {
  reference: string;
  at: string;
}

/**
 * The widgets that a definition shows, in order, each once.
 * @throws Fault 20001 for a definition without widgets, and for whatever is no list of widgets.
 */
export function widgetsOf(definition: JsonObject, at: string): WidgetMention[] {
  const mentions: WidgetMention[] = [];
  const lists: [list: unknown, at: string][] = [[definition.widgets, `${at}/widgets`]];
  if (definition.regions !== undefined && definition.regions !== null) {
    const regions = `${at}/regions`;
    for (const [index, region] of asList(definition.regions, regions).entries())
      lists.push([asObject(region, `${regions}/${index}`).widgets, `${regions}/${index}/widgets`]);
  }
  for (const [list, listAt] of lists) {
    if (list === undefined || list === null) continue;
    for (const [index, widget] of asList(list, listAt).entries()) {
      const widgetAt = `${listAt}/${index}`;
      const { reference } = asObject(widget, widgetAt);
      const referenceAt = `${widgetAt}/reference`;
      if (reference === undefined || reference === null)
        throw new Fault('missing', `${place(referenceAt)} is required.`, referenceAt);
      if (typeof reference !== 'string') throw new Fault('type', `${place(referenceAt)} must be text.`, referenceAt);
      mentions.push({ reference, at: referenceAt });
    }
  }
  if (mentions.length === 0)
    throw new Fault(
      'length',
      `${place(at)} must hold at least one widget, in widgets or in the widgets of regions.`,
      `${at}/widgets`,
    );
  const seen = new Set<string>();
  return mentions.filter(({ reference }) => !seen.has(reference) && seen.add(reference));
}

/** The members of metadata that have a meaning, checked; everything else is kept as it is. */
export function checkItemMetadata(metadata: JsonObject, at: string): { metadata: JsonObject; scoringType: string } {
  const { scoring_type: scoringType, acknowledgements } = metadata;
  if (acknowledgements !== undefined && acknowledgements !== null && typeof acknowledgements !== 'string')
    throw new Fault('type', `${place(at)}.acknowledgements must be text or null.`, `${at}/acknowledgements`);
  if (scoringType === undefined || scoringType === null) return { metadata, scoringType: DEFAULT_SCORING_TYPE };
  const known = scoringType === 'per-dichotomous' ? 'dichotomous' : scoringType;
  if (typeof known !== 'string')
    throw new Fault('type', `${place(at)}.scoring_type must be text.`, `${at}/scoring_type`);
  if (!(SCORING_TYPES as readonly string[]).includes(known))
    throw new Fault(
      'value',
      `${place(at)}.scoring_type must be one of ${SCORING_TYPES.join(', ')}; it is ${JSON.stringify(known.slice(0, 60))}.`,
      `${at}/scoring_type`,
    );
  return { metadata: known === scoringType ? metadata : { ...metadata, scoring_type: known }, scoringType: known };
}

export function asList(value: unknown, at: string): unknown[] {
  if (!Array.isArray(value)) throw new Fault('type', `${place(at)} must be a list.`, at);
  return value;
}

export function asObject(value: unknown, at: string): JsonObject {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new Fault('type', `${place(at)} must be an object.`, at);
  return value as JsonObject;
}
