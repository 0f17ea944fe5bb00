/**
 * Puts a limited load on an installation, and kills workers, the API, the database and Redis. Fails when the service
 * loses or repeats work. See `npm run soak` and docs/load.md.
 */
import { randomInt } from 'node:crypto';
import { parseArgs } from 'node:util';
import { markdownTable, milliseconds } from '../../bench/measure';
import { type Engine } from '../support/engines';
import { describeTrend } from './memory';
import { type Outage, soak, type SoakReport } from './soak';

const USAGE = `Usage: npm run soak -- [options]
  --minutes N     minutes of load, after the capacity was measured (default: 10)
  --engine NAME   mariadb, mysql or sqlite (default: mariadb)
  --seed N        begins the same pieces of work again (default: others every time)
  --sources       starts the programs from their sources, without a build`;

const KILL_WORKER_EVERY_S = 20;
const KILL_API_EVERY_S = 30;
/** The API is killed only in this first share of the load. In the rest, its memory can be judged. */
const KILL_API_UNTIL = 1 / 3;
/** On sqlite, the API runs the jobs itself, and is killed like a worker. */
const KILL_EMBEDDED_EVERY_S = 20;
/** Shares of the load after which a server ends. */
const SERVER_OUTAGES: readonly Outage[] = [
  { at: 0.2, of: 'database', signal: 'SIGKILL' },
  { at: 0.4, of: 'database', signal: 'SIGTERM' },
  { at: 0.55, of: 'database', signal: 'SIGKILL' },
  { at: 0.7, of: 'Redis', signal: 'SIGKILL' },
];
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
  if (!engine || !(minutes > 0) || !Number.isInteger(seed)) throw new Error(USAGE);
  const loadSeconds = minutes * 60;
  const report = await soak({
    engine,
    seed,
    loadSeconds,
    built: !values.sources,
    ownServer: true,
    measureSeconds: Math.min(30, loadSeconds / 4),
    killWorkerEvery: engine === 'sqlite' ? undefined : KILL_WORKER_EVERY_S,
    outages:
      engine === 'sqlite'
        ? killsOfApi(KILL_EMBEDDED_EVERY_S, loadSeconds)
        : [
            ...killsOfApi(KILL_API_EVERY_S, loadSeconds * KILL_API_UNTIL),
            ...SERVER_OUTAGES.map((outage) => ({ ...outage, at: loadSeconds * outage.at })),
          ],
    note: (text) => void process.stderr.write(`${text}\n`),
  });
  show(report, `${minutes} min of load on ${engine}, seed ${seed}; Node ${process.version}`);
  return report.faults.length > 0 || report.promises.some(({ broken }) => broken.length > 0) ? 1 : 0;
}

const killsOfApi = (everySeconds: number, until: number): Outage[] =>
  Array.from({ length: Math.ceil(until / everySeconds) - 1 }, (_, index) => ({
    at: (index + 1) * everySeconds,
    of: 'API',
    signal: 'SIGKILL',
  }));

function show(
  { capacity, rate, begun, leftOut, kills, figures, windows, memory, promises, faults }: SoakReport,
  what: string,
): void {
  console.log(
    `${what}. Capacity ${capacity.toFixed(0)} pieces of work a second, load ${rate.toFixed(0)}; ${begun} begun, ${leftOut} left out ` +
      `because too many were under way; ${kills} workers killed. Memory of the API: ${describeTrend(memory)}.\n`,
  );
  const rows = figures.map(({ kind, answered, failures, p50, p99, p99OfAll }) => [
    kind,
    String(answered),
    String(failures),
    ...[p50, p99, p99OfAll].map(milliseconds),
  ]);
  console.log(
    markdownTable(
      ['request', 'answered', 'failed and sent again', 'p50, ms', 'p99, ms', 'p99 with the outages, ms'],
      rows,
    ),
  );
  if (windows.length > 0) {
    const rows = windows.map(({ what, times, seconds, failures }) => [
      what,
      String(times),
      seconds.toFixed(1),
      String(failures),
    ]);
    console.log(`\n${markdownTable(['outage', 'times', 'seconds at most', 'requests that failed'], rows)}`);
  }
  const kept = promises.map(({ promise, checked, broken }) => [promise, String(checked), String(broken.length)]);
  console.log(`\n${markdownTable(['promise', 'checked', 'broken'], kept)}`);
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
