export type Values = readonly (string | number)[];

/** `{0}` is replaced by the first value. */
export const filled = (text: string, values: Values): string =>
  text.replace(/\{(\d+)\}/g, (_, index: string) => String(values[Number(index)] ?? ''));
