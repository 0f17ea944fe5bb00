import { setTimeout as sleep } from 'node:timers/promises';

const POLL_INTERVAL_MS = 25;
const TIMEOUT_MS = 60_000;

/**
 * Polls until `look` finds a result, and returns it. Asserts nothing about the time. `undefined` and `false` mean "not
 * yet".
 */
export async function until<T>(look: () => Promise<T | undefined | false>): Promise<T> {
  for (const began = Date.now(); Date.now() - began < TIMEOUT_MS;) {
    const found = await look();
    if (found !== undefined && found !== false) return found;
    await sleep(POLL_INTERVAL_MS);
  }
  throw new Error(`It did not happen within ${TIMEOUT_MS / 1000} s.`);
}
