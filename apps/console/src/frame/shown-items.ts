import { queryOptions } from '@tanstack/react-query';
import { type Answer, batchesOf, call, keyOf, MAX_ENTRIES, pagesOf } from '../operations/call';
import type { Feature, Item, Question } from '../operations/operations';
import type { ShownItem, ShownWidget } from './protocol';
import { objectOf } from '../ui/member-path';

/** A question or a feature. */
export interface Widget {
  kind: 'question' | 'feature';
  reference: string;
  type: string;
  data: Record<string, unknown>;
  metadata?: unknown;
  revision?: number;
}

/** An item with its questions and features. */
export interface WholeItem {
  item: Item;
  widgets: Widget[];
}

/**
 * Reads items with their questions and features, in the order of the references. Leaves out items that do not exist.
 * @param asOf ISO 8601: reads their state at this moment.
 */
export const wholeItems = (references: readonly string[], asOf?: string) =>
  queryOptions({
    queryKey: [...keyOf('get itembank/items'), 'with widgets', references, asOf],
    queryFn: ({ signal }) => readWholeItems(references, asOf, signal),
  });

/** A query for the result of {@link wholeItems}. */
export async function readWholeItems(
  references: readonly string[],
  asOf: string | undefined,
  signal: AbortSignal,
): Promise<WholeItem[]> {
  const found: WholeItem[] = [];
  for (const some of batchesOf(references)) found.push(...(await batch(some, asOf, signal)));
  return found;
}

const INCLUDED = [
  'revision',
  'max_score',
  'dt_created',
  'dt_updated',
  'last_updated_by',
  'authoring_workflow',
  'adaptive',
  'dynamic_content_data',
] as const;

async function batch(references: string[], asOf: string | undefined, signal: AbortSignal): Promise<WholeItem[]> {
  const past = asOf === undefined ? {} : { as_of: asOf };
  const of = { item_references: references, ...past };
  const [{ data: items }, asked, shown] = await Promise.all([
    call(
      'get itembank/items',
      {
        references,
        limit: MAX_ENTRIES,
        status: ['published', 'unpublished', 'archived'],
        include: { items: [...INCLUDED] },
        ...past,
      },
      signal,
    ),
    byItem('question', (next) =>
      call('get itembank/questions', { ...of, ...next, include: { questions: ['revision'] } }, signal),
    ),
    byItem('feature', (next) =>
      call('get itembank/features', { ...of, ...next, include: { features: ['revision'] } }, signal),
    ),
  ]);
  const known = new Map(items.map((item) => [item.reference.toLowerCase(), item]));
  return references.flatMap((reference) => {
    const item = known.get(reference.toLowerCase());
    if (!item) return [];
    return [{ item, widgets: [...(asked.get(item.reference) ?? []), ...(shown.get(item.reference) ?? [])] }];
  });
}

/** The questions or features of items, by item. Reads all pages. */
async function byItem(
  kind: Widget['kind'],
  page: (next: { next?: string }) => Promise<Answer<unknown>>,
): Promise<Map<string, Widget[]>> {
  const found = new Map<string, Widget[]>();
  for await (const data of pagesOf(page))
    for (const [item, list] of Object.entries(data as Record<string, (Question | Feature)[]>))
      found.set(item, [...(found.get(item) ?? []), ...list.map((record) => widgetOf(kind, record))]);
  return found;
}

/** A question or feature as reads give it. */
export const widgetOf = (
  kind: Widget['kind'],
  { reference, type, data, metadata, revision }: Question | Feature,
): Widget => ({ kind, reference, type, data, metadata, revision });

/** A column of the layout: references of widgets from top to bottom. */
export interface Column {
  width: number;
  references: string[];
}

/** The columns of an item's definition, which lists widgets directly or in regions. */
export function columnsOf(definition: Record<string, unknown>): Column[] {
  const listIn = (list: unknown) => (Array.isArray(list) ? list.map(objectOf) : []);
  const referencesIn = (widgets: unknown) =>
    listIn(widgets).flatMap(({ reference }) => (typeof reference === 'string' ? [reference] : []));
  const regions = listIn(definition.regions);
  if (regions.length === 0) return [{ width: 100, references: referencesIn(definition.widgets) }];
  return regions.map(({ width, widgets }) => {
    const percent = Number.parseFloat(String(width));
    return {
      width: percent > 0 && percent <= 100 ? percent : Math.floor(100 / regions.length),
      references: referencesIn(widgets),
    };
  });
}

/** The data that the frame gets in addition to the definition of a widget. */
export type Extras = (widget: Widget) => Pick<ShownWidget, 'value' | 'review'>;

const shownWidget = (widget: Widget, extras: Extras): ShownWidget => ({
  kind: widget.kind,
  reference: widget.reference,
  data: { ...widget.data, type: widget.type },
  ...extras(widget),
});

/** A single question or feature as the frame shows it. */
export const shownAlone = (widget: Widget, extras: Extras = () => ({})): ShownItem => ({
  columns: [{ width: 100, widgets: [shownWidget(widget, extras)] }],
});

/** An item as the frame shows it. */
export function shownItem({ item, widgets }: WholeItem, extras: Extras = () => ({}), heading?: string): ShownItem {
  const known = new Map(widgets.map((widget) => [widget.reference.toLowerCase(), widget]));
  return {
    heading,
    columns: columnsOf(item.definition).map(({ width, references }) => ({
      width,
      widgets: references.flatMap((reference) => {
        const widget = known.get(reference.toLowerCase());
        return widget ? [shownWidget(widget, extras)] : [];
      }),
    })),
  };
}
