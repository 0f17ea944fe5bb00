import { setImmediate as others } from 'node:timers/promises';
import { CallSemaphore } from './call-semaphore';

const SMALL = 100;
const LARGE = 1_000_000;

/** Calls that report when they begin, and end when the test says so. */
class Calls {
  readonly begun: string[] = [];
  private readonly gates = new Map<string, { end(): void; fail(error: Error): void }>();
  readonly results = new Map<string, Promise<string>>();

  constructor(private readonly semaphore: CallSemaphore) {}

  async call(consumer: string, name: string, characters = SMALL): Promise<void> {
    const result = this.semaphore.run(consumer, characters, () => {
      this.begun.push(name);
      return new Promise<string>((resolve, reject) => this.gates.set(name, { end: () => resolve(name), fail: reject }));
    });
    result.catch(() => undefined);
    this.results.set(name, result);
    await others();
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

describe('calls of a consumer', () => {
  let calls: Calls;
  beforeEach(() => (calls = new Calls(new CallSemaphore())));
  const named = (prefix: string, count: number) => Array.from({ length: count }, (_, index) => `${prefix}${index}`);

  it('run four at a time, in the order in which they came', async () => {
    for (const name of named('a', 6)) await calls.call('a', name);
    expect(calls.begun).toEqual(named('a', 4));
    await calls.end('a3');
    expect(calls.begun).toEqual(named('a', 5));
    await calls.fail('a0');
    expect(calls.begun).toEqual(named('a', 6));
    await expect(calls.results.get('a0')).rejects.toThrow('It failed.');
    await expect(calls.results.get('a3')).resolves.toBe('a3');
  });

  it('do not wait for those of another consumer', async () => {
    for (const name of named('a', 20)) await calls.call('a', name);
    await calls.call('b', 'b0', LARGE);
    expect(calls.begun).toEqual([...named('a', 4), 'b0']);
  });

  it('run alone when they are large, and later calls wait for them', async () => {
    await calls.call('a', 'small');
    await calls.call('a', 'large', LARGE);
    await calls.call('a', 'last');
    expect(calls.begun).toEqual(['small']);
    await calls.end('small');
    expect(calls.begun).toEqual(['small', 'large']);
    await calls.end('large');
    expect(calls.begun).toEqual(['small', 'large', 'last']);
    await calls.end('last');
    await calls.call('a', 'again', LARGE);
    expect(calls.begun.at(-1)).toBe('again');
  });

  it('give up their place while they wait for other work, and then wait for a place again', async () => {
    const semaphore = new CallSemaphore();
    const begun: string[] = [];
    let fail = (_: Error): void => undefined;
    const awaited = new Promise<never>((_, reject) => (fail = reject));
    const first = semaphore.run('a', LARGE, async ({ releaseWhile }) => {
      begun.push('first');
      await releaseWhile(awaited);
      begun.push('first again');
    });
    let end = (): void => undefined;
    const second = semaphore.run('a', LARGE, () => {
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
