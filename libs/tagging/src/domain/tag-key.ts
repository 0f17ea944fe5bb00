import { foldCase } from '#kernel';
import { type TagName } from './tag';

/** Most keys kept in memory; tags of a bank are thousands. */
const REMEMBERED = 20_000;

/** By type and name as they are written: a request asks for the key of each of its tags several times. */
const remembered = new Map<string, Map<string, string>>();
let size = 0;

/** Equal for tags that differ only in case. */
export function tagKey({ type, name }: TagName): string {
  let names = remembered.get(type);
  const known = names?.get(name);
  if (known !== undefined) return known;
  if (++size > REMEMBERED) {
    remembered.clear();
    names = undefined;
    size = 1;
  }
  if (!names) remembered.set(type, (names = new Map<string, string>()));
  const key = foldedKey(foldCase(type), foldCase(name));
  names.set(name, key);
  return key;
}

/** The same of texts that are folded already. A line break within the type cannot be taken for the one after it. */
export function foldedKey(type: string, name: string): string {
  return type.includes('\n') ? `\n${type.length}\n${type}\n${name}` : `${type}\n${name}`;
}
