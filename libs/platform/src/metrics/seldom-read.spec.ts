import { SeldomRead } from './seldom-read';

/** A reading that takes as long as the test says, with its own clock. */
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

describe('a cached reading', () => {
  it('is read once for concurrent callers', async () => {
    const { get } = reading(1);
    expect(await Promise.all([get(), get(), get()])).toEqual([1, 1, 1]);
    expect(await get()).toBe(1);
  });

  it('is cached for a second when it was fast', async () => {
    const { get, pass } = reading(1);
    await get();
    pass(999);
    expect(await get()).toBe(1);
    pass(1);
    expect(await get()).toBe(2);
  });

  it('is cached for a hundred times its duration, so that a long queue is not scanned all the time', async () => {
    const { get, pass } = reading(300);
    await get();
    pass(29_999);
    expect(await get()).toBe(1);
    pass(1);
    expect(await get()).toBe(2);
  });

  it('is read again after a failure', async () => {
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
