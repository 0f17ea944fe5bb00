/** Splits a list, in its order, into parts of at most `most` entries. An empty list has no parts. */
export function inParts<T>(list: readonly T[], most: number): T[][] {
  return Array.from({ length: Math.ceil(list.length / most) }, (_, index) =>
    list.slice(index * most, (index + 1) * most),
  );
}
