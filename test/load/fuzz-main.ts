/**
 * Sends generated requests for all operations to a built API over HTTP: `npm run fuzz`, docs/load.md. Fails when a
 * request gets no proper answer, when a refused request changes something, or when memory grows.
 */
import { parseArgs } from 'node:util';
import { randomInt } from 'node:crypto';
import { expect } from 'expect';
import { markdownTable } from '../../bench/measure';
import { type Engine } from '../support/engines';
import { isServerKind, recipes, startServer } from '../support/servers/servers';
import { fuzz } from './fuzz';
import { describeTrend } from './memory';

// The helpers that create the records are those of the tests.
Object.assign(globalThis, { expect });

const USAGE = `Usage: npm run fuzz -- [options]
  --requests N    the number of requests (default: 100000)
  --engine NAME   mariadb, mysql or sqlite (default: mariadb)
  --seed N        makes the same requests again (default: others every time)
  --sources       starts the API from its sources, without a build`;

/** After a round, the run waits for all jobs and measures the memory. Larger runs have longer rounds. */
const REQUESTS_PER_ROUND = 5_000;
const MAX_ROUNDS = 40;
const MIN_ROUNDS = 2;
const SINGLE_CHECKS = 100;
/** The number of large, slow and cut requests in a round. */
const TRANSFERS_PER_ROUND = 20;

const roundsOf = (requests: number) =>
  Math.min(MAX_ROUNDS, Math.max(MIN_ROUNDS, Math.round(requests / REQUESTS_PER_ROUND)));

async function main(): Promise<number> {
  const { values } = parseArgs({
    options: {
      requests: { type: 'string', default: '100000' },
      engine: { type: 'string', default: 'mariadb' },
      seed: { type: 'string', default: String(randomInt(2 ** 31)) },
      sources: { type: 'boolean', default: false },
    },
  });
  const [requests, seed] = [Number(values.requests), Number(values.seed)];
  const engine = (['sqlite', 'mariadb', 'mysql'] as const satisfies readonly Engine[]).find(
    (name) => name === values.engine,
  );
  if (!engine || !(requests >= 1) || !Number.isInteger(seed)) throw new Error(USAGE);
  const server = isServerKind(engine) ? await startServer(engine) : undefined;
  if (server) process.env[recipes[server.kind].variable] = server.url;
  const began = performance.now();
  try {
    const report = await fuzz({
      engine,
      requests,
      seed,
      built: !values.sources,
      singles: SINGLE_CHECKS,
      rounds: roundsOf(requests),
      transfers: TRANSFERS_PER_ROUND,
      note: (text) => void process.stderr.write(`${text}\n`),
    });
    const minutes = ((performance.now() - began) / 60_000).toFixed(1);
    const rows = Object.entries(report.answers)
      .sort()
      .map(([what, count]) => [what, String(count)]);
    rows.push(
      ['large, slow and cut requests', String(report.transfers)],
      ['refused again without a change', String(report.refusedAgain)],
      ['refused, and checked one by one', String(report.refusedAlone)],
      ['slowest answer, ms', report.slowestMs.toFixed(0)],
      ['memory held', describeTrend(report.memory)],
      ...Object.entries(report.jobs).map(([status, count]) => [`jobs ${status}`, String(count)]),
      ['faults', String(report.faults.length)],
    );
    console.log(
      `Seed ${seed}; ${requests} requests in ${minutes} min; ${engine} ${server?.version ?? ''}; Node ${process.version}\n`,
    );
    console.log(markdownTable(['generated requests', 'figure'], rows));
    if (report.oneSided.length > 0) console.log(`\nAlways with the same outcome: ${report.oneSided.join(', ')}`);
    for (const fault of report.faults) console.log(`\n${fault}`);
    return report.faults.length > 0 ? 1 : 0;
  } finally {
    await server?.stop();
  }
}

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => process.exit(1));

main().then(
  (code) => process.exit(code),
  (error: unknown) => {
    console.error(error instanceof Error ? error.message || error : error);
    process.exit(1);
  },
);
