import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import { until } from '../support/until';
import { parseLines } from '../support/ndjson';
import { run } from '../support/servers/run';

const ROOT = resolve(__dirname, '../..');
const DROPPED = 'lines of the log were dropped, as nobody read them or the disk was full';
const KILL_ITSELF = "process.kill(process.pid, 'SIGKILL');";

/** Runs a program with a logger `log`, and returns its messages. */
function outputOf(program: string): Promise<{ messages: string[]; code: number | null; signal: string | null }> {
  const opened = "const log = require('./libs/platform/src/logging').openLogger({ logLevel: 'info' });";
  const child = spawn(process.execPath, ['-r', './test/support/ts.cjs', '-e', `${opened}\n${program}`], {
    cwd: ROOT,
    env: { PATH: process.env.PATH },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (output += text));
  return new Promise((done) =>
    child.once('close', (code, signal) => {
      const lines = output.split('\n').filter((line) => line !== '');
      done({ messages: lines.map((line) => (JSON.parse(line) as { msg: string }).msg), code, signal });
    }),
  );
}

describe('lines of the log', () => {
  it('are written at once when they warn, together with all earlier lines', async () => {
    const { messages, signal } = await outputOf(
      `log.info('first'); log.warn('second'); log.error('third'); log.info('last'); ${KILL_ITSELF}`,
    );
    expect([messages, signal]).toEqual([['first', 'second', 'third'], 'SIGKILL']);
  });

  it('are otherwise batched for a short time', async () => {
    const { messages } = await outputOf(
      `log.info('first'); log.info('second'); setTimeout(() => { log.info('last'); ${KILL_ITSELF} }, 500);`,
    );
    expect(messages).toEqual(['first', 'second']);
  });

  it('are written when a few kilobytes have gathered', async () => {
    const { messages } = await outputOf(
      `for (let line = 0; line < 1000; line++) log.info(String(line).padStart(100, ' ')); ${KILL_ITSELF}`,
    );
    expect(messages.length).toBeGreaterThan(800);
    expect(messages.map(Number)).toEqual(messages.map((_, index) => index));
  });

  it('are dropped and counted while nobody reads them, and do not block the process', async () => {
    const child = spawn(
      process.execPath,
      [
        '-r',
        './test/support/ts.cjs',
        '-e',
        `const log = require('./libs/platform/src/logging').openLogger({ logLevel: 'info' });
         for (let line = 0; line < 30_000; line++) log.info({ line }, 'x'.repeat(100));
         process.stderr.write('done');
         process.stdin.once('data', () => { log.warn('last'); process.exit(0); });`,
      ],
      { cwd: ROOT, env: { PATH: process.env.PATH }, stdio: ['pipe', 'pipe', 'pipe'] },
    );
    await once(child.stderr, 'data');
    let output = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => (output += text));
    // The test reads again. It gets the buffered lines, and then the number of dropped ones.
    await until(async () => output.includes(DROPPED));
    child.stdin.write('go on');
    await once(child, 'close');
    const lines = parseLines<{ line?: number; lines?: number; msg: string }>(output);
    const numbers = lines.flatMap(({ line }) => line ?? []);
    expect(numbers).toEqual(numbers.map((_, index) => index));
    expect(numbers.length).toBeLessThan(30_000);
    expect(lines.slice(numbers.length)).toMatchObject([
      { msg: DROPPED, lines: 30_000 - numbers.length },
      { msg: 'last' },
    ]);
  });

  it('are complete again when a full disk has room', async () => {
    const { messages } = await outputOf(
      `const fs = require('node:fs');
       const { writeSync } = fs;
       fs.writeSync = (fd, bytes) => {
         fs.writeSync = () => { throw Object.assign(new Error('no room'), { code: 'ENOSPC' }); };
         return writeSync(fd, bytes.subarray(0, 20));
       };
       log.warn('first');
       log.warn('second');
       fs.writeSync = writeSync;
       setTimeout(() => log.warn('last'), 500);`,
    );
    expect(messages).toEqual(['first', 'second', 'last']);
  });

  it('do not end a program that cannot print', async () => {
    const program = `require('./libs/platform/src/logging').openLogger({ logLevel: 'info' }).warn('a line');
      process.stdout.write('a greeting');
      setTimeout(() => process.stderr.write('still there'), 100);`;
    const line = `"$0" -r ./test/support/ts.cjs -e "$1" > /dev/full`;
    const { stderr } = await run(['sh', '-c', line, process.execPath, program], { cwd: ROOT });
    expect(stderr).toBe('still there');
  });

  it.each(['log.fatal', 'log.info'])('are complete when the process ends after %s', async (last) => {
    const { messages, code } = await outputOf(`log.info('first'); ${last}('last'); process.exit(3);`);
    expect([messages, code]).toEqual([['first', 'last'], 3]);
  });
});
