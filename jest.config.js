/** @type {import('jest').Config} */
module.exports = {
  testEnvironment: 'node',
  roots: ['<rootDir>/test', '<rootDir>/libs', '<rootDir>/apps'],
  testMatch: ['**/*.spec.ts'],
  transform: { '^.+\\.ts$': '@swc/jest' },
  moduleNameMapper: { '^#([a-z]+)$': '<rootDir>/libs/$1/src/index.ts' },
  testTimeout: 60_000,
};
