import { queryOptions } from '@tanstack/react-query';
import { type Column, readWholeItems } from '../../frame/shown-items';
import { keyOf } from '../../operations/call';
import { textOfMarkup } from '../../texts/markup';

/** An item with all that it shows; `null` when there is none. */
export const wholeItem = (reference: string) =>
  queryOptions({
    queryKey: [...keyOf('get itembank/items'), 'whole', reference],
    queryFn: async ({ signal }) => (await readWholeItems([reference], undefined, signal))[0] ?? null,
  });

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

/** The text of markup, on one line. */
export function plainText(html: unknown): string {
  if (typeof html !== 'string') return '';
  return textOfMarkup(html).replace(/\s+/g, ' ').trim();
}
