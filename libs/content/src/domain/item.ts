import { Fault, Faults, isObject, type Json, type JsonObject, place } from '#kernel';

export const SCORING_TYPES = ['per-question', 'dichotomous', 'dependent'] as const;
export const DEFAULT_SCORING_TYPE = 'per-question';

/** A widget in an item's definition or lists, with its place in the request. */
export interface WidgetMention {
  reference: string;
  at: string;
}

/**
 * The widgets that a definition shows, in order, each once.
 * @throws Fault with all mistakes: 20001 for a definition without widgets, and whatever is not a list of widgets.
 */
export function widgetsOf(definition: JsonObject, at: string): WidgetMention[] {
  const mentions: WidgetMention[] = [];
  const faults = new Faults();
  const listIn = (value: Json | undefined, listAt: string) =>
    value === undefined || value === null ? [] : (faults.collect(() => asList(value, listAt)) ?? []);
  const lists: [list: Json | undefined, at: string][] = [[definition.widgets, `${at}/widgets`]];
  for (const [index, region] of listIn(definition.regions, `${at}/regions`).entries()) {
    const regionAt = `${at}/regions/${index}`;
    lists.push([faults.collect(() => asObject(region, regionAt))?.widgets, `${regionAt}/widgets`]);
  }
  for (const [list, listAt] of lists)
    for (const [index, widget] of listIn(list, listAt).entries())
      faults.collect(() => mentions.push(widgetMention(widget, `${listAt}/${index}`)));
  faults.throwAny();
  if (mentions.length === 0)
    throw new Fault(
      'length',
      `${place(at)} must hold at least one widget, in widgets or in the widgets of regions.`,
      `${at}/widgets`,
    );
  const seen = new Set<string>();
  return mentions.filter(({ reference }) => !seen.has(reference) && seen.add(reference));
}

function widgetMention(widget: unknown, widgetAt: string): WidgetMention {
  const { reference } = asObject(widget, widgetAt);
  const at = `${widgetAt}/reference`;
  if (reference === undefined || reference === null) throw new Fault('missing', `${place(at)} is required.`, at);
  if (typeof reference !== 'string') throw new Fault('type', `${place(at)} must be text.`, at);
  return { reference, at };
}

/**
 * @throws Fault with each known member of a definition that has a wrong type. `widgetsOf` checks the lists of widgets.
 */
export function checkDefinition(definition: JsonObject, at: string): void {
  const faults = new Faults();
  checkTypes(definition, at, { template: 'text' }, faults);
  const regions = Array.isArray(definition.regions) ? definition.regions : [];
  for (const [index, region] of regions.entries())
    if (isObject(region))
      checkTypes(region, `${at}/regions/${index}`, { type: 'text', width: 'text or a number' }, faults);
  faults.throwAny();
}

/** The types that the service checks in free-form content. Null counts as absent. */
type KnownType = 'text' | 'an object' | 'text or a number';

const IS_OF_TYPE: Record<KnownType, (value: Json) => boolean> = {
  text: (value) => typeof value === 'string',
  'an object': isObject,
  'text or a number': (value) => typeof value === 'string' || typeof value === 'number',
};

/** Collects each present member of a wrong type. Accepts an empty list as an empty object, because PHP writes it so. */
export function checkTypes(object: JsonObject, at: string, types: Record<string, KnownType>, faults: Faults): void {
  for (const [name, type] of Object.entries(types)) {
    const value = object[name] ?? null;
    const isEmptyObject = type === 'an object' && Array.isArray(value) && value.length === 0;
    if (value === null || isEmptyObject || IS_OF_TYPE[type](value)) continue;
    const memberAt = `${at}/${name}`;
    faults.add('type', `${place(memberAt)} must be ${type}.`, memberAt);
  }
}

/**
 * Checks the members of metadata that have a meaning. Keeps everything else as it is.
 * @throws Fault with all mistakes.
 */
export function checkItemMetadata(metadata: JsonObject, at: string): { metadata: JsonObject; scoringType: string } {
  const faults = new Faults();
  checkTypes(metadata, at, { acknowledgements: 'text', name: 'text' }, faults);
  const checked = faults.collect(() => withScoringType(metadata, at));
  faults.throwAny();
  return checked!;
}

function withScoringType(metadata: JsonObject, at: string): { metadata: JsonObject; scoringType: string } {
  const { scoring_type: scoringType } = metadata;
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
