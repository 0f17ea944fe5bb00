import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

const ROOT = resolve(__dirname, '../..');

/** Reports which rules for the given files find something in a text. Runs in its own process, because the rules are ES modules. */
const LOOK = `
  const { Linter } = require('eslint');
  const parser = require('typescript-eslint').parser;
  const [, files, listed] = process.argv;
  const texts = JSON.parse(listed);
  const { plugins = {}, rules } = require('./eslint.config.js').find((config) => config.files?.includes(files));
  const look = (text) => new Linter().verify(text, [{ languageOptions: { parser }, plugins, rules }]).map(({ ruleId }) => ruleId);
  console.log(JSON.stringify(texts.map((text) => [...new Set(look(text))].sort())));
`;

const RESTRICTED = 'no-restricted-syntax';
const DOUBLED = 'regexp/no-dupe-disjunctions';
const LOOPED = 'regexp/no-super-linear-backtracking';
const MOVED = 'regexp/no-super-linear-move';

/** Texts, each with the rules that report it. */
const PLANTED: [text: string, ...rules: string[]][] = [
  ['signature === expected', RESTRICTED],
  ['expected != given.signature', RESTRICTED],
  ['this.expectedMac !== mac', RESTRICTED],
  ['if (row.secret == sent) allow()', RESTRICTED],
  ['/^(a+)+$/.test(text)', LOOPED],
  ['/^a*a*$/.test(text)', LOOPED],
  ['new RegExp("^(a|a)*$").test(text)', DOUBLED],
  ['text.replace(/[.,]+$/, "")', MOVED],
  ['use({ ...{ a, b }, c })', RESTRICTED],
  ['use([...["a", "b"], c])', RESTRICTED],
  ['use({ ...(known ? { a } : {}) }, [...list, c])'],
  // These comparisons only test whether there is a signature.
  ['signature === undefined || signature === ""'],
  ['signature.length !== 64'],
  ['timingSafeEqual(signature, expected)'],
  ['/^[a-z]+$/.test(text)'],
  ['text.replace(/[.,]+/g, "")'],
];

/** Texts of tests with a browser, each with the rules that report it. */
const PLANTED_IN_TESTS: typeof PLANTED = [
  ['expect(await rows(page).count()).toBe(3)', RESTRICTED],
  ['expect(await field.inputValue()).toEqual(text)', RESTRICTED],
  ['expect(await heard(page)).toContain("saved")', RESTRICTED],
  ['expect(await rows.count()).toBe(0)'],
  ['expect(await heard(page)).not.toContain("saved")'],
  ['expectSoon(() => rows.count()).toBe(3)'],
];

it.each([
  ['comparisons with secrets, slow patterns and spreads of literals', 'libs/**/*.ts', PLANTED],
  ['pages that a test asks too early', 'test/player/**/*.ts', PLANTED_IN_TESTS],
])('ESLint finds %s in %s', (_, files, planted) => {
  const texts = JSON.stringify(planted.map(([text]) => text));
  const found = execFileSync(process.execPath, ['-e', LOOK, files, texts], { cwd: ROOT, encoding: 'utf8' });
  expect(planted.map(([text], index) => [text, ...(JSON.parse(found) as string[][])[index]!])).toEqual(planted);
});

/** Mistakes that only types reveal, each with the rule that reports it. */
const WITHOUT_TYPES: [text: string, rule: string][] = [
  ['later();', 'no-floating-promises'],
  ['[1].forEach(async () => later());', 'no-misused-promises'],
  ['await now();', 'await-thenable'],
  ['say(`${{}}`);', 'restrict-template-expressions'],
  ['const given: string = (unknown as any).text; say(given);', 'no-unsafe-assignment'],
  ["throw 'text';", 'only-throw-error'],
];

it('oxlint finds forgotten promises and unsafe values in the code of the service', () => {
  const folder = mkdtempSync(join(tmpdir(), 'itembank-lint-'));
  try {
    writeFileSync(join(folder, 'tsconfig.json'), '{"compilerOptions": {"strict": true}}');
    const head =
      'declare function later(): Promise<void>; declare function now(): void; ' +
      'declare function say(text: string): void; declare const unknown: unknown; export async function run() {';
    for (const [index, [text]] of WITHOUT_TYPES.entries())
      writeFileSync(join(folder, `planted${index}.ts`), `${head}\n${text}\n}`);
    const oxlint = join(ROOT, 'node_modules/oxlint/bin/oxlint');
    const { stdout } = spawnSync(
      process.execPath,
      [oxlint, '--type-aware', '-c', join(ROOT, '.oxlintrc.json'), '-f', 'json', '.'],
      { cwd: folder, encoding: 'utf8' },
    );
    const { diagnostics } = JSON.parse(stdout) as { diagnostics: { code: string; filename: string }[] };
    for (const [index, [text, rule]] of WITHOUT_TYPES.entries()) {
      const found = diagnostics.filter(({ filename }) => filename.endsWith(`planted${index}.ts`));
      expect([text, found.map(({ code }) => code)]).toEqual([text, expect.arrayContaining([`typescript(${rule})`])]);
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
});

it('no parameter repeats its class in @Inject', () => {
  const files = ['apps', 'libs'].flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
      .filter((path) => path.endsWith('.ts'))
      .map((path) => join(folder, path)),
  );
  const repeated = /@Inject\((\w+)\)(?: \w+)* \w+: \1[,)]/;
  expect(files.filter((file) => repeated.test(readFileSync(join(ROOT, file), 'utf8')))).toEqual([]);
});
