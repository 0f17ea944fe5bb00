import { setImmediate as others } from 'node:timers/promises';

/** The longest time between two yields. */
const MAX_BLOCK_MS = 1;

/** Maps the entries in order. Yields to the event loop when this takes long. */
export async function mapYielding<T, R>(entries: readonly T[], make: (entry: T, index: number) => R): Promise<R[]> {
  const made: R[] = [];
  let since = performance.now();
  for (const [index, entry] of entries.entries()) {
    made.push(make(entry, index));
    if (performance.now() - since < MAX_BLOCK_MS) continue;
    await others();
    since = performance.now();
  }
  return made;
}
