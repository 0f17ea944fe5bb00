export const randomSuffix = (): string => crypto.randomUUID().slice(0, 8);

/** The reference of a widget of an item. It may contain fewer kinds of characters than that of an item. */
export const widgetReference = (item: string, number: number, suffix = randomSuffix()): string =>
  `${item.replace(/[^\w-]+/g, '-').slice(0, 120)}-${number}-${suffix}`;
