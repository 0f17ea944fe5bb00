/** Reads members of a definition, which may be any JSON value. */

export type Members = Readonly<Record<string, unknown>>;

export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export const objectOf = (value: unknown): Record<string, unknown> => (isObject(value) ? value : {});

export const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** Accepts numbers, because authors forget quotes. */
export function textOf(value: unknown, otherwise = ''): string {
  return typeof value === 'string' ? value : typeof value === 'number' ? String(value) : otherwise;
}

/** The text of an option, an entry or an answer. Authors write numbers and booleans too, and scoring compares their texts. */
export const entryText = (value: unknown): string => (typeof value === 'boolean' ? String(value) : textOf(value));

/** Accepts numbers as text, which are common in public data. */
export function numberOf(value: unknown, otherwise: number): number {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  return typeof number === 'number' && Number.isFinite(number) ? number : otherwise;
}

/** Accepts booleans as text, which are common in public data. */
export const isTrue = (value: unknown): boolean => value === true || value === 'true';

/** The author's positions in display order: those in `presented_order`, then the others. */
export function presentedOrder(question: Members, list: string, length: number): number[] {
  const given = listOf(objectOf(question['presented_order'])[list]);
  const valid = given.filter((at): at is number => Number.isInteger(at) && Number(at) >= 0 && Number(at) < length);
  return [...new Set([...valid, ...Array.from({ length }, (_, at) => at)])];
}
