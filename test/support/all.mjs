/**
 * `npm test`: runs the checks, then all tests, even after a failed check. A failed check counts as a failed test, so
 * that the closing line covers both.
 */
import { spawn, spawnSync } from 'node:child_process';
import { text } from 'node:stream/consumers';

const AT_ONCE = 2;
// The longest first.
const checks = ['lint', 'types', 'format', 'borders', 'derived', 'dependencies'];
const waiting = [...checks];
let failedChecks = 0;

async function runCheck(check) {
  const started = Date.now();
  const child = spawn('npm', ['run', '-s', `check:${check}`], { stdio: ['inherit', 'pipe', 'inherit'] });
  const closed = new Promise((done) => child.on('close', done));
  const [output, code] = await Promise.all([text(child.stdout), closed]);
  const seconds = ((Date.now() - started) / 1000).toFixed(1);
  process.stdout.write(
    `${code === 0 ? 'ok    ' : 'FAILED'} check:${check} (${seconds} s)\n${code === 0 ? '' : output}`,
  );
  if (code !== 0) failedChecks++;
}

async function runWaiting() {
  for (let check = waiting.shift(); check !== undefined; check = waiting.shift()) await runCheck(check);
}

await Promise.all(Array.from({ length: AT_ONCE }, runWaiting));
const env = {
  ...process.env,
  FAILED_CHECKS: String(failedChecks),
  PASSED_CHECKS: String(checks.length - failedChecks),
};
const { status } = spawnSync('npx', ['jest', ...process.argv.slice(2)], { stdio: 'inherit', env });
process.exitCode = failedChecks > 0 ? 1 : (status ?? 1);
