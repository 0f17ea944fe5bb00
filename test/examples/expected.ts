import { foldCase } from '#kernel';
import {
  type ActivityExample,
  isObject,
  type Json,
  type JsonObject,
  type WidgetExample,
  type WidgetList,
} from './shapes';

/* The expected answers of reads for the sent records, and the members that the service adds. */

/** Members that the service derives in the data of activities, whatever was sent. */
const DERIVED = ['activity_id', 'name', 'state', 'type'];

/**
 * Items list their widgets by reference and type. Each widget is in the list of its kind, whichever list it was sent
 * in. If no type was sent, any type is accepted.
 */
export function expectedLists(record: JsonObject, embedded: WidgetExample[], read: JsonObject | undefined): JsonObject {
  const widgets = new Map(embedded.map((widget) => [widget.record.reference, widget]));
  const readTypes = new Map(entriesOf(read).map(({ reference, type }) => [reference, type]));
  const lists: Partial<Record<WidgetList, Json[]>> = {};
  for (const list of ['questions', 'features'] as const) if (Array.isArray(record[list])) lists[list] = [];
  for (const { list, reference, type } of entriesOf(record)) {
    const widget = widgets.get(reference);
    const expected = widget?.record.type ?? type ?? readTypes.get(reference) ?? null;
    (lists[widget?.list ?? list] ??= []).push({ reference, type: expected });
  }
  const listed = new Set(entriesOf(record).map(({ reference }) => reference));
  for (const { reference, widget_type } of widgetsOf(record.definition as JsonObject)) {
    const list = widget_type === 'feature' ? 'features' : 'questions';
    // The service fills an absent list from the definition.
    if (!listed.has(reference as string) && !Array.isArray(record[list]))
      lists[list]?.push({ reference: reference!, type: readTypes.get(reference as string) ?? null });
  }
  return lists;
}

/** The widgets that an item lists, each with its list. */
export function entriesOf(item: JsonObject = {}): { list: WidgetList; reference: string; type?: string }[] {
  return (['questions', 'features'] as const).flatMap((list) =>
    (Array.isArray(item[list]) ? item[list] : []).map((entry) => {
      const { reference, type } = isObject(entry) ? entry : { reference: entry };
      return { list, reference: reference as string, type: typeof type === 'string' ? type : undefined };
    }),
  );
}

export function widgetsOf(definition: JsonObject): JsonObject[] {
  const regions = Array.isArray(definition.regions) ? definition.regions : [];
  return [definition, ...regions]
    .flatMap((part) => (isObject(part) && Array.isArray(part.widgets) ? part.widgets : []))
    .filter(isObject);
}

function mapItems(data: JsonObject, map: (item: Json, place: (string | number)[]) => Json): JsonObject {
  const mapped = { ...data };
  if (Array.isArray(data.items)) mapped.items = data.items.map((item, index) => map(item, ['items', index]));
  if (Array.isArray(data.sections))
    mapped.sections = data.sections.map((section, at) =>
      isObject(section) && Array.isArray(section.items)
        ? { ...section, items: section.items.map((item, index) => map(item, ['sections', at, 'items', index])) }
        : section,
    );
  return mapped;
}

export function itemsOf(data: JsonObject): Json[] {
  const items: Json[] = [];
  mapItems(data, (item) => {
    items.push(item);
    return item;
  });
  return items;
}

/**
 * Organisations of another installation mean nothing here, so all items become items of the bank to which the check
 * writes.
 */
export function inOwnBank(data: JsonObject): JsonObject {
  return mapItems(data, (item) => {
    if (!isObject(item) || item.organisation_id === undefined) return item;
    const { organisation_id: _other, ...rest } = item;
    return rest;
  });
}

/** Replaces members by the sent ones, if the service derived or filled them in correctly. */
export function withoutFilledIn(
  sent: JsonObject,
  read: JsonObject,
  { reference, title }: ActivityExample['record'],
): JsonObject {
  const data = { ...(read.data as JsonObject) };
  const wanted: JsonObject = {
    activity_id: reference,
    name: title ?? reference,
    state: 'initial',
    type: 'submit_practice',
  };
  for (const name of DERIVED) {
    if (data[name] !== wanted[name]) continue;
    if (sent[name] === undefined) delete data[name];
    else data[name] = sent[name];
  }
  return mapItems(data, (item, place) => {
    const before = place.reduce<Json | undefined>((value, part) => (value as JsonObject | undefined)?.[part], sent);
    if (!isObject(item) || !isObject(before)) return item;
    const shown = { ...item };
    if (before.id === undefined && typeof item.id === 'string') delete shown.id;
    if (before.organisation_id === undefined && typeof item.organisation_id === 'number') delete shown.organisation_id;
    return shown;
  });
}

/** Converts tags of any form to the form of reads. */
export function tagsByType(tags: Json | undefined): Record<string, string[]> {
  if (!Array.isArray(tags)) return (tags ?? {}) as Record<string, string[]>;
  const types: Record<string, string[]> = {};
  for (const { type, name } of tags as { type: string; name: string }[]) (types[type] ??= []).push(name);
  return types;
}

export function folded(tags: Record<string, string[]>): Record<string, string[]> {
  return Object.fromEntries(Object.entries(tags).map(([type, names]) => [foldCase(type), names.map(foldCase)]));
}
