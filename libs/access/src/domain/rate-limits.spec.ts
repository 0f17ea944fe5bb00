import fc from 'fast-check';

import { DEFAULT_RATE_LIMITS, isRatePattern, limitFor, SlidingWindow } from './rate-limits';

describe('limitFor', () => {
  test.each([
    ['get', 'itembank/items', 1000],
    ['get', 'itembank/activities/templates', 1000],
    ['get', 'itembank/conversion/items', 50],
    ['set', 'itembank/items', 50],
    ['set', 'itembank/tagging/tags', 50],
    ['update', 'itembank/pools', 50],
    ['get', 'jobs', 1000],
    ['get', 'jobs/anything', 1000],
    ['set', 'jobs/sessions/statuses', 50],
    ['update', 'jobs/anything', 50],
    ['get', 'scoring', 2000],
    ['get', 'sessions/responses', 1000],
    ['get', 'sessions/responses/scores', 1000],
    ['set', 'sessions', 50],
    ['update', 'sessions/responses/scores', 1000],
    ['update', 'sessions/item', 1],
    ['get', 'reports/datasets', 1000],
    ['set', 'reports/datasets', 50],
    ['set', 'consumers', 50],
    // Not in the published table.
    ['update', 'sessions/statuses', 50],
    ['delete', 'sessions', 50],
    ['get', 'elsewhere', 1000],
    ['post', '', 50],
  ])('limits %s %s to %i', (action, path, limit) => {
    expect(limitFor(action, path)).toBe(limit);
  });

  test('uses the most specific override, whatever their order', () => {
    const overrides = {
      '*': 1,
      '* itembank/*': 2,
      'set itembank/*': 3,
      '* itembank/items/*': 4,
      'set itembank/items/*': 5,
      '* itembank/items/tags': 6,
      'set itembank/items/tags': 7,
      'get *': 8,
    };
    expect(limitFor('set', 'itembank/items/tags', overrides)).toBe(7);
    expect(limitFor('update', 'itembank/items/tags', overrides)).toBe(6);
    expect(limitFor('set', 'itembank/items/duplicate', overrides)).toBe(5);
    expect(limitFor('get', 'itembank/items/duplicate', overrides)).toBe(4);
    expect(limitFor('set', 'itembank/items', overrides)).toBe(3);
    expect(limitFor('update', 'itembank/items', overrides)).toBe(2);
    expect(limitFor('get', 'sessions/responses', overrides)).toBe(8);
    expect(limitFor('set', 'sessions', overrides)).toBe(1);
  });

  test('prefers any override to the default table, and the table where no override matches', () => {
    expect(limitFor('get', 'scoring', { '*': 10 })).toBe(10);
    expect(limitFor('get', 'itembank/items', { 'set itembank/*': 100 })).toBe(1000);
    expect(limitFor('set', 'itembank/items', { 'set itembank/*': 100 })).toBe(100);
    expect(limitFor('set', 'itembank/items', { 'set itembank/*': 0 })).toBe(0);
    expect(limitFor('set', 'itembankers', { 'set itembank/*': 100 })).toBe(50);
  });

  test('keeps update sessions/item at 1 unless the settings for tests raise it', () => {
    expect(limitFor('update', 'sessions/item', { 'update sessions/item': 1000 })).toBe(1);
    expect(limitFor('update', 'sessions/item', { '*': 1000 })).toBe(1);
    expect(limitFor('update', 'sessions/item', { 'update sessions/item': 0 })).toBe(0);
    expect(limitFor('update', 'sessions/item', {}, 500)).toBe(500);
    expect(limitFor('update', 'sessions/item', { 'update sessions/item': 20 }, 500)).toBe(20);
    expect(limitFor('get', 'sessions/item', {}, 500)).toBe(1000);
  });
});

describe('isRatePattern', () => {
  test.each([...Object.keys(DEFAULT_RATE_LIMITS), '* sessions', 'delete *', '* *', 'set itembank/items/tags'])(
    'accepts %s',
    (pattern) => expect(isRatePattern(pattern)).toBe(true),
  );

  test.each([
    '',
    'get',
    'itembank/*',
    'sets itembank/*',
    'get /itembank',
    'get itembank/',
    'get itembank*',
    'get v1/x',
  ])('rejects %j', (pattern) => expect(isRatePattern(pattern)).toBe(false));
});

