import { setTimeout as sleep } from 'node:timers/promises';
import { type Clock, SETTLED_MS } from '#kernel';

const LOOK_MS = 100;

/**
 * Waits until every write that began before the moment (milliseconds) has landed: two seconds at most, whatever the clock
 * says. Rejects when it is aborted.
 */
export async function untilSettled(clock: Clock, moment: number, signal: AbortSignal): Promise<void> {
  for (let waited = 0; waited < SETTLED_MS && clock.now() < moment + SETTLED_MS; waited += LOOK_MS)
    await sleep(LOOK_MS, undefined, { signal });
}
