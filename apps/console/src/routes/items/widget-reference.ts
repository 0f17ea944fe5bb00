export const randomSign = (): string => crypto.randomUUID().slice(0, 8);

/** The reference of a widget of an item. Widgets take fewer signs than items. */
export const widgetReference = (item: string, number: number, random = randomSign()): string =>
  `${item.replace(/[^\w-]+/g, '-').slice(0, 120)}-${number}-${random}`;
