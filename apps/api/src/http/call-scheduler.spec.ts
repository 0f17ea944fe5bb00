import { setImmediate as others } from 'node:timers/promises';
import { CallScheduler } from './call-scheduler';

const SMALL = 100;
const LARGE = 1_000_000;

/** Calls that report when they begin, and end when the test says so. */
class Calls {
  readonly begun: string[] = [];
  private readonly gates = new Map<string, { end(): void; fail(error: Error): void }>();
  readonly results = new Map<string, Promise<string>>();

  constructor(private readonly scheduler: CallScheduler) {}

  call(consumer: string, name: string, characters = SMALL): void {
    const result = this.scheduler.run(consumer, characters, () => {
      this.begun.push(name);
      return new Promise<string>((resolve, reject) => this.gates.set(name, { end: () => resolve(name), fail: reject }));
    });
    result.catch(() => undefined);
    this.results.set(name, result);
  }

  async end(name: string): Promise<void> {
    this.gates.get(name)!.end();
    await others();
  }

  async fail(name: string): Promise<void> {
    this.gates.get(name)!.fail(new Error('It failed.'));
    await others();
  }
}

describe('calls of consumers', () => {
  let calls: Calls;
  let now: number;
  beforeEach(() => {
    now = 0;
    calls = new Calls(new CallScheduler(() => now));
  });
  const named = (prefix: string, count: number) => Array.from({ length: count }, (_, index) => `${prefix}${index}`);

  it('run six at a time, in the order in which they came', async () => {
    for (const name of named('a', 8)) calls.call('a', name);
    expect(calls.begun).toEqual(named('a', 6));
    await calls.end('a3');
    expect(calls.begun).toEqual(named('a', 7));
    await calls.fail('a0');
    expect(calls.begun).toEqual(named('a', 8));
    await expect(calls.results.get('a0')).rejects.toThrow('It failed.');
    await expect(calls.results.get('a3')).resolves.toBe('a3');
  });

  it('do not wait for those of another consumer', () => {
    for (const name of named('a', 20)) calls.call('a', name);
    calls.call('b', 'b0', LARGE);
    expect(calls.begun).toContain('b0');
  });

  it('run two at a time per consumer beside other consumers, until these have been idle for a second', async () => {
    calls.call('b', 'b0');
    for (const name of named('a', 12)) calls.call('a', name);
    for (const name of named('b', 4).slice(1)) calls.call('b', name);
    expect(calls.begun).toEqual(['b0', 'a0', 'a1', 'b1']);
    now = 99;
    await calls.end('a0');
    expect(calls.begun).toEqual(['b0', 'a0', 'a1', 'b1', 'a2']);
    now = 1_000;
    await calls.end('a1');
    expect(calls.begun.slice(5)).toEqual([]);
    now = 1_001;
    await calls.end('a2');
    expect(calls.begun.slice(5)).toEqual(named('a', 9).slice(3));
    calls.call('c', 'c0');
    await calls.end('a3');
    expect(calls.begun.slice(11)).toEqual(['c0']);
  });

  it('run one at a time for a consumer with a queue for a tenth of a second, beside consumers without a queue', async () => {
    calls.call('b', 'b0');
    await calls.end('b0');
    for (const name of named('a', 9)) calls.call('a', name);
    now = 99;
    await calls.end('a0');
    expect(calls.begun).toEqual(['b0', 'a0', 'a1', 'a2']);
    now = 100;
    await calls.end('a1');
    expect(calls.begun.slice(4)).toEqual([]);
    await calls.end('a2');
    expect(calls.begun.slice(4)).toEqual(['a3']);
    // The new consumer may run two at a time, and three now and then are no load.
    for (const name of named('b', 4).slice(1)) calls.call('b', name);
    expect(calls.begun.slice(5)).toEqual(['b1', 'b2']);
    await calls.end('b1');
    expect(calls.begun.slice(7)).toEqual(['b3']);
    await calls.end('b2');
    await calls.end('b3');
    // The queue is empty, so the next calls run as in the beginning.
    now = 200;
    for (const name of named('a', 9).slice(3)) {
      while (!calls.begun.includes(name)) await others();
      await calls.end(name);
    }
    for (const name of named('a', 12).slice(9)) calls.call('a', name);
    expect(calls.begun.slice(-2)).toEqual(['a9', 'a10']);
  });

  it('run two at a time per consumer when all consumers have queues', async () => {
    for (const consumer of ['a', 'b']) for (const name of named(consumer, 12)) calls.call(consumer, name);
    // Six began before the other consumer called.
    for (const name of named('a', 4)) await calls.end(name);
    now = 600;
    calls.call('a', 'a12');
    calls.call('b', 'b12');
    now = 1_001;
    await calls.end('a4');
    await calls.end('b0');
    expect(calls.begun).toEqual([...named('a', 6), 'b0', 'b1', 'a6', 'b2']);
  });

  it('of a consumer with a queue run after the running calls of consumers without one', async () => {
    calls.call('b', 'b0');
    for (const name of named('a', 4)) calls.call('a', name);
    expect(calls.begun).toEqual(['b0', 'a0', 'a1']);
    await calls.end('a0');
    await calls.end('a1');
    expect(calls.begun.slice(3)).toEqual([]);
    await calls.end('b0');
    expect(calls.begun.slice(3)).toEqual(['a2', 'a3']);
    calls.call('b', 'b1');
    for (const name of named('b', 4).slice(2)) calls.call('b', name);
    for (const name of named('a', 6).slice(4)) calls.call('a', name);
    expect(calls.begun.slice(5)).toEqual(['b1', 'b2']);
    // Now both have queues.
    await calls.end('a2');
    expect(calls.begun.slice(7)).toEqual(['a4']);
  });

  it('of a consumer with a queue run after fifty milliseconds at the latest, one at a time', async () => {
    calls.call('b', 'b0');
    for (const name of named('a', 4)) calls.call('a', name);
    await calls.end('a0');
    await calls.end('a1');
    now = 49;
    calls.call('c', 'c0');
    await calls.end('c0');
    expect(calls.begun).toEqual(['b0', 'a0', 'a1', 'c0']);
    now = 50;
    while (!calls.begun.includes('a2')) await others();
    await others();
    expect(calls.begun.slice(4)).toEqual(['a2']);
  });

  it('use the whole share when they are large, and later calls wait for them', async () => {
    calls.call('a', 'small');
    calls.call('a', 'large', LARGE);
    calls.call('a', 'last');
    expect(calls.begun).toEqual(['small']);
    await calls.end('small');
    expect(calls.begun).toEqual(['small', 'large']);
    await calls.end('large');
    expect(calls.begun).toEqual(['small', 'large', 'last']);
    await calls.end('last');
    calls.call('a', 'again', LARGE);
    expect(calls.begun.at(-1)).toBe('again');
  });

  it('release their share while they wait for other work', async () => {
    const scheduler = new CallScheduler();
    const begun: string[] = [];
    let fail = (_: Error): void => undefined;
    const awaited = new Promise<never>((_, reject) => (fail = reject));
    const first = scheduler.run('a', LARGE, async ({ releaseWhile }) => {
      begun.push('first');
      await releaseWhile(awaited);
      begun.push('first again');
    });
    let end = (): void => undefined;
    const second = scheduler.run('a', LARGE, () => {
      begun.push('second');
      return new Promise<void>((done) => (end = done));
    });
    await others();
    expect(begun).toEqual(['first', 'second']);
    fail(new Error('It failed.'));
    await others();
    // It continues when its turn comes again.
    expect(begun).toEqual(['first', 'second']);
    end();
    await Promise.all([first, second]);
    expect(begun).toEqual(['first', 'second', 'first again']);
  });
});
