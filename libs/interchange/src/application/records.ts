import { renamedData } from '#content';
import { Fault, isObject, numberOf, type Json, type JsonObject } from '#kernel';
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

/**
 * The activity without items of its bank that are missing, and with the others under the references that they have in
 * the bank. Items of other banks stay.
 */
export function withItems(
  record: ActivityRecord,
  own: number,
  isMissing: (reference: string) => boolean,
  renamed: ReadonlyMap<string, string>,
): ActivityRecord {
  const isKept = (item: Json): boolean => {
    if (!isObject(item)) return typeof item !== 'string' || !isMissing(item);
    const isOwn = numberOf(item.organisation_id ?? own) === own;
    return typeof item.reference !== 'string' || !isOwn || !isMissing(item.reference);
  };
  const kept = keptItems(record.data, isKept);
  try {
    return { ...record, data: renamed.size === 0 ? kept : renamedData(kept, own, renamed) };
  } catch (error) {
    // The bank refuses such data, and says why.
    if (error instanceof Fault) return { ...record, data: kept };
    throw error;
  }
}

function keptItems(data: JsonObject, isKept: (item: Json) => boolean): JsonObject {
  const filtered = (items: Json): Json => (Array.isArray(items) ? items.filter(isKept) : items);
  const kept = { ...data };
  if (data.items !== undefined) kept.items = filtered(data.items);
  if (Array.isArray(data.sections))
    kept.sections = data.sections.map((section) =>
      isObject(section) && section.items !== undefined ? { ...section, items: filtered(section.items) } : section,
    );
  return kept;
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
