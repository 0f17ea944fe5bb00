import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { run } from '../../support/servers/run';
import { isWrong, ratesOf, type Judged } from './rates';
import { pairsOf } from './pairs';

/**
 * Compares the engine with sympy on new pairs, most of them difficult: nested absolute values, roots and logarithms, narrow peaks, break
 * points in the thousands, inequalities of several factors. Run `npm run check:algebra -- --seed 1 --pairs 1000`.
 * It needs Python with sympy (Debian: python3-sympy) and takes about a minute for 1,000 pairs.
 */
async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      seed: { type: 'string', default: '1' },
      pairs: { type: 'string', default: '1200' },
      python: { type: 'string', default: 'python3' },
    },
  });
  const pairs = pairsOf(Number(values.seed), Number(values.pairs));
  const input = pairs.map(({ value, response }) => JSON.stringify([value.judge, response.judge])).join('\n');
  const judge = await run([values.python, join(__dirname, 'judge.py')], { input, timeoutMs: 3_600_000 });
  if (judge.code !== 0) throw new Error(judge.stderr);
  process.stderr.write(judge.stderr);
  const verdicts = judge.stdout.trim().split('\n');
  if (verdicts.length !== pairs.length) throw new Error(`${verdicts.length} verdicts on ${pairs.length} pairs`);
  const judged = pairs.map(({ family, value, response }, at): Judged => ({
    family,
    value: value.latex,
    response: response.latex,
    verdict: verdicts[at] as Judged['verdict'],
  }));

  const rates = ratesOf(judged);
  for (const { judged: each, matches, reason } of rates.pairs) {
    if (matches === null || isWrong(each, matches))
      console.log(`${each.verdict} ${matches} ${each.family}: ${each.value}   ${each.response}   ${reason}`);
  }
  console.log(rates.text);
  if (rates.falseAccepts > 0) process.exitCode = 1;
}

void main();
