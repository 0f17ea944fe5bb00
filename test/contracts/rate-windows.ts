import fc from 'fast-check';
import { type RateWindows } from '../../libs/access/src/application/ports/rate-windows';
import { several } from '../support/builders';
import { NOW } from './ports';

/** Windows of rate limits, in the memory of a process or shared by several. */
export function rateWindowsContract(open: () => Promise<RateWindows>): void {
  let windows: RateWindows;
  let made = 0;
  let key: string;

  beforeAll(async () => {
    windows = await open();
  });
  beforeEach(() => {
    key = `consumer\nget\nitembank/items/${++made}`;
  });
  afterAll(() => windows?.close());

  const take = (limit: number, at: number, of = key) => windows.take(of, limit, NOW + at);

  it('count down, refuse, and free one slot as each call leaves the window', async () => {
    expect(await take(2, 1_000)).toEqual({ allowed: true, remaining: 1, resetMs: 5_000 });
    expect(await take(2, 3_000)).toEqual({ allowed: true, remaining: 0, resetMs: 3_000 });
    expect(await take(2, 5_999)).toEqual({ allowed: false, remaining: 0, resetMs: 1 });
    expect(await take(2, 6_000)).toEqual({ allowed: true, remaining: 0, resetMs: 2_000 });
    expect(await take(2, 7_999)).toEqual({ allowed: false, remaining: 0, resetMs: 1 });
    expect(await take(2, 8_000)).toEqual({ allowed: true, remaining: 0, resetMs: 3_000 });
  });

  it('allow no burst around a boundary or with concurrent calls', async () => {
    const allowedAt = async (at: number) =>
      (await Promise.all(several(100, () => take(50, at)))).filter(({ allowed }) => allowed).length;
    expect(await allowedAt(4_999)).toBe(50);
    expect(await allowedAt(5_001)).toBe(0);
    expect(await allowedAt(9_998)).toBe(0);
    expect(await allowedAt(9_999)).toBe(50);
  });

  it('do not count refused calls', async () => {
    await take(1, 0);
    for (let at = 100; at < 5_000; at += 700) expect((await take(1, at)).allowed).toBe(false);
    expect((await take(1, 5_000)).allowed).toBe(true);
  });

  it('are separate for each key', async () => {
    const other = `${key} é😀\n{x}`;
    expect((await take(1, 0)).allowed).toBe(true);
    expect((await take(1, 0, other)).allowed).toBe(true);
    for (const each of [key, other]) expect((await take(1, 1, each)).allowed).toBe(false);
  });

  it('accept any text as a key', async () => {
    await take(1, 0);
    for (const hostile of [
      '\r\nFLUSHALL\r\n',
      '*1\r\n$8\r\nFLUSHALL\r\n',
      `') redis.call('FLUSHALL') --`,
      '*',
      '\0',
      '{',
      '%s',
    ])
      for (const at of [0, 1]) expect((await take(1, at, `${hostile}${key}`)).allowed).toBe(at === 0);
    expect((await take(1, 1)).allowed).toBe(false);
  });

  it('refuse every call under a limit of 0, and remember nothing', async () => {
    expect(await take(0, 0)).toEqual({ allowed: false, remaining: 0, resetMs: 5_000 });
    expect(await take(2, 1)).toEqual({ allowed: true, remaining: 1, resetMs: 5_000 });
  });

  it('follow a limit that rises and falls', async () => {
    for (let at = 0; at < 10; at += 1) expect((await take(10, at)).allowed).toBe(true);
    expect(await take(20, 10)).toEqual({ allowed: true, remaining: 9, resetMs: 4_990 });
    // Of the calls at 0 … 10, the newest three leave at 5,008, 5,009 and 5,010.
    expect(await take(3, 11)).toEqual({ allowed: false, remaining: 0, resetMs: 4_997 });
    expect((await take(3, 5_007)).allowed).toBe(false);
    expect(await take(3, 5_008)).toEqual({ allowed: true, remaining: 0, resetMs: 1 });
  });

  it('allow no further calls when the clock steps back a little, and do not block when it jumps', async () => {
    await take(1, 10_000);
    expect(await take(1, 8_000)).toEqual({ allowed: false, remaining: 0, resetMs: 5_000 });
    expect((await take(1, 15_000)).allowed).toBe(true);
    expect(await take(1, 1_000)).toEqual({ allowed: true, remaining: 0, resetMs: 5_000 });
    expect((await take(1, 1_001)).allowed).toBe(false);
  });

  it('allow exactly the limit in any 5 s, and return the exact reset time', async () => {
    const waits = fc.oneof({ weight: 8, arbitrary: fc.nat(900) }, fc.nat(3_000), fc.constant(5_000));
    const steps = fc.array(waits, { maxLength: 100 });
    let run = 0;
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 12 }), steps, async (limit, calls) => {
        const own = `${key} ${++run}`;
        const allowed: number[] = [];
        let at = 0;
        for (const wait of calls) {
          at += wait;
          const inWindow = allowed.filter((time) => time > at - 5_000);
          const taken = await take(limit, at, own);
          // The model counts the whole history again.
          expect(taken.allowed).toBe(inWindow.length < limit);
          if (taken.allowed) {
            allowed.push(at);
            inWindow.push(at);
          }
          expect([taken.remaining, taken.resetMs]).toEqual([limit - inWindow.length, inWindow[0]! + 5_000 - at]);
        }
      }),
      { numRuns: 40 },
    );
  });
}
