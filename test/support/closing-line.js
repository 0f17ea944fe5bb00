const { readFileSync } = require('node:fs');
const { relative } = require('node:path');

const MAX_SHOWN_SUITES = 20;
const ENGINES = ['sqlite', 'mariadb', 'mysql', 'redis', 'chromium'];

/**
 * A reporter for Jest. Prints the failed tests, the processor time of the most expensive suites, and the engines that
 * the run did not test. The last line is `N passed, N failed`, with `, N skipped` if there are any. It counts the checks of `npm test`
 * too: see all.mjs.
 */
module.exports = class ClosingLine {
  constructor() {
    this.checks = receiveChecks();
  }

  async onRunComplete(_contexts, results) {
    const { numPassedTests, numPendingTests: skipped, numTotalTests: total } = results;
    const checks = await this.checks;
    const passed = numPassedTests + checks.passed;
    // A suite that could not be loaded has no tests, but counts as a failure.
    const failed = results.numFailedTests + results.numRuntimeErrorTestSuites + (total === 0 ? 1 : 0) + checks.failed;
    const { testResults } = results;
    const lines = [...listFailures(testResults), ...processorTimes(testResults.length), ...listUntested()];
    process.on('exit', () => {
      const last = `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`;
      process.stdout.write(`\n${lines.join('')}${last}\n`);
    });
  }
};

/** Waits for the checks that run beside the tests, and counts them. If their process is lost, that is one failure. */
function receiveChecks() {
  if (!process.env.CHECKED_BESIDE) return { passed: 0, failed: 0 };
  return new Promise((resolve) => {
    process.once('message', (checks) => {
      resolve(checks);
      process.disconnect();
    });
    process.once('disconnect', () => resolve({ passed: 0, failed: 1 }));
  });
}

/** A log that is cut in the middle still names them. */
function listFailures(suites) {
  return suites.flatMap(({ testFilePath, testExecError, testResults }) => {
    const failed = testResults.filter(({ status }) => status === 'failed').map(({ fullName }) => fullName);
    const names = testExecError ? ['cannot be loaded', ...failed] : failed;
    return names.map((name) => `Failed: ${relative(process.cwd(), testFilePath)}: ${name}\n`);
  });
}

function processorTimes(suites) {
  if (suites < 2) return [];
  const times = readFileSync(process.env.TEST_PROCESSOR_TIMES, 'utf8')
    .split('\n')
    .filter(Boolean)
    .map((line) => line.split(' '))
    .map(([ms, suite]) => ({ seconds: Number(ms) / 1000, suite }))
    .sort((one, other) => other.seconds - one.seconds);
  const all = times.reduce((sum, { seconds }) => sum + seconds, 0);
  const row = (seconds, text) => `${seconds.toFixed(1).padStart(8)} s  ${text}\n`;
  return [
    'Processor time, without database servers:\n',
    ...times.slice(0, MAX_SHOWN_SUITES).map(({ seconds, suite }) => row(seconds, suite)),
    row(all, `all ${times.length} suites`),
  ];
}

function listUntested() {
  const requested = process.env.TEST_ENGINES?.split(',').map((name) => name.trim());
  const missing = requested ? ENGINES.filter((engine) => !requested.includes(engine)) : [];
  const isLong = process.env.TEST_ALL || process.env.FAULTS === 'full';
  return [
    ...(missing.length > 0 ? [`Nothing was tested on ${missing.join(', ')}: TEST_ENGINES leaves them out.\n`] : []),
    ...(isLong
      ? []
      : [
          'Nothing was tested on a cluster, nor a switch of the primary: npm run test:all and npm run test:faults do.\n',
        ]),
  ];
}
