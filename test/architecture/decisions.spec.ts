import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

const ROOT = resolve(__dirname, '../..');
const names = readdirSync(join(ROOT, 'docs/decisions')).map((name) => name.replace(/\.md$/, ''));
const numbers = new Set(names.map((name) => Number(name.slice(0, 4))));

/** Files whose texts name decisions. */
const files = ['apps', 'bench', 'docs', 'libs', 'test', 'tools'].flatMap((folder) =>
  readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.(ts|tsx|md|cjs|mjs|json)$/.test(name))
    .map((name) => join(folder, name)),
);

/** `decision 26`, `decisions 26 and 27`. */
const NAMED = /\bdecisions?\s+(\d+)(?: (?:and|to) (\d+))?/gi;

it('every decision that a text names has a record with that number', () => {
  const missing = files.flatMap((file) =>
    [...readFileSync(join(ROOT, file), 'utf8').matchAll(NAMED)]
      .flatMap(([, first, second]) => [first, second])
      .filter((number) => number !== undefined && !numbers.has(Number(number)))
      .map((number) => `${file}: decision ${number}`),
  );
  expect(missing).toEqual([]);
});

it('every link to a decision leads to the record with the number in the link', () => {
  const wrong = files.flatMap((file) =>
    [...readFileSync(join(ROOT, file), 'utf8').matchAll(/\[decision\s+(\d+)\]\(([^)]*)\)/gi)]
      .filter(
        ([, number, path]) =>
          !path!.includes(`/${number!.padStart(4, '0')}-`) && !path!.startsWith(number!.padStart(4, '0')),
      )
      .map(([link]) => `${file}: ${link}`),
  );
  expect(wrong).toEqual([]);
});

it('every path of a record leads to a record', () => {
  const wrong = files.flatMap((file) =>
    [...readFileSync(join(ROOT, file), 'utf8').matchAll(/\bdecisions\/(\d{4})(-\w[\w-]*)?/g)]
      .filter(([, number, rest]) => (rest ? !names.includes(number! + rest) : !numbers.has(Number(number))))
      .map(([path]) => `${file}: ${path}`),
  );
  expect(wrong).toEqual([]);
});
