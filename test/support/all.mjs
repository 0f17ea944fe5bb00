/**
 * `npm test`: the checks, then all tests, whatever the checks said. A failed check counts as a failed test, so that the
 * closing line of the run is the last word on both.
 */
import { spawnSync } from 'node:child_process';

const run = (command, ...args) => spawnSync(command, args, { stdio: ['inherit', 'pipe', 'inherit'], encoding: 'utf8' });
const checks = ['types', 'lint', 'borders', 'format', 'derived'];
let failedChecks = 0;
for (const check of checks) {
  const started = Date.now();
  const { status, stdout } = run('npm', 'run', '-s', `check:${check}`);
  const seconds = ((Date.now() - started) / 1000).toFixed(1);
  process.stdout.write(
    `${status === 0 ? 'ok    ' : 'FAILED'} check:${check} (${seconds} s)\n${status === 0 ? '' : stdout}`,
  );
  if (status !== 0) failedChecks++;
}
const env = {
  ...process.env,
  FAILED_CHECKS: String(failedChecks),
  PASSED_CHECKS: String(checks.length - failedChecks),
};
const { status } = spawnSync('npx', ['jest', ...process.argv.slice(2)], { stdio: 'inherit', env });
process.exitCode = failedChecks > 0 ? 1 : (status ?? 1);
