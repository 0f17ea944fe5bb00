import { type DynamicModule, Module } from '@nestjs/common';
import { type Config, type MonitoringServer, PlatformModule } from '#platform';
import { contexts, HealthModule } from '#runtime/modules';

/** Everything that the API has, except HTTP. */
@Module({})
export class WorkerModule {
  static with(config: Config, operations?: MonitoringServer): DynamicModule {
    const platform = PlatformModule.with(config, operations);
    return { module: WorkerModule, imports: [platform, HealthModule.of('worker'), ...contexts] };
  }
}
