export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The object; an empty one in place of anything else. */
export const objectOf = (value: unknown): Record<string, unknown> => (isObject(value) ? value : {});

/** The object that a text is as JSON; null for any other text. */
export function objectIn(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : null;
  } catch {
    return null;
  }
}

/** A member inside objects: `valueAt(config, ['time', 'max_time'])`. */
export const valueAt = (object: Record<string, unknown>, path: readonly string[]): unknown =>
  path.reduce<unknown>((value, name) => objectOf(value)[name], object);

/** Returns the object with another value at the path. Undefined removes the member, and objects that become empty. */
export function withValue(
  object: Record<string, unknown>,
  [name, ...rest]: readonly string[],
  value: unknown,
): Record<string, unknown> {
  const { [name!]: before, ...others } = object;
  const next = rest.length > 0 ? withValue(objectOf(before), rest, value) : value;
  const isEmpty = next === undefined || (rest.length > 0 && Object.keys(next as object).length === 0);
  return isEmpty ? others : { ...object, [name!]: next };
}
