import { setImmediate as nextTurn } from 'node:timers/promises';
import { mapYielding } from './map-yielding';

const busy = (milliseconds: number) => {
  const until = performance.now() + milliseconds;
  while (performance.now() < until);
};

describe('mapYielding', () => {
  it('returns results in the order of the entries', async () => {
    expect(await mapYielding(['a', 'b', 'c'], (entry, index) => `${entry}${index}`)).toEqual(['a0', 'b1', 'c2']);
    expect(await mapYielding([], () => 1)).toEqual([]);
  });

  it('lets other work run between slow entries, but not between fast ones', async () => {
    const turnsDuring = async (milliseconds: number) => {
      let [turns, isOver] = [0, false];
      const others = (async () => {
        for (; !isOver; turns++) await nextTurn();
      })();
      await mapYielding(Array.from({ length: 10 }), () => busy(milliseconds));
      isOver = true;
      await others;
      return turns;
    };
    expect(await turnsDuring(2)).toBeGreaterThanOrEqual(9);
    expect(await turnsDuring(0)).toBeLessThan(5);
  });

  it('fails with the first entry that fails, and makes none after it', async () => {
    const made: number[] = [];
    const failing = mapYielding([1, 2, 3], (entry) => {
      made.push(entry);
      if (entry === 2) throw new Error('2 cannot be made');
    });
    await expect(failing).rejects.toThrow('2 cannot be made');
    expect(made).toEqual([1, 2]);
  });
});
