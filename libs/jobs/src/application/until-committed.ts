import { setTimeout as sleep } from 'node:timers/promises';
import { type Clock, SETTLED_MS } from '#kernel';

const POLL_INTERVAL_MS = 100;

/**
 * Waits until every write that began before the moment (milliseconds) has committed. Waits two seconds at most, even when
 * clocks differ. Rejects when aborted.
 */
export async function untilCommitted(clock: Clock, moment: number, signal: AbortSignal): Promise<void> {
  for (let waited = 0; waited < SETTLED_MS && clock.now() < moment + SETTLED_MS; waited += POLL_INTERVAL_MS)
    await sleep(POLL_INTERVAL_MS, undefined, { signal });
}
