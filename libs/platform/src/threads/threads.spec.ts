import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join, resolve } from 'node:path';
import pino from 'pino';
import { Fault } from '#kernel';
import { Exceeded, Threads } from './threads';

const log = pino({ level: 'silent' });
const FOREVER = 'for (;;);';

describe('threads', () => {
  const threads = new Threads(log);
  afterAll(() => threads.onApplicationShutdown());
  /** Runs a program in a thread. */
  const evaluate = (program: string, withinMs = 60_000) =>
    threads.run('node:vm', 'runInNewContext', [program], withinMs);
  const failure = (call: Promise<unknown>): Promise<unknown> =>
    call.then(
      () => undefined,
      (error: unknown) => error,
    );

  it('call a function with values and return its result', async () => {
    expect(await evaluate('[1, { a: null }]')).toEqual([1, { a: null }]);
    expect(await threads.run('node:path', 'join', ['a', 'b'], 60_000)).toBe(join('a', 'b'));
  });

  it('call it in another thread', async () => {
    expect(await threads.run('node:vm', 'runInThisContext', ['typeof expect'], 60_000)).toBe('undefined');
  });

  it('pass on the errors that it throws', async () => {
    expect(await failure(evaluate('throw new Error("broken")'))).toMatchObject({ message: 'broken' });
  });

  it('stop a call that takes too long, and run the next one', async () => {
    const error = await failure(evaluate(FOREVER, 50));
    expect(error).toBeInstanceOf(Exceeded);
    expect(error).toMatchObject({ what: 'time' });
    expect(await evaluate('1 + 1')).toBe(2);
  });

  it('stop a call that needs too much memory, and run the next one', async () => {
    const error = await failure(evaluate('const all = []; for (;;) all.push(new Array(10000).fill({}));'));
    expect(error).toBeInstanceOf(Exceeded);
    expect(error).toMatchObject({ what: 'memory' });
    expect(await evaluate('1 + 1')).toBe(2);
  });

  it('do not count the time that a call waits in the queue', async () => {
    // As many calls as there may be threads, so that the others wait longer than their time limit.
    const slow = Array.from({ length: 4 }, () => failure(evaluate(FOREVER, 1_000)));
    const waiting = Array.from({ length: 4 }, () => evaluate('"in time"', 900));
    expect(await Promise.all(waiting)).toEqual(new Array(4).fill('in time'));
    for (const error of await Promise.all(slow)) expect(error).toMatchObject({ what: 'time' });
  });

  /** A call that uses no processor time, like one on a busy machine. */
  const idle = (ms: number, withinMs: number) =>
    threads.run(
      'node:vm',
      'runInThisContext',
      [`Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ${ms})`],
      withinMs,
    );

  it('count the processor time of a call', async () => {
    expect(await idle(1_500, 1_000)).toBe('timed-out');
  });

  it('stop a call that hardly gets a processor after ten times its limit', async () => {
    expect(await failure(idle(60_000, 20))).toMatchObject({ what: 'time' });
  });

  it('reject a call when 200 are waiting', async () => {
    const calls = Array.from({ length: 220 }, () => failure(evaluate('1')));
    const failures = (await Promise.all(calls)).filter((error) => error !== undefined);
    expect(failures.length).toBeGreaterThan(0);
    expect(failures.length).toBeLessThanOrEqual(20);
    for (const error of failures) {
      expect(error).toBeInstanceOf(Fault);
      expect(error).toMatchObject({ kind: 'unavailable', retryAfter: 1 });
    }
  });

  it('do not keep the process alive', async () => {
    const root = resolve(__dirname, '../../../..');
    const program = `
      const { Threads } = require('./libs/platform/src/threads/threads.ts');
      new Threads(console).run('node:vm', 'runInNewContext', ['6 * 7'], 60000).then(console.log);`;
    const child = spawn(process.execPath, ['-r', './test/support/ts.cjs', '-e', program], {
      cwd: root,
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const ended = once(child, 'close');
    const [printed] = (await once(child.stdout, 'data')) as [Buffer];
    expect(printed.toString()).toBe('42\n');
    // Idle threads end after a minute. The process ends before that.
    const began = performance.now();
    expect(await ended).toEqual([0, null]);
    expect(performance.now() - began).toBeLessThan(30_000);
  });
});
