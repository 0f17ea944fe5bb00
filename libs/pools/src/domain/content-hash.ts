import { createHash } from 'node:crypto';
import { type PooledEntry } from '#content';

/**
 * SHA-256, in hexadecimal, over one line of JSON per entry: kind, reference, status, hash of the document, tags sorted
 * by type and name. Entries are sorted by family (activity, item, widget) and by the bytes of the reference.
 */
export async function contentHash(entries: AsyncIterable<readonly PooledEntry[]>): Promise<string> {
  const hash = createHash('sha256');
  for await (const some of entries)
    for (const { kind, reference, status, hash: document, tags } of some) {
      const names = tags.map(({ type, name }) => JSON.stringify([type, name])).sort();
      hash.update(`${JSON.stringify([kind, reference, status, document]).slice(0, -1)},[${names.join(',')}]]\n`);
    }
  return hash.digest('hex');
}
