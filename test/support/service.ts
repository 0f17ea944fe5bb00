import 'reflect-metadata';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Consumer, Consumers, type Grant } from '#access';
import { SearchFilling } from '#content';
import { type RunnerIntervals } from '#jobs';
import { Clock, type Scope } from '#kernel';
import { Config, Database, migrate } from '#platform';
import { listen, type Service } from '../../apps/api/src/service';
import { apiWith } from './applications';
import { Client } from './client';
import { type Engine, engines } from './engines';
import { migratedDatabase } from './migrated-database';
import { DAY } from './time';

/** A clock that moves only when a test says so. */
export class TestClock extends Clock {
  constructor(private time = Date.UTC(2026, 0, 2, 3, 4, 5)) {
    super();
  }

  override now(): number {
    return this.time;
  }

  advance(milliseconds: number): void {
    this.time += milliseconds;
  }
}

type Settings = Record<string, string>;

/** The real service on its own database, reached over HTTP. */
export interface TestService {
  url: string;
  clock: TestClock;
  database: Database;
  service: Service;
  /** Settings of another program that works on the same data. */
  settings: Settings & Record<'DATABASE_URL' | 'DATA_DIR' | 'SECRETS_KEY', string>;
  /** Signs as a consumer with write access to organisation 1 only. */
  client: Client;
  /** Creates a further consumer. Absent members are as those of `client`. */
  consumer(wanted?: Partial<Consumer>): Promise<Client>;
  /** Creates a consumer with access to these organisations; the first one is its primary organisation. */
  consumerOf(...grants: [organisation: number, access: Grant['access']][]): Promise<Client>;
  /** The scope of a write in this organisation, now. Absent: organisation 1. */
  scope(organisation?: number): Scope;
  /** An application service, for writes without an operation. */
  get<T>(type: abstract new (...services: never[]) => T): T;
  close(): Promise<void>;
}

/**
 * @param environment settings, or a function that makes them from the address of the database.
 * @param intervals of the job runner, for tests that would wait for the usual ones.
 */
export async function startService(
  engine: Engine,
  environment: Settings | ((databaseUrl: string) => Settings) = {},
  intervals?: RunnerIntervals,
): Promise<TestService> {
  const made = await migratedDatabase(engine);
  const folder = mkdtempSync(join(tmpdir(), 'itembank-data-'));
  const given: TestService['settings'] = {
    DATABASE_URL: made.url,
    DATA_DIR: folder,
    SECRETS_KEY: '11'.repeat(32),
    ...(typeof environment === 'function' ? environment(made.url) : environment),
  };
  const { DATABASE_URL, DATA_DIR, SECRETS_KEY, QUEUE_URL } = given;
  const config = Config.read({
    PORT: '0',
    LOG_LEVEL: process.env.TEST_LOG ?? 'silent',
    ITEM_UPDATE_LIMIT: '1000000',
    ...given,
  });
  const clock = new TestClock();
  const app = await apiWith(config, { clock, intervals });
  const database = app.get(Database);
  await migrate(database);
  const service = await listen(app, config);
  service.takeJobs();
  // Tests compare the state of the database, so the search index is filled only on their request.
  await app.get(SearchFilling, { strict: false }).stop();
  const consumers = app.get(Consumers, { strict: false });
  for (const id of [1, 2]) await consumers.addOrganisation({ id, name: `Organisation ${id}` });
  const consumer = async (wanted: Partial<Consumer> = {}) => {
    const made = await consumers.create({
      label: 'test',
      domains: ['localhost'],
      features: ['offlinepackage'],
      rateLimits: { '*': 1_000_000 },
      legacySignatures: false,
      grants: [{ organisation: 1, access: 'write', primary: true }],
      ...wanted,
    });
    return new Client(service.baseUrl, made.key, made.secret, clock);
  };
  return {
    url: service.baseUrl,
    clock,
    database,
    service,
    settings: { DATABASE_URL, DATA_DIR, SECRETS_KEY, ...(QUEUE_URL && { QUEUE_URL }) },
    client: await consumer(),
    consumer,
    consumerOf: (...grants) =>
      consumer({
        grants: grants.map(([organisation, access], index) => ({ organisation, access, primary: index === 0 })),
      }),
    scope: (organisation = 1) => ({
      shelf: { organisation },
      operation: 'test',
      now: clock.now(),
      readable: new Set([organisation]),
    }),
    get: (type) => app.get(type, { strict: false }),
    close: async () => {
      await service.close();
      await made.drop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/**
 * Starts a service before the tests of a suite, and closes it after them. A suite may take `client` from it at once; the
 * other members are there when its tests run.
 */
export function serviceOfSuite(start: () => Promise<TestService>): TestService {
  const client = new Client('', '', '', new TestClock());
  const service = { client } as TestService;
  let started: TestService | undefined;
  beforeAll(async () => {
    started = await start();
    Object.assign(service, started, { client: Object.assign(client, started.client) });
  });
  afterAll(() => started?.close());
  return service;
}

/** Starts the service at a later time than the previous engine's, because ids never run backwards in a process. */
export async function startServiceLater(engine: Engine): Promise<TestService> {
  const service = await startService(engine);
  service.clock.advance(engines.indexOf(engine) * 1000 * DAY);
  return service;
}
