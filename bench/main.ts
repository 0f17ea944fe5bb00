/**
 * Measures side by side, in ratios: `npm run bench -- spike` (the data model), `npm run bench -- api` (the service
 * against a floor). See docs/decisions/0003 and docs/bench.md.
 */
import { parseArgs } from 'node:util';
import { spike } from './spike';

async function main(): Promise<void> {
  const { positionals, values } = parseArgs({
    allowPositionals: true,
    options: {
      quick: { type: 'boolean', default: false },
      keep: { type: 'boolean', default: false },
    },
  });
  const { quick, keep } = values;
  if (positionals[0] === 'spike') await spike({ quick, keep });
  else throw new Error('Say what to measure: spike or api.');
}

main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
});
