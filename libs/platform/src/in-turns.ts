import { setImmediate as others } from 'node:timers/promises';

/** How long it may block the event loop. */
const MAX_TURN_MS = 1;

/** Makes a result of each entry, in order. Gives way to other work when this takes long. */
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
