import { randomInt } from 'node:crypto';
import { Jobs } from '#jobs';
import { type Database } from '#platform';
import { emptyQueue, type Engine, engines, queueEngines } from '../support/engines';
import { ServiceProcess, type Settings, temporaryFolders } from '../support/processes';
import { randomFrom } from '../support/random';
import { startService, type TestService } from '../support/service';
import { until } from '../support/until';
import { faultsOf, createEffectTable, type Steps } from './steps';

/** FAULTS=full runs all faults. Otherwise fewer faults run, on fewer servers. */
export const FULL = process.env.FAULTS === 'full';

const requestedServers = queueEngines.includes('redis') ? engines.filter((engine) => engine !== 'sqlite') : [];

/** Defines a suite for each database server. A short run uses only the `first` or the `last` one, or `all`. */
export function faultsOn(short: 'first' | 'last' | 'all', name: string, define: (engine: Engine) => void): void {
  const chosen =
    FULL || short === 'all'
      ? requestedServers
      : short === 'first'
        ? requestedServers.slice(0, 1)
        : requestedServers.slice(-1);
  for (const engine of chosen) describe(`${name} on ${engine} and Redis`, () => define(engine));
  // Jest rejects a file without tests.
  if (chosen.length === 0)
    it(`${name} needs a database server and Redis, which TEST_ENGINES leaves out`, () =>
      expect(requestedServers).toEqual([]));
}

/** Pseudo-random numbers. FAULTS_SEED repeats those of an earlier run. */
export class Random {
  private readonly below: (limit: number) => number;

  constructor(name: string) {
    const seed = Number(process.env.FAULTS_SEED ?? randomInt(2 ** 31));
    process.stderr.write(`${name}: FAULTS_SEED=${seed}\n`);
    this.below = randomFrom(seed);
  }

  /** Returns a whole number of at least `min` and below `max`. */
  number(min: number, max: number): number {
    return min + this.below(Math.floor(max - min));
  }
}

/** An API and its workers, each worker in its own process. */
export class Installation {
  readonly workers = new Set<ServiceProcess>();
  /** The started jobs, by reference. */
  readonly startedJobs = new Map<string, Steps>();

  private constructor(
    readonly api: TestService,
    private readonly settings: Settings,
  ) {}

  /** @param overrides settings of the API and the workers, such as the addresses of proxies. */
  static async start(
    engine: Engine,
    folder: string,
    { leaseMs, queueUrl = emptyQueue('redis').url! }: { leaseMs: number; queueUrl?: string },
  ): Promise<Installation> {
    const api = await startService(engine, { QUEUE_URL: queueUrl });
    await createEffectTable(api.database);
    return new Installation(api, {
      ...api.settings,
      DATA_DIR: folder,
      JOB_CONCURRENCY: '4',
      LOG_LEVEL: 'info',
      LEASE_MS: String(leaseMs),
    });
  }

  get database(): Database {
    return this.api.database;
  }

  async startWorker(more: Settings = {}): Promise<ServiceProcess> {
    const settings = { ...this.settings, ...more };
    const worker = await ServiceProcess.working({ settings }, 'test/faults/worker.ts');
    this.workers.add(worker);
    return worker;
  }

  async kill(worker: ServiceProcess): Promise<void> {
    this.workers.delete(worker);
    await worker.end('SIGKILL');
  }

  async startJob(
    input: Steps,
    { lane = 'short', serialKey }: { lane?: 'short' | 'bulk'; serialKey?: string } = {},
  ): Promise<string> {
    const id = await this.api
      .get(Jobs)
      .start({ type: 'steps', lane, serialKey, input: JSON.stringify(input) }, this.api.scope());
    this.startedJobs.set(id, input);
    return id;
  }

  /** Returns the number of jobs of each status. */
  async jobsByStatus(): Promise<Record<string, number>> {
    const rows = await this.database.rows<{ status: string; jobs: number | string }>(
      'SELECT status, COUNT(*) AS jobs FROM job GROUP BY status',
    );
    return Object.fromEntries(rows.map(({ status, jobs }) => [status, Number(jobs)]));
  }

  /** Waits until no job waits or runs. Returns the number of jobs of each status, and the faults in their effects. */
  async waitForOutcome(): Promise<{ jobsByStatus: Record<string, number>; faults: string[] }> {
    const jobsByStatus = await until(async () => {
      const now = await this.jobsByStatus();
      return now.queued || now.running ? undefined : now;
    });
    return { jobsByStatus, faults: await faultsOf(this.database, this.startedJobs) };
  }

  async end(): Promise<void> {
    await Promise.all([...this.workers].map((worker) => worker.end('SIGKILL')));
    await this.api.close();
  }
}

export { temporaryFolders };
