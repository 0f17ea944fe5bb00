/** A suite without any test fails; this one has tests for Redis alone. */
const NEED_REDIS = ['/test/events/stream-writer.spec.ts$'];
/** Questions in a browser. What of them is only computed is in folders below. */
const NEED_CHROMIUM = ['/test/player/', '/test/renderer/[^/]+.spec.ts$', '.screen.spec.ts$'];
/** Several servers of a database, which take minutes. */
const LONG = ['/test/faults/cluster.spec.ts$', '/test/faults/switch.spec.ts$'];
const { FAULTS, TEST_ALL, TEST_ENGINES } = process.env;
const has = (engine) => !TEST_ENGINES || TEST_ENGINES.includes(engine);

/** @type {import('jest').Config} */
module.exports = {
  testEnvironment: '<rootDir>/test/support/one-realm/environment.js',
  runtime: '<rootDir>/test/support/one-realm/runtime.js',
  roots: ['<rootDir>/test', '<rootDir>/libs', '<rootDir>/apps'],
  testMatch: ['**/*.spec.ts'],
  testPathIgnorePatterns: [
    '/node_modules/',
    ...(has('redis') ? [] : NEED_REDIS),
    ...(has('chromium') ? [] : NEED_CHROMIUM),
    ...(has('redis') && (TEST_ALL || FAULTS === 'full') ? [] : LONG),
  ],
  transform: { '^.+\\.[tj]s$': '@swc/jest' },
  moduleNameMapper: {
    '^#([a-z]+)$': '<rootDir>/libs/$1/src/index.ts',
    '^#([a-z]+)/([a-z]+)$': '<rootDir>/libs/$1/src/$2.ts',
  },
  globalSetup: '<rootDir>/test/support/servers/global-setup.ts',
  globalTeardown: '<rootDir>/test/support/servers/global-teardown.ts',
  reporters: ['default', '<rootDir>/test/support/closing-line.js'],
  testSequencer: '<rootDir>/test/support/longest-first.js',
  // Ends a test that hangs. A slow machine must not reach it.
  testTimeout: 300_000,
  // Suites wait for servers and processes more than they compute.
  maxWorkers: 4,
  // Each suite leaves something behind; in gigabytes of it the collector would take most of the time. A worker that begins
  // anew has all to load and to optimise again.
  workerIdleMemoryLimit: '1200MB',
};
