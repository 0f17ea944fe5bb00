/** Reading what an author wrote, which may be anything that JSON can hold. */

export type Members = Readonly<Record<string, unknown>>;

export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export const objectOf = (value: unknown): Record<string, unknown> => (isObject(value) ? value : {});

export const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** Numbers are texts where an author forgot the quotes. */
export function textOf(value: unknown, otherwise = ''): string {
  return typeof value === 'string' ? value : typeof value === 'number' ? String(value) : otherwise;
}

/** Public data often has numbers as texts. */
export function numberOf(value: unknown, otherwise: number): number {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  return typeof number === 'number' && Number.isFinite(number) ? number : otherwise;
}

/** Public data often has booleans as texts. */
export const isTrue = (value: unknown): boolean => value === true || value === 'true';

/** Authored positions in the order to show: `presented_order` of the list, and what it leaves out in authored order. */
export function presentedOrder(question: Members, list: string, length: number): number[] {
  const given = listOf(objectOf(question['presented_order'])[list]);
  const valid = given.filter((at): at is number => Number.isInteger(at) && Number(at) >= 0 && Number(at) < length);
  return [...new Set([...valid, ...Array.from({ length }, (_, at) => at)])];
}
