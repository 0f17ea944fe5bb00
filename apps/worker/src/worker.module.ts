import { type DynamicModule, Module } from '@nestjs/common';
import { type Clock } from '#kernel';
import { type Config, PlatformModule } from '#platform';
import { contexts } from '../../api/src/contexts';

/** All that the API has but HTTP. */
@Module({})
export class WorkerModule {
  static with(config: Config, clock?: Clock): DynamicModule {
    return { module: WorkerModule, imports: [PlatformModule.with(config, clock), ...contexts] };
  }
}
