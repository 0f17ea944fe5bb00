import { setTimeout as sleep } from 'node:timers/promises';

const POLL_INTERVAL_MS = 25;
/** Ends a wait that hangs. It is far more than a slow machine needs. */
export const HANG_MS = 120_000;

/**
 * Polls until `look` finds a result, and returns it. Asserts nothing about the time. `undefined` and `false` mean "not
 * yet".
 */
export async function until<T>(look: () => Promise<T | undefined | false>, withinMs = HANG_MS): Promise<T> {
  for (const began = Date.now(); Date.now() - began < withinMs;) {
    const found = await look();
    if (found !== undefined && found !== false) return found;
    await sleep(POLL_INTERVAL_MS);
  }
  throw new Error(`It did not happen within ${withinMs / 1000} s.`);
}
