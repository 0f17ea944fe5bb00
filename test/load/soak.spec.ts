import { type Engine, engines, queueEngines } from '../support/engines';
import { soak, type SoakOptions } from './soak';

/* The long runs are `npm run soak`. */

const MAX_MS = 180_000;

const short: Pick<SoakOptions, 'seed' | 'built' | 'measureSeconds' | 'note'> = {
  seed: 20_260_104,
  built: false,
  measureSeconds: 2,
  note: () => undefined,
};

async function expectPromisesKept(options: SoakOptions, kinds: number): Promise<void> {
  const { faults, promises, figures, kills } = await soak(options);
  expect({ faults, broken: promises.filter(({ broken }) => broken.length > 0) }).toEqual({ faults: [], broken: [] });
  expect(kills).toBe(1);
  // With less work, the run would prove nothing.
  expect(figures.filter(({ answered }) => answered > 0).length).toBeGreaterThanOrEqual(kinds);
  for (const { promise, looked } of promises) expect([promise, looked > 0]).toEqual([promise, true]);
}

const embedded = engines.filter((engine) => engine === 'sqlite');
/** One of the servers. The long run uses the other. */
const servers: Engine[] = queueEngines.includes('redis')
  ? engines.filter((engine) => engine !== 'sqlite').slice(0, 1)
  : [];

describe('a short soak', () => {
  for (const engine of embedded)
    it(
      `keeps every promise when the API is restarted, which runs the jobs itself: ${engine}`,
      () =>
        expectPromisesKept(
          { ...short, engine, ownServer: false, loadSeconds: 6, killWorkerEvery: 3, apiEndsBy: 'SIGTERM' },
          8,
        ),
      MAX_MS,
    );

  for (const engine of servers)
    it(
      `keeps every promise when a worker is killed and the database and Redis are restarted: ${engine}`,
      () =>
        expectPromisesKept(
          {
            ...short,
            engine,
            ownServer: true,
            leaseMs: 2_000,
            loadSeconds: 9,
            killWorkerEvery: 5,
            restartDatabaseAt: 2,
            restartRedisAt: 6,
          },
          8,
        ),
      MAX_MS,
    );

  // Jest rejects a file without tests.
  if (embedded.length + servers.length === 0)
    it('takes SQLite, or a database server and Redis: not asked for', () => expect(embedded).toEqual([]));
});
