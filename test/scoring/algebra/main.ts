import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { matchFormula } from '../../../libs/scoring/src/formula';
import { generatedPairs } from './pairs';

/*
 * Compares the formula engine with sympy:
 *
 *   npm run check:algebra -- [pairs] [seed]
 *   npm run check:algebra -- --write        writes the verdicts of sympy on the pairs of the tests
 *
 * Needs Python with sympy (Debian: python3-sympy). PYTHON names an interpreter other than /usr/bin/python3.
 */

const COUNT = 1500;
const SEED = 20261123;

const numbers = process.argv
  .slice(2)
  .filter((argument) => /^\d+$/.test(argument))
  .map(Number);
const pairs = generatedPairs(numbers[0] ?? COUNT, numbers[1] ?? SEED);
const { stdout, stderr, status } = spawnSync(process.env.PYTHON ?? '/usr/bin/python3', [join(__dirname, 'judge.py')], {
  input: JSON.stringify(pairs.map(({ judged }) => judged)),
  encoding: 'utf8',
  maxBuffer: 1e8,
});
if (status !== 0) throw new Error(stderr);
const verdicts = JSON.parse(stdout) as (boolean | null)[];

const rows: [kind: string, value: string, response: string, same: boolean][] = [];
const counts = { judged: 0, right: 0, 'false accept': 0, 'false refusal': 0, undecided: 0 };
for (const [index, { kind, value, response }] of pairs.entries()) {
  const same = verdicts[index]!;
  if (same === null) continue;
  rows.push([kind, value, response, same]);
  const { matches } = matchFormula({ method: 'equivSymbolic', value }, response);
  const outcome =
    matches === same ? 'right' : matches === null ? 'undecided' : matches ? 'false accept' : 'false refusal';
  counts.judged += 1;
  counts[outcome] += 1;
  if (outcome !== 'right') process.stdout.write(`${outcome}: ${kind}: ${value} beside ${response}\n`);
}
for (const [name, count] of Object.entries(counts))
  process.stdout.write(`${name}: ${count} (${((100 * count) / counts.judged).toFixed(2)} %)\n`);
if (process.argv.includes('--write'))
  writeFileSync(join(__dirname, 'judged.json'), `[\n${rows.map((row) => JSON.stringify(row)).join(',\n')}\n]\n`);
if (counts['false accept'] > 0) process.exitCode = 1;
