import 'reflect-metadata';
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type INestApplicationContext } from '@nestjs/common';
import { Config, Database, migrate } from '#platform';
import { createService } from '../apps/api/src/service';
import { type Running, start } from './processes';

export type Environment = Record<string, string>;

/** Runs work with the settings of a new installation on a database. Closes both afterwards. */
export async function withInstallation<T extends { url: string; close(): Promise<void> }, R>(
  opened: Promise<T>,
  work: (database: T, environment: Environment) => Promise<R>,
): Promise<R> {
  const database = await opened;
  const folder = await mkdtemp(join(tmpdir(), 'itembank-bench-'));
  const SECRETS_KEY = randomBytes(32).toString('hex');
  try {
    return await work(database, { DATABASE_URL: database.url, SECRETS_KEY, DATA_DIR: folder });
  } finally {
    await database.close();
    await rm(folder, { recursive: true, force: true });
  }
}

/** Runs work beside the API. */
export const withApi = <R>(environment: Environment, work: (service: Running) => Promise<R>): Promise<R> =>
  withProgram(['dist/apps/api/src/main.js'], environment, work);

/** Runs work beside a floor in a file of the benches, on the same database. */
export const withFloor = <R>(
  file: string,
  { DATABASE_URL }: Environment,
  work: (floor: Running) => Promise<R>,
): Promise<R> => withProgram(['-r', './test/support/ts.cjs', `bench/${file}`], { DATABASE_URL: DATABASE_URL! }, work);

async function withProgram<R>(
  program: string[],
  environment: Environment,
  work: (running: Running) => Promise<R>,
): Promise<R> {
  const running = await start(program, environment);
  try {
    return await work(running);
  } finally {
    await running.stop();
  }
}

/** Runs work with the service in this process, on the migrated database. */
export async function withService<R>(
  environment: Environment,
  work: (app: INestApplicationContext, database: Database) => Promise<R>,
): Promise<R> {
  const app = await createService(Config.read({ ...environment, LOG_LEVEL: 'silent', JOB_CONCURRENCY: '4' }));
  try {
    const database = app.get(Database);
    await migrate(database);
    await app.init();
    return await work(app, database);
  } finally {
    await app.close();
  }
}
