#!/usr/bin/env node
import 'reflect-metadata';
import { Config, Database, LOGGER, type Logger, migrate } from '#platform';
import { firstStart, greeting } from './first-start';
import { createService, listen } from './service';
import { sayFailure } from './start-failure';
import { stopOnSignal } from './stop-on-signal';

async function start(config: Config): Promise<void> {
  const app = await createService(config);
  await migrate(app.get(Database));
  await app.init();
  const made = await firstStart(app, config);
  const service = await listen(app, config);
  process.stdout.write(await greeting(app, config, service.baseUrl, made));
  const log = app.get<Logger>(LOGGER);
  log.info({ url: service.baseUrl }, 'listening');
  service.takeJobs();
  stopOnSignal(log, () => service.close());
}

async function main(): Promise<void> {
  let config: Config | undefined;
  try {
    config = Config.read();
    await start(config);
  } catch (error) {
    process.stderr.write(`itembank: ${sayFailure(error, config)}\n`);
    process.exit(1);
  }
}

void main();
