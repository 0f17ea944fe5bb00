/**
 * Puts a limited load on an installation, kills workers, and restarts the database and Redis. Fails when the service
 * loses or repeats work. See `npm run soak` and docs/load.md.
 */
import { randomInt } from 'node:crypto';
import { parseArgs } from 'node:util';
import { markdownTable, milliseconds } from '../../bench/measure';
import { type Engine } from '../support/engines';
import { describeTrend } from './memory';
import { soak, type SoakReport } from './soak';

const USE = `Usage: npm run soak -- [options]
  --minutes N     of load, after a minute in which the capacity is measured (default: 10)
  --engine NAME   mariadb, mysql or sqlite (default: mariadb)
  --seed N        begins the same pieces of work again (default: others every time)
  --sources       starts the programs from their sources, without a build`;

const KILL_EVERY_S = 20;
/** Shares of the load after which the database and Redis are restarted. */
const DATABASE_AT = 0.4;
const REDIS_AT = 0.7;
const MAX_SHOWN = 20;

async function main(): Promise<number> {
  const { values } = parseArgs({
    options: {
      minutes: { type: 'string', default: '10' },
      engine: { type: 'string', default: 'mariadb' },
      seed: { type: 'string', default: String(randomInt(2 ** 31)) },
      sources: { type: 'boolean', default: false },
    },
  });
  const [minutes, seed] = [Number(values.minutes), Number(values.seed)];
  const engine = (['sqlite', 'mariadb', 'mysql'] as const satisfies readonly Engine[]).find(
    (name) => name === values.engine,
  );
  if (!engine || !(minutes > 0) || !Number.isInteger(seed)) throw new Error(USE);
  const loadSeconds = minutes * 60;
  const report = await soak({
    engine,
    seed,
    loadSeconds,
    built: !values.sources,
    ownServer: true,
    measureSeconds: Math.min(30, loadSeconds / 4),
    killWorkerEvery: KILL_EVERY_S,
    restartDatabaseAt: loadSeconds * DATABASE_AT,
    restartRedisAt: loadSeconds * REDIS_AT,
    note: (text) => void process.stderr.write(`${text}\n`),
  });
  show(report, `${minutes} min of load on ${engine}, seed ${seed}; Node ${process.version}`);
  return report.faults.length > 0 || report.promises.some(({ broken }) => broken.length > 0) ? 1 : 0;
}

function show(
  { capacity, rate, begun, leftOut, kills, figures, windows, memory, promises, faults }: SoakReport,
  what: string,
): void {
  console.log(
    `${what}. Capacity ${capacity.toFixed(0)} pieces of work a second, load ${rate.toFixed(0)}; ${begun} begun, ${leftOut} left out ` +
      `because too many were under way; ${kills} kills. Memory of the API: ${describeTrend(memory)}.\n`,
  );
  const rows = figures.map(({ kind, answered, troubles, p50, p99, p99OfAll }) => [
    kind,
    String(answered),
    String(troubles),
    ...[p50, p99, p99OfAll].map(milliseconds),
  ]);
  console.log(
    markdownTable(
      ['request', 'answered', 'failed and sent again', 'p50, ms', 'p99, ms', 'p99 with the restarts, ms'],
      rows,
    ),
  );
  if (windows.length > 0) {
    const rows = windows.map(({ what, seconds, troubles }) => [what, seconds.toFixed(1), String(troubles)]);
    console.log(`\n${markdownTable(['outage', 'seconds', 'requests that failed'], rows)}`);
  }
  const kept = promises.map(({ promise, looked, broken }) => [promise, String(looked), String(broken.length)]);
  console.log(`\n${markdownTable(['promise', 'looked at', 'broken'], kept)}`);
  for (const { promise, broken } of promises) {
    if (broken.length > 0) console.log(`\nBroken: ${promise}`);
    for (const each of broken.slice(0, MAX_SHOWN)) console.log(`  ${each}`);
  }
  for (const fault of faults.slice(0, MAX_SHOWN)) console.log(`\nFault: ${fault}`);
}

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => process.exit(1));

main().then(
  (code) => process.exit(code),
  (error: unknown) => {
    console.error(error);
    process.exit(1);
  },
);
