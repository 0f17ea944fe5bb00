import { createHash } from 'node:crypto';
import { foldCase } from '#kernel';
import { type TagName } from './tag';

/** Equal for tags that differ only in case. */
export function tagKey({ type, name }: TagName): string {
  return `${foldCase(type)}\n${foldCase(name)}`;
}

const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

/** The id of the immutable list of these tags, in this order: lists that are equal have one id. */
export function tagSetId(tagIds: readonly string[]): string {
  let bits = BigInt(`0x${createHash('sha256').update(tagIds.join()).digest('hex').slice(0, 32)}`);
  let id = '';
  for (let digit = 0; digit < 26; digit++, bits >>= 5n) id = ALPHABET[Number(bits & 31n)] + id;
  return id;
}
