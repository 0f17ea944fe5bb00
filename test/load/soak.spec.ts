import { type Engine, engines, queueEngines } from '../support/engines';
import { soak, type SoakOptions } from './soak';

/* The long runs are `npm run soak`. */

const short: Pick<SoakOptions, 'seed' | 'built' | 'measureSeconds' | 'note'> = {
  seed: 20_260_104,
  built: false,
  measureSeconds: 2,
  note: () => undefined,
};

/** Each run sends at least this many kinds of requests. Rare kinds may be missing. */
const MIN_KINDS = 10;

async function expectPromisesKept(options: SoakOptions): Promise<void> {
  const { faults, promises, figures, kills, windows } = await soak(options);
  expect({ faults, broken: promises.filter(({ broken }) => broken.length > 0) }).toEqual({ faults: [], broken: [] });
  expect(kills).toBe(options.killWorkerEvery === undefined ? 0 : 1);
  const times = windows.reduce((sum, each) => sum + each.times, 0);
  expect(times).toBe(options.outages.length);
  // With less work, the run would prove nothing.
  expect(figures.filter(({ answered }) => answered > 0).length).toBeGreaterThanOrEqual(MIN_KINDS);
  for (const { promise, checked } of promises) expect([promise, checked > 0]).toEqual([promise, true]);
}

const embedded = engines.filter((engine) => engine === 'sqlite');
/** One of the servers. The long run uses the other. */
const servers: Engine[] = queueEngines.includes('redis')
  ? engines.filter((engine) => engine !== 'sqlite').slice(0, 1)
  : [];

describe('a short soak', () => {
  for (const engine of embedded)
    it(`keeps every promise when an API that also runs the jobs is restarted: ${engine}`, () =>
      expectPromisesKept({
        ...short,
        engine,
        ownServer: false,
        loadSeconds: 6,
        // On SIGTERM, the API hands back its jobs. Otherwise, their leases must expire.
        outages: [{ at: 3, of: 'API', signal: 'SIGTERM' }],
      }));

  for (const engine of servers)
    it(`keeps every promise when a worker, the API, the database and Redis are killed: ${engine}`, () =>
      expectPromisesKept({
        ...short,
        engine,
        ownServer: true,
        leaseMs: 2_000,
        loadSeconds: 9,
        killWorkerEvery: 5,
        outages: [
          { at: 1, of: 'database', signal: 'SIGKILL' },
          { at: 3, of: 'database', signal: 'SIGTERM' },
          { at: 5, of: 'Redis', signal: 'SIGKILL' },
          { at: 6, of: 'API', signal: 'SIGKILL' },
        ],
      }));

  // Jest rejects a file without tests.
  if (embedded.length + servers.length === 0)
    it('needs SQLite, or a database server and Redis, which TEST_ENGINES leaves out', () =>
      expect(embedded).toEqual([]));
});
