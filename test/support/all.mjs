/**
 * `npm test`: runs all tests and, beside them, the checks, because suites often wait for servers. A failed check counts
 * as a failed test, so that the closing line covers both.
 */
import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';

/** The build comes first, because the suites with a browser need it. */
const steps = [
  { name: 'build', command: ['node', '-e', "require('./tools/build.cjs').buildIfChanged()"] },
  ...['types', 'lint', 'borders', 'derived', 'format', 'dependencies'].map((name) => ({
    name: `check:${name}`,
    command: ['npm', 'run', '-s', `check:${name}`],
  })),
];

/** Returns whether the step succeeded. */
async function run({ name, command: [program, ...options] }) {
  const started = Date.now();
  const child = spawn(program, options, { stdio: ['inherit', 'pipe', 'inherit'] });
  const closed = new Promise((done) => child.on('close', done));
  const [output, code] = await Promise.all([text(child.stdout), closed]);
  const seconds = ((Date.now() - started) / 1000).toFixed(1);
  process.stdout.write(`${code === 0 ? 'ok    ' : 'FAILED'} ${name} (${seconds} s)\n${code === 0 ? '' : output}`);
  return code === 0;
}

const jest = spawn(process.execPath, ['node_modules/jest/bin/jest.js', ...process.argv.slice(2)], {
  stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
  env: { ...process.env, CHECKED_BESIDE: '1' },
});
const ended = new Promise((done) => jest.on('close', (code) => done(code ?? 1)));
const outcome = { passed: 0, failed: 0 };
for (const step of steps) {
  if (await run(step)) outcome.passed++;
  else outcome.failed++;
}
// The reporter waits for this before its closing line: closing-line.js.
if (jest.connected) jest.send(outcome);
const code = await ended;
process.exitCode = outcome.failed > 0 ? 1 : code;
