import 'reflect-metadata';
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createConnection } from 'mysql2/promise';
import { Consumers } from '#access';
import { SystemClock } from '#kernel';
import { Config, Database, migrate } from '#platform';
import { createService } from '../../apps/api/src/service';
import { Client } from '../support/client';
import { emptyDatabase, type Engine } from '../support/engines';
import { freePort } from '../support/servers/free-port';
import { recipes, type RunningServer, startByRecipe } from '../support/servers/servers';
import { API, type Launch, Program, WORKER } from './program';

export interface LoadOptions {
  engine: Engine;
  /** Whether the programs run from `dist`. */
  built: boolean;
  /**
   * Whether to start a separate database server that can be restarted. Otherwise, the run uses the server of the
   * environment. SQLite has no server.
   */
  ownServer: boolean;
  /** The length of the workers' leases in short runs; absent: as in production. */
  leaseMs?: number;
}

const WORKERS = 2;
const NAME = 'itembank_load';

/**
 * An API, two workers, a database and a Redis, each in a process of its own. With SQLite, there is only an API, which
 * also runs the jobs.
 */
export class LoadInstallation {
  readonly workers: Program[] = [];
  private readonly earlierErrors: string[] = [];

  private constructor(
    readonly api: { program: Program },
    readonly client: Client,
    readonly database: Database,
    readonly sqlServer: RunningServer | undefined,
    readonly redis: RunningServer | undefined,
    private readonly launches: { api: Launch; worker: Launch },
    private readonly cleanups: (() => Promise<unknown>)[],
  ) {}

  static async start({ engine, built, ownServer, leaseMs }: LoadOptions): Promise<LoadInstallation> {
    const cleanups: (() => Promise<unknown>)[] = [];
    try {
      const folder = await mkdtemp(join(tmpdir(), 'itembank-load-'));
      cleanups.push(() => rm(folder, { recursive: true, force: true }));
      const redis = engine === 'sqlite' ? undefined : await ownServerOf('redis');
      if (redis) cleanups.push(() => redis.stop());
      const sqlServer = engine !== 'sqlite' && ownServer ? await ownServerOf(engine) : undefined;
      if (sqlServer) cleanups.push(() => sqlServer.stop());
      const empty = sqlServer
        ? { url: await createDatabaseOn(sqlServer), drop: async () => undefined }
        : await emptyDatabase(engine);
      cleanups.push(() => empty.drop());
      const settings = {
        DATABASE_URL: empty.url,
        DATA_DIR: folder,
        SECRETS_KEY: randomBytes(32).toString('hex'),
        HOST: '127.0.0.1',
        PORT: String(await freePort()),
        ITEM_UPDATE_LIMIT: '1000000',
        ...(redis ? { QUEUE_URL: redis.url } : {}),
      };
      const { key, secret } = await migrateAndCreateConsumer(settings);
      const database = await Database.open(empty.url, 2);
      cleanups.push(() => database.close());
      const launches = {
        api: { ...API, built, settings },
        worker:
          leaseMs === undefined
            ? { ...WORKER, built, settings: { ...settings, PORT: '0' } }
            : {
                ...WORKER,
                main: 'test/faults/worker',
                built: false,
                settings: { ...settings, PORT: '0', LEASE_MS: String(leaseMs) },
              },
      };
      const api = { program: await Program.start(launches.api) };
      const client = new Client(api.program.url, key, secret, new SystemClock());
      const made = new LoadInstallation(api, client, database, sqlServer, redis, launches, cleanups);
      if (redis) while (made.workers.length < WORKERS) made.workers.push(await Program.start(launches.worker));
      return made;
    } catch (error) {
      for (const end of cleanups.reverse()) await end();
      throw error;
    }
  }

  /** Kills a worker and starts another one in its place. */
  async killWorker(place: number): Promise<void> {
    await this.workers[place]!.end('SIGKILL');
    this.workers[place] = await this.startWithRetries(this.launches.worker);
  }

  /** Ends the API by a signal and starts it again on its port. */
  async restartApi(signal: NodeJS.Signals): Promise<void> {
    const { program } = this.api;
    await program.end(signal);
    this.earlierErrors.push(...program.errors);
    this.api.program = await this.startWithRetries(this.launches.api);
  }

  /** Errors in the log of the API, including those before a restart. */
  get apiErrors(): readonly string[] {
    return [...this.earlierErrors, ...this.api.program.errors];
  }

  /** Starts a program. Tries again while the database is not available. */
  private async startWithRetries(launch: Launch): Promise<Program> {
    for (;;) {
      try {
        return await Program.start(launch);
      } catch (error) {
        if (this.ended) throw error;
      }
    }
  }

  private ended = false;

  async end(): Promise<void> {
    this.ended = true;
    await Promise.all([this.api.program, ...this.workers].map((program) => program.end('SIGTERM')));
    for (const end of this.cleanups.reverse()) await end();
  }
}

/**
 * Starts a separate server, never that of the environment, because the run kills and restarts it. Its commits are on
 * disk, so they survive.
 */
function ownServerOf(kind: keyof typeof recipes): Promise<RunningServer> {
  const recipe = recipes[kind];
  return startByRecipe(recipe, {
    env: { ...process.env, [recipe.variable]: '' },
    cacheFolder: resolve(__dirname, '../../.servers'),
    data: 'durable',
  });
}

async function createDatabaseOn({ url }: RunningServer): Promise<string> {
  const connection = await createConnection(url);
  try {
    await connection.query(`CREATE DATABASE ${NAME}`);
  } finally {
    await connection.end();
  }
  return `${url}/${NAME}`;
}

/** Migrates the database, and adds an organisation with a consumer. */
export async function migrateAndCreateConsumer(
  settings: Record<string, string>,
): Promise<{ key: string; secret: string }> {
  const app = await createService(Config.read({ ...settings, LOG_LEVEL: 'silent' }));
  try {
    await migrate(app.get(Database));
    await app.init();
    const consumers = app.get(Consumers, { strict: false });
    await consumers.addOrganisation({ id: 1, name: 'Load' });
    return await consumers.create({
      label: 'load',
      domains: ['localhost'],
      features: [],
      rateLimits: { '*': 1_000_000 },
      legacySignatures: false,
      grants: [{ organisation: 1, access: 'write', primary: true }],
    });
  } finally {
    await app.close();
  }
}
