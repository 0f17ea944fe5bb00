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

module.exports = tseslint.config(
  { ignores: ['**/*.*js', 'dist/', '.data/', '.servers/', 'coverage/'] },
  { linterOptions: { reportUnusedDisableDirectives: 'error' } },
  {
    files: ['**/*.ts'],
    extends: [tseslint.configs.recommendedTypeChecked],
    languageOptions: { parserOptions: { project: './tsconfig.json', tsconfigRootDir: __dirname } },
    rules: {
      eqeqeq: 'error',
      'no-constant-binary-expression': 'error',
      'no-empty': 'error',
      'no-restricted-syntax': ['error', ...unrunTests],
      'no-self-compare': 'error',
      'no-useless-escape': 'error',
      'object-shorthand': 'error',
      '@typescript-eslint/consistent-type-imports': ['error', { fixStyle: 'inline-type-imports' }],
      '@typescript-eslint/no-unused-vars': [
        'error',
        { argsIgnorePattern: '^_', varsIgnorePattern: '^_', caughtErrorsIgnorePattern: '^_' },
      ],
      // A method of a port answers with a promise whether or not this adapter has to wait for anything.
      '@typescript-eslint/require-await': 'off',
      // A dialect is a table of functions: they are taken out of it by name.
      '@typescript-eslint/unbound-method': 'off',
    },
  },
  {
    // What the service says goes to its log; scripts and tests may print.
    files: ['apps/api/**/*.ts', 'apps/worker/**/*.ts', 'libs/**/*.ts'],
    rules: { 'no-console': 'error' },
  },
  {
    // Tests look freely into answers, whose shape is what they are about.
    files: ['test/**/*.ts', '**/*.spec.ts'],
    rules: {
      '@typescript-eslint/no-unsafe-argument': 'off',
      '@typescript-eslint/no-unsafe-assignment': 'off',
      '@typescript-eslint/no-unsafe-call': 'off',
      '@typescript-eslint/no-unsafe-member-access': 'off',
      '@typescript-eslint/no-unsafe-return': 'off',
    },
  },
);
