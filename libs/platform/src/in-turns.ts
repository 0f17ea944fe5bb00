import { setImmediate as others } from 'node:timers/promises';

/** For so long nothing else may have the process. */
const MAX_TURN_MS = 1;

/** Makes something of each entry, in their order. Whatever else waits is let in between when this takes long. */
export async function inTurns<T, R>(entries: readonly T[], make: (entry: T, index: number) => R): Promise<R[]> {
  const made: R[] = [];
  let since = performance.now();
  for (const [index, entry] of entries.entries()) {
    made.push(make(entry, index));
    if (performance.now() - since < MAX_TURN_MS) continue;
    await others();
    since = performance.now();
  }
  return made;
}