describe('SlidingWindow', () => {
  test('counts down, refuses at the limit, and frees one slot as each call leaves the window', () => {
    const window = new SlidingWindow();
    expect(window.take('k', 2, 1_000)).toEqual({ allowed: true, remaining: 1, resetMs: 5_000 });
    expect(window.take('k', 2, 3_000)).toEqual({ allowed: true, remaining: 0, resetMs: 3_000 });
    expect(window.take('k', 2, 5_999)).toEqual({ allowed: false, remaining: 0, resetMs: 1 });
    expect(window.take('k', 2, 6_000)).toEqual({ allowed: true, remaining: 0, resetMs: 2_000 });
    expect(window.take('k', 2, 7_999)).toEqual({ allowed: false, remaining: 0, resetMs: 1 });
    expect(window.take('k', 2, 8_000)).toEqual({ allowed: true, remaining: 0, resetMs: 3_000 });
  });

  test('allows no burst around a boundary', () => {
    const window = new SlidingWindow();
    const allowedAt = (now: number) =>
      Array.from({ length: 100 }, () => window.take('k', 50, now)).filter((t) => t.allowed);
    expect(allowedAt(4_999)).toHaveLength(50);
    expect(allowedAt(5_001)).toHaveLength(0);
    expect(allowedAt(9_998)).toHaveLength(0);
    expect(allowedAt(9_999)).toHaveLength(50);
  });

  test('does not count refused calls', () => {
    const window = new SlidingWindow();
    window.take('k', 1, 0);
    for (let now = 100; now < 5_000; now += 100) expect(window.take('k', 1, now).allowed).toBe(false);
    expect(window.take('k', 1, 5_000).allowed).toBe(true);
  });

  test('gives each key its own quota', () => {
    const window = new SlidingWindow();
    expect(window.take('a', 1, 0).allowed).toBe(true);
    expect(window.take('b', 1, 0).allowed).toBe(true);
    expect(window.take('a', 1, 1).allowed).toBe(false);
  });

  test('refuses all calls and stores nothing at a limit of 0', () => {
    const window = new SlidingWindow();
    expect(window.take('k', 0, 0)).toEqual({ allowed: false, remaining: 0, resetMs: 5_000 });
    expect(window.size).toBe(0);
  });

  test('follows a limit that rises and falls', () => {
    const window = new SlidingWindow();
    for (let now = 0; now < 10; now += 1) expect(window.take('k', 10, now).allowed).toBe(true);
    expect(window.take('k', 20, 10)).toEqual({ allowed: true, remaining: 9, resetMs: 4_990 });
    // The newest three calls of 0 … 10 leave at 5,008, 5,009 and 5,010.
    expect(window.take('k', 3, 11)).toEqual({ allowed: false, remaining: 0, resetMs: 4_997 });
    expect(window.take('k', 3, 5_007).allowed).toBe(false);
    expect(window.take('k', 3, 5_008)).toEqual({ allowed: true, remaining: 0, resetMs: 1 });
  });

  test('allows no extra calls when the clock steps back a little, and does not block when it jumps back', () => {
    const window = new SlidingWindow();
    window.take('k', 1, 10_000);
    expect(window.take('k', 1, 8_000)).toEqual({ allowed: false, remaining: 0, resetMs: 5_000 });
    expect(window.take('k', 1, 15_000).allowed).toBe(true);
    expect(window.take('k', 1, 1_000)).toEqual({ allowed: true, remaining: 0, resetMs: 5_000 });
    expect(window.take('k', 1, 1_001).allowed).toBe(false);
  });

  test('drops idle keys and keeps busy ones', () => {
    const window = new SlidingWindow();
    for (let i = 0; i < 1_000; i += 1) window.take(`once-${i}`, 5, 0);
    expect(window.size).toBe(1_000);
    window.take('busy', 1_000, 1);
    for (let i = 0; i < 600; i += 1) window.take('busy', 1_000, 4_999);
    expect(window.size).toBe(1_001);
    for (let i = 0; i < 600; i += 1) window.take('busy', 1_000, 5_000);
    expect(window.size).toBe(1);
    expect(window.take('busy', 1_000, 5_000).allowed).toBe(false);
  });

  test('drops idle keys even beside a busy key', () => {
    const window = new SlidingWindow();
    window.take('busy', 1_000, 0);
    for (let i = 0; i < 10; i += 1) window.take(`once-${i}`, 5, 1);
    for (let now = 2_000; now <= 9_000; now += 500) window.take('busy', 1_000, now);
    expect(window.size).toBe(1);
  });

  test('keeps call times in order when its ring buffer wraps and grows', () => {
    const window = new SlidingWindow();
    for (const now of [0, 1_000, 2_000, 3_000, 5_500, 5_600]) expect(window.take('k', 10, now).allowed).toBe(true);
    // The window holds 1,000 to 5,600: five calls, in a ring that began with four places.
    expect(window.take('k', 10, 5_700)).toEqual({ allowed: true, remaining: 4, resetMs: 300 });
    expect(window.take('k', 10, 6_000)).toEqual({ allowed: true, remaining: 4, resetMs: 1_000 });
  });

  test('drops keys from before the clock jumped back', () => {
    const window = new SlidingWindow();
    for (let i = 0; i < 100; i += 1) window.take(`key-${i}`, 5, 1_000_000);
    for (let i = 0; i < 60; i += 1) window.take('now', 1_000, 0);
    expect(window.size).toBe(1);
  });

  test('never allows more or fewer calls than the limit in any 5 s, and returns an exact resetMs', () => {
    const waits = fc.oneof({ weight: 8, arbitrary: fc.nat(900) }, fc.nat(3_000), fc.constant(5_000));
    const steps = fc.array(fc.record({ key: fc.constantFrom('a', 'b', 'c'), wait: waits }), { maxLength: 400 });
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 12 }), steps, (limit, calls) => {
        const window = new SlidingWindow();
        const allowed: Record<string, number[]> = { a: [], b: [], c: [] };
        let now = 0;
        for (const { key, wait } of calls) {
          now += wait;
          const times = allowed[key]!;
          const inWindow = times.filter((time) => time > now - 5_000);
          const taken = window.take(key, limit, now);
          // The model counts the whole history again.
          expect(taken.allowed).toBe(inWindow.length < limit);
          if (taken.allowed) {
            times.push(now);
            inWindow.push(now);
          }
          expect(taken.remaining).toBe(limit - inWindow.length);
          expect(taken.resetMs).toBe(inWindow[0]! + 5_000 - now);
        }
        for (const times of Object.values(allowed)) {
          times.forEach((time, i) => {
            const later = times[i + limit];
            if (later !== undefined) expect(later - time).toBeGreaterThanOrEqual(5_000);
          });
        }
      }),
    );
  });
});
