#!/usr/bin/env node
import 'reflect-metadata';
import { Config, Database, LOGGER, type Logger, migrate } from '#platform';
import { firstStart, greeting } from './first-start';
import { createService, listen } from './service';
import { sayFailure } from './start-failure';

async function start(config: Config): Promise<void> {
  const app = await createService(config);
  await migrate(app.get(Database));
  await app.init();
  const made = await firstStart(app, config);
  const service = await listen(app, config);
  process.stdout.write(await greeting(app, config, service.baseUrl, made));
  const log = app.get<Logger>(LOGGER);
  log.info({ url: service.baseUrl }, 'listening');
  let stopping = false;
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.on(signal, () => {
      if (stopping) return;
      stopping = true;
      log.info({ signal }, 'stopping');
      service.close().then(
        () => process.exit(0),
        (error) => {
          log.error({ err: error }, 'could not stop cleanly');
          process.exit(1);
        },
      );
    });
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
