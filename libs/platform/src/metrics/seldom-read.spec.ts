import { seldomRead } from './seldom-read';

/** A reading that takes as long as the test says. */
function reading(takes: number) {
  let now = 1;
  let reads = 0;
  jest.spyOn(performance, 'now').mockImplementation(() => now);
  const get = seldomRead(async () => {
    now += takes;
    return [++reads];
  });
  return { get, pass: (milliseconds: number) => (now += milliseconds) };
}

afterEach(() => jest.restoreAllMocks());

describe('a cached reading', () => {
  it('is read once for concurrent callers', async () => {
    const { get } = reading(1);
    expect(await Promise.all([get(), get(), get()])).toEqual([[1], [1], [1]]);
    expect(await get()).toEqual([1]);
  });

  it('is cached for a second when it was fast', async () => {
    const { get, pass } = reading(1);
    await get();
    pass(999);
    expect(await get()).toEqual([1]);
    pass(2);
    expect(await get()).toEqual([2]);
  });

  it('is cached for a hundred times its duration, so that a long queue is not scanned all the time', async () => {
    const { get, pass } = reading(300);
    await get();
    pass(29_999);
    expect(await get()).toEqual([1]);
    pass(2);
    expect(await get()).toEqual([2]);
  });

  it('is read again after a failure', async () => {
    let fails = true;
    const get = seldomRead(async () => {
      if (fails) throw new Error('no');
      return [1];
    });
    await expect(get()).rejects.toThrow('no');
    fails = false;
    expect(await get()).toEqual([1]);
  });
});
