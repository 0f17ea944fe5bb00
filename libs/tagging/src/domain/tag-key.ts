import { foldCase } from '#kernel';
import { type TagName } from './tag';

/** The largest number of cached keys. A bank has thousands of tags. */
const MAX_CACHED = 20_000;

/** Cached keys by type and name as written. A request needs the key of each of its tags several times. */
const remembered = new Map<string, Map<string, string>>();
let size = 0;

/** The key of a tag. Tags that differ only in case have the same key. */
export function tagKey({ type, name }: TagName): string {
  let names = remembered.get(type);
  const known = names?.get(name);
  if (known !== undefined) return known;
  if (++size > MAX_CACHED) {
    remembered.clear();
    names = undefined;
    size = 1;
  }
  if (!names) remembered.set(type, (names = new Map<string, string>()));
  const key = foldedKey(foldCase(type), foldCase(name));
  names.set(name, key);
  return key;
}

/**
 * The same key, from texts that are folded already. Escapes line breaks in the type, because a line break is the
 * separator.
 */
export function foldedKey(type: string, name: string): string {
  return type.includes('\n') ? `\n${type.length}\n${type}\n${name}` : `${type}\n${name}`;
}
