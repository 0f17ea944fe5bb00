import { pointerPart } from '#kernel';

/**
 * Compares JSON that a client sends back with the original. Returns a JSON pointer below `at` to the first difference;
 * undefined without one. The order of members does not matter. PHP turns empty objects, and objects with the keys 0, 1,
 * 2…, into lists. Some clients leave out null members. None of these is a difference.
 */
export function differenceIn(sent: unknown, original: unknown, at: string): string | undefined {
  if (Object.is(sent, original) || (isAbsent(sent) && isAbsent(original)) || sent === original) return undefined;
  if (typeof sent !== 'object' || typeof original !== 'object' || sent === null || original === null) return at;
  for (const name of new Set([...Object.keys(original), ...Object.keys(sent)])) {
    const member = (value: object) =>
      Object.hasOwn(value, name) ? (value as Record<string, unknown>)[name] : undefined;
    const found = differenceIn(member(sent), member(original), `${at}/${pointerPart(name)}`);
    if (found !== undefined) return found;
  }
  return undefined;
}

const isAbsent = (value: unknown): boolean => value === undefined || value === null;
