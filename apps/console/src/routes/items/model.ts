import { queryOptions } from '@tanstack/react-query';
import type { ShownItem, ShownWidget } from '../../frame/protocol';
import { call, keyOf } from '../../operations/call';
import type { Feature, Item, Question } from '../../operations/operations';

export interface Widget {
  kind: 'question' | 'feature';
  reference: string;
  type: string;
  data: Record<string, unknown>;
  /** The stored revision; absent for a widget that is not stored yet. */
  revision?: number;
}

/** An item with its questions and features. */
export interface WholeItem {
  item: Item;
  widgets: Widget[];
}

interface Region {
  type?: string;
  width?: number;
  widgets?: { reference: string }[];
}

/** A column of the layout: references of widgets from top to bottom. */
export interface Column {
  width: number;
  references: string[];
}

/** Reads an item with all that it shows; `null` when there is none. @param asOf a moment of the past */
export const wholeItem = (reference: string, asOf?: number) =>
  queryOptions({
    queryKey: [...keyOf('get itembank/items'), 'whole', reference, asOf],
    queryFn: async ({ signal }): Promise<WholeItem | null> => {
      const past = asOf === undefined ? {} : { as_of: asOf };
      const of = { item_references: [reference], limit: 1000, ...past };
      const [items, questions, features] = await Promise.all([
        call(
          'get itembank/items',
          {
            references: [reference],
            include: {
              items: [
                'revision',
                'max_score',
                'dt_updated',
                'dt_created',
                'last_updated_by',
                'authoring_workflow',
                'adaptive',
              ],
            },
            ...past,
          },
          signal,
        ),
        call('get itembank/questions', { ...of, include: { questions: ['revision'] } }, signal),
        call('get itembank/features', { ...of, include: { features: ['revision'] } }, signal),
      ]);
      const [item] = items.data;
      if (!item) return null;
      const widgets = [
        ...widgetsOf('question', Object.values(questions.data as Record<string, Question[]>).flat()),
        ...widgetsOf('feature', Object.values(features.data as Record<string, Feature[]>).flat()),
      ];
      return { item, widgets };
    },
  });

const widgetsOf = (kind: Widget['kind'], records: readonly (Question | Feature)[]): Widget[] =>
  records.map(({ reference, type, data, revision }) => ({
    kind,
    reference,
    type,
    data,
    revision,
  }));

/** The columns of a definition, which lists widgets directly or in regions. */
export function columnsOf(definition: Record<string, unknown>): Column[] {
  const referencesOf = (widgets: unknown): string[] =>
    Array.isArray(widgets) ? (widgets as { reference: string }[]).map(({ reference }) => reference) : [];
  const regions = Array.isArray(definition.regions) ? (definition.regions as Region[]) : [];
  if (regions.length === 0) return [{ width: 100, references: referencesOf(definition.widgets) }];
  return regions.map(({ width, widgets }) => ({
    width: typeof width === 'number' && width > 0 && width <= 100 ? width : Math.floor(100 / regions.length),
    references: referencesOf(widgets),
  }));
}

/** The definition with these columns. Other members stay as they are. */
export function withColumns(definition: Record<string, unknown>, columns: readonly Column[]): Record<string, unknown> {
  const { widgets: _, regions: __, ...others } = definition;
  const widgetsIn = ({ references }: Column) => references.map((reference) => ({ reference }));
  if (columns.length === 1) return { ...others, widgets: widgetsIn(columns[0]!) };
  return {
    ...others,
    regions: columns.map((column) => ({ type: 'column', width: column.width, widgets: widgetsIn(column) })),
  };
}

type Extra = Pick<ShownWidget, 'value' | 'review'>;

/** An item as the frame shows it. */
export function shownItem(
  definition: Record<string, unknown>,
  widgets: readonly Widget[],
  extras: (widget: Widget) => Extra = () => ({}),
): ShownItem {
  const known = new Map(widgets.map((widget) => [widget.reference, widget]));
  return {
    columns: columnsOf(definition).map(({ width, references }) => ({
      width,
      widgets: references.flatMap((reference): ShownWidget[] => {
        const widget = known.get(reference);
        return widget
          ? [{ kind: widget.kind, reference, data: { ...widget.data, type: widget.type }, ...extras(widget) }]
          : [];
      }),
    })),
  };
}

/** The right answer of a question in the shape of a response value; undefined where the key has another shape. */
export function rightAnswer(data: Record<string, unknown>): unknown {
  const validation = data.validation as { valid_response?: { value?: unknown } } | undefined;
  return validation?.valid_response?.value;
}

/** Messages for people, without markup. */
export function plainText(html: unknown): string {
  if (typeof html !== 'string') return '';
  return new DOMParser().parseFromString(html, 'text/html').body.textContent.replace(/\s+/g, ' ').trim();
}
