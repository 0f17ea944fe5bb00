const regexp = require('eslint-plugin-regexp').default;
const tseslint = require('typescript-eslint');

/** Tests that run alone, or not at all. */
const unrunTests = [
  {
    selector: 'MemberExpression[object.name=/^(describe|it|test)$/][property.name=/^(only|skip|todo|failing)$/]',
    message: 'Every test runs: take .only, .skip, .todo and .failing out.',
  },
  {
    selector: 'CallExpression[callee.name=/^(fdescribe|fit|xdescribe|xit|xtest)$/]',
    message: 'Every test runs: write describe, it or test.',
  },
];

/** Write the members themselves: a spread of a literal only moves the line breaks. */
const spreadLiterals = [
  {
    selector: 'SpreadElement > :matches(ObjectExpression[properties.length>0], ArrayExpression[elements.length>0])',
    message: 'Write the members of this literal without the spread.',
  },
];

/**
 * Assertions that ask a page once, perhaps before it is ready. Whether something is absent (0, false, not) may be asked
 * once: the test first waits for what the page shows instead.
 */
const earlyLooks = [
  {
    selector:
      'CallExpression[callee.object.callee.name="expect"]:matches(' +
      '[callee.object.arguments.0.argument.callee.property.name=/^(all(Inner|Text)|count|inner|input|is[A-Z]|textContent|getAttribute)/],' +
      '[callee.object.arguments.0.argument.callee.name=/^(focused|heard)$/])' +
      ':not([arguments.0.value=0], [arguments.0.value=false])',
    message: 'The page may need a moment: await expectSoon(() => …).',
  },
];

/** Secrets, and values that are made of them. The time of a comparison must not reveal how much of one is right. */
const SECRET_NAME = '/^(signature|secret|password|mac|hmac|digest)$|(Signature|Secret|Password|Mac|Hmac|Digest)$/';
const named = (side) => `[${side}.name=${SECRET_NAME}],[${side}.property.name=${SECRET_NAME}]`;
/** Comparisons with a literal or undefined. They reveal nothing. */
const absent = (side) => `[${side}.type='Literal'],[${side}.type='Identifier'][${side}.name=/^undefined$/]`;
const timedComparisons = [
  {
    selector:
      `BinaryExpression[operator=/^[!=]==?$/]:matches(${named('left')},${named('right')})` +
      `:not(${absent('left')},${absent('right')})`,
    message: 'Compare signatures and secrets with timingSafeEqual of node:crypto.',
  },
];

/** Code for browsers, which has types and a project of its own. */
const OF_BROWSERS = [
  'apps/player/**/*.ts',
  'apps/console/**/*.{ts,tsx}',
  'libs/renderer/**/*.ts',
  'test/renderer/page/**/*.ts',
];

module.exports = tseslint.config(
  { ignores: ['**/*.*js', 'dist/', '.data/', '.servers/', 'coverage/'] },
  { linterOptions: { reportUnusedDisableDirectives: 'error' } },
  {
    files: ['**/*.ts', '**/*.tsx'],
    // The rules that need types are those of oxlint, which takes an eighth of the time: .oxlintrc.json.
    extends: [tseslint.configs.recommended],
    languageOptions: { parserOptions: { emitDecoratorMetadata: true, experimentalDecorators: true } },
    rules: {
      eqeqeq: 'error',
      'no-constant-binary-expression': 'error',
      'no-empty': 'error',
      'no-restricted-syntax': ['error', ...unrunTests, ...spreadLiterals],
      'no-self-compare': 'error',
      'no-useless-escape': 'error',
      'object-shorthand': 'error',
      '@typescript-eslint/consistent-type-imports': ['error', { fixStyle: 'inline-type-imports' }],
      '@typescript-eslint/no-unused-vars': [
        'error',
        { argsIgnorePattern: '^_', varsIgnorePattern: '^_', caughtErrorsIgnorePattern: '^_' },
      ],
    },
  },
  {
    // Callers choose the length of texts, so the time of a pattern must not grow faster than the length.
    files: ['apps/**/*.{ts,tsx}', 'libs/**/*.ts'],
    ignores: ['**/*.spec.ts'],
    plugins: { regexp },
    rules: {
      'no-restricted-syntax': ['error', ...unrunTests, ...spreadLiterals, ...timedComparisons],
      'regexp/no-dupe-disjunctions': ['error', { report: 'interesting' }],
      'regexp/no-super-linear-backtracking': ['error', { report: 'potential' }],
      'regexp/no-super-linear-move': ['error', { report: 'potential', ignoreSticky: true }],
    },
  },
  {
    files: ['test/console/**/*.ts', 'test/player/**/*.ts'],
    rules: { 'no-restricted-syntax': ['error', ...unrunTests, ...spreadLiterals, ...earlyLooks] },
  },
  {
    // The service writes to its log. Scripts and tests may print.
    files: ['apps/api/**/*.ts', 'apps/worker/**/*.ts', 'libs/**/*.ts'],
    rules: { 'no-console': 'error' },
  },
  {
    files: OF_BROWSERS,
    // Mistakes of a question are reported on the console of the browser.
    rules: { 'no-console': ['error', { allow: ['warn', 'error'] }] },
  },
);
