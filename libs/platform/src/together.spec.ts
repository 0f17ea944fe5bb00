import { setImmediate as nextTurn } from 'node:timers/promises';
import { Together } from './together';

/** Finishes batches when the test says so. */
class Work {
  readonly batches: (readonly number[])[] = [];
  private readonly open: (() => void)[] = [];

  readonly perform = async (asked: readonly number[]) => {
    this.batches.push(asked);
    await new Promise<void>((go) => this.open.push(go));
    if (asked.includes(0)) throw new Error('0 cannot be done');
    return asked.map((number) => number * 2);
  };

  /** Finishes the batch that began first. */
  async go(): Promise<void> {
    this.open.shift()!();
    await nextTurn();
    await nextTurn();
  }
}

describe('Together', () => {
  it('batches requests of one turn of the event loop, and those that arrive while it works, up to its limit', async () => {
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

  it('runs up to its limit of batches at a time', async () => {
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

  it('starts again after it was idle', async () => {
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

  it('fails all requests of a failed batch, and none of the next', async () => {
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
