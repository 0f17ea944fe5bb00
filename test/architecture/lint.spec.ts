import { execFileSync } from 'node:child_process';
import { resolve } from 'node:path';

/** Says which rules of the code of the service find something in a text. In a process of its own: rules are ES modules. */
const LOOK = `
  const { Linter } = require('eslint');
  const parser = require('typescript-eslint').parser;
  const { plugins, rules } = require('./eslint.config.js').findLast(({ plugins }) => plugins?.regexp);
  const texts = JSON.parse(process.argv[1]);
  const look = (text) => new Linter().verify(text, [{ languageOptions: { parser }, plugins, rules }]).map(({ ruleId }) => ruleId);
  console.log(JSON.stringify(texts.map((text) => [...new Set(look(text))].sort())));
`;

const COMPARED = 'no-restricted-syntax';
const DOUBLED = 'regexp/no-dupe-disjunctions';
const LOOPED = 'regexp/no-super-linear-backtracking';
const MOVED = 'regexp/no-super-linear-move';

/** What is planted, and the rule that finds it. */
const PLANTED: [text: string, ...rules: string[]][] = [
  ['signature === expected', COMPARED],
  ['expected != given.signature', COMPARED],
  ['this.expectedMac !== mac', COMPARED],
  ['if (row.secret == sent) allow()', COMPARED],
  ['/^(a+)+$/.test(text)', LOOPED],
  ['/^a*a*$/.test(text)', LOOPED],
  ['new RegExp("^(a|a)*$").test(text)', DOUBLED],
  ['text.replace(/[.,]+$/, "")', MOVED],
  // What is asked is whether there is one.
  ['signature === undefined || signature === ""'],
  ['signature.length !== 64'],
  ['timingSafeEqual(signature, expected)'],
  ['/^[a-z]+$/.test(text)'],
  ['text.replace(/[.,]+/g, "")'],
];

it('comparisons that take a telling time, and patterns that take too long, are found in the code of the service', () => {
  const texts = JSON.stringify(PLANTED.map(([text]) => text));
  const found = execFileSync(process.execPath, ['-e', LOOK, texts], {
    cwd: resolve(__dirname, '../..'),
    encoding: 'utf8',
  });
  expect(PLANTED.map(([text], index) => [text, ...(JSON.parse(found) as string[][])[index]!])).toEqual(PLANTED);
});
