import { createHash } from 'node:crypto';
import { foldCase } from '#kernel';
import { type TagName } from './tag';

/** Equal for tags that differ only in case. */
export function tagKey({ type, name }: TagName): string {
  return foldedKey(foldCase(type), foldCase(name));
}

/** The same of texts that are folded already. A line break within the type cannot be taken for the one after it. */
export function foldedKey(type: string, name: string): string {
  return type.includes('\n') ? `\n${type.length}\n${type}\n${name}` : `${type}\n${name}`;
}

const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

/** The id of the immutable list of these tags, in this order: lists that are equal have one id. */
export function tagSetId(tagIds: readonly string[]): string {
  let bits = BigInt(`0x${createHash('sha256').update(tagIds.join()).digest('hex').slice(0, 32)}`);
  let id = '';
  for (let digit = 0; digit < 26; digit++, bits >>= 5n) id = ALPHABET[Number(bits & 31n)] + id;
  return id;
}
