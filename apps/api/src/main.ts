#!/usr/bin/env node
import 'reflect-metadata';
import { Config, Database, LOGGER, type Logger, migrate } from '#platform';
import { firstStart } from './first-start';
import { createService, listen } from './service';

async function main(): Promise<void> {
  const config = Config.read();
  const app = await createService(config);
  await migrate(app.get(Database));
  await firstStart(app, config);
  const service = await listen(app, config);
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

main().catch((error: Error) => {
  process.stderr.write(`itembank: ${error.message}\n`);
  process.exit(1);
});
