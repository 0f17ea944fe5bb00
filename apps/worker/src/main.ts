#!/usr/bin/env node
import 'reflect-metadata';
import { runProgram, untilDatabase, untilRedis } from '#runtime';
import { createWorker, refuseNoWorker, work } from './worker';

void runProgram(async ({ config, log, operations, stop }) => {
  refuseNoWorker(config);
  await untilDatabase(config, log, stop);
  await untilRedis(config, log, stop);
  return work(await createWorker(config, operations), config);
});
