import { pointerPart } from '#kernel';

/**
 * Where JSON that went through a client differs from what it was: a pointer below `at` to the first place, undefined when
 * it is the same. PHP makes lists of objects without members and of those that number theirs from 0, and some clients
 * leave out what is null: that is no difference, and neither is the order of members.
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
