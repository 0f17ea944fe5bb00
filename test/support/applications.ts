import { type DynamicModule } from '@nestjs/common';
import { type NestExpressApplication } from '@nestjs/platform-express';
import { Test, type TestingModule } from '@nestjs/testing';
import { Clock } from '#kernel';
import { RunnerIntervals } from '#jobs';
import { type Config } from '#platform';
import { ApiModule } from '../../apps/api/src/api.module';
import { configure, OPTIONS } from '../../apps/api/src/service';
import { WorkerModule } from '../../apps/worker/src/worker.module';

/** Providers that take the place of the program's own. */
export interface Replaced {
  clock?: Clock;
  intervals?: RunnerIntervals;
}

/** The API of a configuration, with other providers. It answers once `listen` is called. */
export async function apiWith(config: Config, replaced: Replaced): Promise<NestExpressApplication> {
  const built = await build(ApiModule.with(config), replaced);
  return configure(built.createNestApplication<NestExpressApplication>(OPTIONS), config);
}

/** The worker of a configuration, with other providers. It takes jobs once `work` is called. */
export async function workerWith(config: Config, replaced: Replaced): Promise<TestingModule> {
  const built = await build(WorkerModule.with(config), replaced);
  return built.init();
}

function build(program: DynamicModule, { clock, intervals }: Replaced): Promise<TestingModule> {
  const builder = Test.createTestingModule({ imports: [program] });
  if (clock) builder.overrideProvider(Clock).useValue(clock);
  if (intervals) builder.overrideProvider(RunnerIntervals).useValue(intervals);
  return builder.compile();
}
