import { setTimeout as sleep } from 'node:timers/promises';

const PAUSE_MS = 25;
const MAX_MS = 60_000;

/** What `look` finds at last. For what happens beside the test: nothing is asserted about how long it takes. */
export async function until<T>(look: () => Promise<T | undefined>): Promise<T> {
  for (const began = Date.now(); Date.now() - began < MAX_MS;) {
    const found = await look();
    if (found !== undefined) return found;
    await sleep(PAUSE_MS);
  }
  throw new Error(`It did not happen within ${MAX_MS / 1000} s.`);
}
