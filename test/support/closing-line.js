/** A reporter for Jest: closes the run with `N passed, N failed`, and `, N skipped` where there are any. */
module.exports = class ClosingLine {
  onRunComplete(_contexts, results) {
    const { numPassedTests: passed, numPendingTests: skipped, numTotalTests: total } = results;
    // A suite that could not be loaded has no tests, and is a failure all the same.
    const failed =
      results.numFailedTests +
      results.numRuntimeErrorTestSuites +
      (total === 0 ? 1 : 0) +
      Number(process.env.FAILED_CHECKS ?? 0);
    process.on('exit', () => {
      process.stdout.write(
        `\n${passed + Number(process.env.PASSED_CHECKS ?? 0)} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}\n`,
      );
    });
  }
};
