#!/usr/bin/env node
import 'reflect-metadata';
import { Consumers } from '#access';
import { OpenId } from '#people';
import { Database, migrate } from '#platform';
import { firstStart, greeting } from './first-start';
import { lookForRedis, type Running, runProgram, type Start, untilDatabase } from '#runtime';
import { createService, listen } from './service';

async function start({ config, log, operations, stop }: Start): Promise<Running> {
  await untilDatabase(config, log, stop);
  if (config.queueUrl !== undefined) await lookForRedis(config, log);
  const app = await createService(config, operations);
  await migrate(app.get(Database), () => log.info('waiting for another process that is migrating the database'));
  await app.init();
  await app.get(Consumers, { strict: false }).checkSecretsKey();
  const made = await firstStart(app, config);
  await app.get(OpenId, { strict: false }).checkRules();
  const service = await listen(app, config);
  process.stdout.write(await greeting(app, config, service.baseUrl, made));
  log.info({ url: service.baseUrl }, 'listening');
  service.takeJobs();
  return service;
}

void runProgram(start);
