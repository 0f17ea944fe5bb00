import { type DynamicModule } from '@nestjs/common';
import { type NestExpressApplication } from '@nestjs/platform-express';
import { Test, type TestingModule } from '@nestjs/testing';
import { Clock } from '#kernel';
import { RunnerIntervals } from '#jobs';
import { type Config } from '#platform';
import { ApiModule } from '../../apps/api/src/api.module';
import { configure, OPTIONS } from '../../apps/api/src/service';
import { WorkerModule } from '../../apps/worker/src/worker.module';

/** Test doubles that replace providers of the program. */
interface Replacements {
  clock?: Clock;
  intervals?: RunnerIntervals;
}

/** Builds the API with this configuration and with test doubles. It answers once `listen` is called. */
export async function apiWith(config: Config, replacements: Replacements): Promise<NestExpressApplication> {
  const built = await build(ApiModule.with(config), replacements);
  return configure(built.createNestApplication<NestExpressApplication>(OPTIONS), config);
}

/** Builds the worker with this configuration and with test doubles. It takes jobs once `work` is called. */
export async function workerWith(config: Config, replacements: Replacements): Promise<TestingModule> {
  const built = await build(WorkerModule.with(config), replacements);
  return built.init();
}

function build(program: DynamicModule, { clock, intervals }: Replacements): Promise<TestingModule> {
  const builder = Test.createTestingModule({ imports: [program] });
  if (clock) builder.overrideProvider(Clock).useValue(clock);
  if (intervals) builder.overrideProvider(RunnerIntervals).useValue(intervals);
  return builder.compile();
}
