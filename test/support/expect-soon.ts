import { setTimeout as sleep } from 'node:timers/promises';
import { HANG_MS } from './until';

/**
 * Expects that what `read` finds soon fits: `await expectSoon(() => rows.count()).toBe(3)`. A page shows what it has at once,
 * and the rest a moment later.
 */
export function expectSoon<T>(read: () => Promise<T>): Omit<jest.Matchers<Promise<void>, T>, 'not'> {
  return new Proxy({} as jest.Matchers<Promise<void>, T>, {
    get: (_, name: 'toBe') => async (expected: T) => {
      for (const began = Date.now(); ; await sleep(25)) {
        const found = await read();
        try {
          return expect(found)[name](expected);
        } catch (mismatch) {
          if (Date.now() - began > HANG_MS) throw mismatch;
        }
      }
    },
  });
}
