import { SeldomRead } from './seldom-read';

/** Readings that take as long as the test says, by a clock of its own. */
function reading(takes: number) {
  let now = 0;
  let reads = 0;
  const seldom = new SeldomRead(
    async () => {
      now += takes;
      return ++reads;
    },
    () => now,
  );
  return { get: () => seldom.get(), pass: (milliseconds: number) => (now += milliseconds) };
}

describe('what is read seldom', () => {
  it('is read once for all who ask at a time', async () => {
    const { get } = reading(1);
    expect(await Promise.all([get(), get(), get()])).toEqual([1, 1, 1]);
    expect(await get()).toBe(1);
  });

  it('counts for a second when it was cheap', async () => {
    const { get, pass } = reading(1);
    await get();
    pass(999);
    expect(await get()).toBe(1);
    pass(1);
    expect(await get()).toBe(2);
  });

  it('counts for a hundred times what it took, so that a long queue is not looked through all the time', async () => {
    const { get, pass } = reading(300);
    await get();
    pass(29_999);
    expect(await get()).toBe(1);
    pass(1);
    expect(await get()).toBe(2);
  });

  it('is read anew after a failure', async () => {
    let fails = true;
    const seldom = new SeldomRead(async () => {
      if (fails) throw new Error('no');
      return 1;
    });
    await expect(seldom.get()).rejects.toThrow('no');
    fails = false;
    expect(await seldom.get()).toBe(1);
  });
});
