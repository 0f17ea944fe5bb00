#!/usr/bin/env node
import 'reflect-metadata';
import { Config, LOGGER, type Logger } from '#platform';
import { sayFailure } from '../../api/src/start-failure';
import { stopOnSignal } from '../../api/src/stop-on-signal';
import { createWorker, work } from './worker';

async function main(): Promise<void> {
  let config: Config | undefined;
  try {
    config = Config.read();
    const app = await createWorker(config);
    const worker = await work(app, config);
    stopOnSignal(app.get<Logger>(LOGGER), () => worker.close());
  } catch (error) {
    process.stderr.write(`itembank: ${sayFailure(error, config)}\n`);
    process.exit(1);
  }
}

void main();
