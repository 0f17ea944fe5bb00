/**
 * Mutation testing of the scoring rules: Stryker breaks them in every way that it knows, one at a time, and a test has
 * to notice. Mocha runs the suites, because it loads them once for all mutants; Jest would load them again for each.
 *
 * `npm run test:mutations -- --mutate 'libs/scoring/src/families/*.ts'` looks at one folder.
 */
module.exports = {
  testRunner: 'mocha',
  plugins: ['@stryker-mutator/mocha-runner'],
  coverageAnalysis: 'perTest',
  // Leaves out code that runs once, when a module is loaded (the tables of units, commands and types). Each of its
  // mutants needs a new process and every test, which takes hours.
  ignoreStatic: true,
  concurrency: 1,
  timeoutMS: 3000,
  mutate: ['libs/scoring/src/**/*.ts', '!**/*.spec.ts'],
  ignorePatterns: ['/*', '!/libs', '!/test', '!/package.json', '!/tsconfig.json', '!/.swcrc'],
  mochaOptions: {
    require: ['./test/support/ts.cjs', './test/scoring/mutations/jest-globals.cjs'],
    spec: ['libs/scoring/**/*.spec.ts', 'test/scoring/*.spec.ts'],
    ignore: ['libs/scoring/**/{hostile,properties}.spec.ts', 'test/scoring/{hostile,properties}.spec.ts'],
    extension: ['ts'],
  },
  thresholds: { high: 95, low: 85, break: 85 },
  reporters: ['progress-append-only', 'clear-text', 'html'],
  htmlReporter: { fileName: 'node_modules/.cache/mutations.html' },
  tempDirName: 'node_modules/.cache/mutations',
};
