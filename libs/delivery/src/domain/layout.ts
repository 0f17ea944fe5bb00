import { type Json, type JsonObject, listOf, numberOf, objectOf } from '#kernel';

/**
 * The HTML of an item: the placeholders of its widgets in the layout of its definition, then the remaining ones.
 * @param placeholders by the reference of the widget, in the order of the item.
 */
export function layoutOf(definition: JsonObject, placeholders: ReadonlyMap<string, string>): string {
  const left = new Map(placeholders);
  const take = (widgets: Json | undefined): string =>
    listOf(widgets)
      .map((widget) => {
        const reference = objectOf(widget).reference;
        const placeholder = typeof reference === 'string' ? left.get(reference) : undefined;
        if (placeholder !== undefined) left.delete(reference as string);
        return placeholder ?? '';
      })
      .join('');
  const first = take(definition.widgets);
  const columns = listOf(definition.regions).map((region) => {
    const { widgets, width } = objectOf(region);
    const percent = numberOf(width) ?? 0;
    const widthAttribute = percent > 0 && percent <= 100 ? ` data-width="${percent}"` : '';
    return `<div class="itembank-column"${widthAttribute}>${take(widgets)}</div>`;
  });
  const row = columns.length > 0 ? `<div class="itembank-columns">${columns.join('')}</div>` : '';
  return first + row + [...left.values()].join('');
}
