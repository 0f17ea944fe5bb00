import { type DynamicModule, Module } from '@nestjs/common';
import { type Config, type MonitoringServer, PlatformModule } from '#platform';
import { contexts, HealthModule } from '#runtime/modules';
import { ConsoleCalls } from './console/console-calls';
import { ConsoleFilesController } from './console/console-files.controller';
import { ConsumersController } from './console/consumers.controller';
import { OpenIdController } from './console/openid.controller';
import { PeopleController } from './console/people.controller';
import { SessionController } from './console/session.controller';
import { DeliveryController } from './delivery/delivery.controller';
import { AssetFilesController } from './http/asset-files.controller';
import { Dispatcher } from './http/dispatcher.controller';
import { DocsController } from './http/docs.controller';
import { PlayerController } from './player/player.controller';
import { TryController } from './player/try.controller';
import { HealthController } from './http/health.controller';
import { OtherErrors } from './http/other-errors.filter';
import { RequestMetrics } from './http/request-metrics';
import { PagingTokens } from './declaration/paging-tokens';
import { Registry } from './declaration/registry';
import { operations } from './operations';

@Module({})
export class ApiModule {
  static with(config: Config, operationsServer?: MonitoringServer): DynamicModule {
    return {
      module: ApiModule,
      imports: [PlatformModule.with(config, operationsServer), HealthModule.of('api'), ...contexts],
      // The dispatcher comes last, because it takes all other requests.
      controllers: [
        HealthController,
        DocsController,
        AssetFilesController,
        DeliveryController,
        PlayerController,
        TryController,
        // Before the calls of the console, whose addresses are screens too.
        OpenIdController,
        ConsoleFilesController,
        SessionController,
        PeopleController,
        ConsumersController,
        Dispatcher,
      ],
      providers: [...operations, ConsoleCalls, PagingTokens, Registry, RequestMetrics, OtherErrors],
    };
  }
}
