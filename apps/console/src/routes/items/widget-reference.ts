/** The reference of a widget of an item. Widgets take fewer signs than items. */
export const widgetReference = (item: string, number: number): string =>
  `${item.replace(/[^\w-]+/g, '-').slice(0, 120)}-${number}-${crypto.randomUUID().slice(0, 8)}`;
