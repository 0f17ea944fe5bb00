import { setTimeout as sleep } from 'node:timers/promises';

const PAUSE_MS = 25;
const MAX_MS = 60_000;

/**
 * Waits for something outside the test and returns it, without any assertion about the time it takes.
 * `undefined` and `false` mean "not yet".
 */
export async function until<T>(look: () => Promise<T | undefined | false>): Promise<T> {
  for (const began = Date.now(); Date.now() - began < MAX_MS;) {
    const found = await look();
    if (found !== undefined && found !== false) return found;
    await sleep(PAUSE_MS);
  }
  throw new Error(`It did not happen within ${MAX_MS / 1000} s.`);
}
