import { isObject, type Json, type JsonObject } from '#kernel';
import { type ActivityRecord, type Entry, type ItemRecord, type Widget } from '../formats/entry';

/** The definition of an item. Without one: a definition that shows all of its widgets in their order. */
export const definitionOf = ({ definition, widgets }: ItemRecord): JsonObject =>
  definition ?? { widgets: widgets.map(({ reference }) => ({ reference })) };

/** The questions and the features of a record. */
export function widgetsOf({ record }: Entry): { questions: Widget[]; features: Widget[] } {
  if (record?.kind === 'item') {
    const features = new Set(record.features);
    return {
      questions: record.widgets.filter(({ reference }) => !features.has(reference)),
      features: record.widgets.filter(({ reference }) => features.has(reference)),
    };
  }
  return { questions: [], features: [] };
}

/** The activity with its items renamed by `map`. Leaves out items without a new reference. */
export const withItems = (record: ActivityRecord, map: (reference: string) => string | undefined): ActivityRecord => ({
  ...record,
  data: mapItems(record.data, map),
});

function mapItems(data: JsonObject, map: (reference: string) => string | undefined): JsonObject {
  const mapList = (items: Json): Json =>
    Array.isArray(items) ? items.flatMap((item) => mapItem(item, map) ?? []) : items;
  const mapped = { ...data };
  if (data.items !== undefined) mapped.items = mapList(data.items);
  if (Array.isArray(data.sections))
    mapped.sections = data.sections.map((section) =>
      isObject(section) && section.items !== undefined ? { ...section, items: mapList(section.items) } : section,
    );
  return mapped;
}

function mapItem(item: Json, map: (reference: string) => string | undefined): Json | undefined {
  if (typeof item === 'string') return map(item);
  if (!isObject(item) || typeof item.reference !== 'string') return item;
  const reference = map(item.reference);
  return reference === undefined ? undefined : { ...item, reference };
}

/** The same entry under other references: its own, and those of its widgets. */
export function renamed(entry: Entry, suffix: string): Entry {
  const { record } = entry;
  const reference = entry.reference + suffix;
  if (record?.kind !== 'item') return { ...entry, reference };
  const references = new Map(record.widgets.map((widget) => [widget.reference, widget.reference + suffix]));
  return {
    ...entry,
    reference,
    record: {
      ...record,
      definition: withWidgets(definitionOf(record), references),
      widgets: record.widgets.map((widget) => ({ ...widget, reference: widget.reference + suffix })),
      ...(record.features && { features: record.features.map((feature) => feature + suffix) }),
    },
  };
}

/** A definition with other references in the lists of widgets, its own and those of its regions. */
function withWidgets(definition: JsonObject, references: ReadonlyMap<string, string>): JsonObject {
  const mapped = { ...definition };
  if (Array.isArray(definition.widgets))
    mapped.widgets = definition.widgets.map((widget) =>
      isObject(widget) && typeof widget.reference === 'string'
        ? { ...widget, reference: references.get(widget.reference) ?? widget.reference }
        : widget,
    );
  if (Array.isArray(definition.regions))
    mapped.regions = definition.regions.map((region) => (isObject(region) ? withWidgets(region, references) : region));
  return mapped;
}
