import { setImmediate as nextTurn } from 'node:timers/promises';
import { Together } from './together';

/** Performs what it is asked for when the test says so. */
class Work {
  readonly batches: (readonly number[])[] = [];
  private readonly open: (() => void)[] = [];

  readonly perform = async (asked: readonly number[]) => {
    this.batches.push(asked);
    await new Promise<void>((go) => this.open.push(go));
    if (asked.includes(0)) throw new Error('0 cannot be done');
    return asked.map((number) => number * 2);
  };

  /** Ends the batch that was begun first. */
  async go(): Promise<void> {
    this.open.shift()!();
    await nextTurn();
    await nextTurn();
  }
}

describe('work done together', () => {
  it('takes what is asked for in one turn, and what comes while it is at work, up to its limit', async () => {
    const work = new Work();
    const together = new Together(work.perform, 3);
    const asked = [1, 2].map((number) => together.ask(number));
    expect(work.batches).toEqual([]);
    await nextTurn();
    expect(work.batches).toEqual([[1, 2]]);
    asked.push(...[3, 4, 5, 6].map((number) => together.ask(number)));
    await work.go();
    expect(work.batches).toEqual([
      [1, 2],
      [3, 4, 5],
    ]);
    await work.go();
    await work.go();
    expect(work.batches).toEqual([[1, 2], [3, 4, 5], [6]]);
    expect(await Promise.all(asked)).toEqual([2, 4, 6, 8, 10, 12]);
  });

  it('begins as many goes at a time as it may', async () => {
    const work = new Work();
    const together = new Together(work.perform, 2, 2);
    const asked = [1].map((number) => together.ask(number));
    await nextTurn();
    asked.push(...[2, 3, 4].map((number) => together.ask(number)));
    await nextTurn();
    expect(work.batches).toEqual([[1], [2, 3]]);
    await nextTurn();
    expect(work.batches).toHaveLength(2);
    await work.go();
    expect(work.batches).toEqual([[1], [2, 3], [4]]);
    await work.go();
    await work.go();
    expect(await Promise.all(asked)).toEqual([2, 4, 6, 8]);
  });

  it('begins again after a rest', async () => {
    const work = new Work();
    const together = new Together(work.perform, 3);
    const first = together.ask(1);
    await nextTurn();
    await work.go();
    expect(await first).toBe(2);
    const second = together.ask(2);
    await nextTurn();
    await work.go();
    expect(await second).toBe(4);
  });

  it('fails for all that were done together, and for none of the next', async () => {
    const work = new Work();
    const together = new Together(work.perform, 2);
    const asked = [0, 1, 2].map((number) => together.ask(number));
    const settled = Promise.allSettled(asked);
    await nextTurn();
    await work.go();
    await work.go();
    expect((await settled).map((each) => (each.status === 'fulfilled' ? each.value : String(each.reason)))).toEqual([
      'Error: 0 cannot be done',
      'Error: 0 cannot be done',
      4,
    ]);
  });
});
