import { type DynamicModule, Global, Inject, Module, type OnApplicationShutdown } from '@nestjs/common';
import { Clock, SystemClock, UnitOfWork } from '#kernel';
import { Config } from './config/config';
import { Database } from './database/database';
import { Files } from './files/files';
import { LocalFiles } from './files/local-files';
import { openFiles } from './files/open-files';
import { LOGGER, openLogger } from './logging';
import { Threads } from './threads/threads';

/** What every context stands on: settings, database, files, clock, log, threads. */
@Global()
@Module({})
export class PlatformModule implements OnApplicationShutdown {
  constructor(@Inject(Database) private readonly database: Database) {}

  static with(config: Config, clock: Clock = new SystemClock()): DynamicModule {
    return {
      module: PlatformModule,
      providers: [
        { provide: Config, useValue: config },
        { provide: Clock, useValue: clock },
        { provide: LOGGER, useFactory: () => openLogger(config) },
        { provide: Database, useFactory: () => Database.open(config.databaseUrl, config.databaseConnections) },
        { provide: UnitOfWork, useExisting: Database },
        Threads,
        { provide: Files, useFactory: openFiles, inject: [Config, Clock] },
        {
          provide: LocalFiles,
          useFactory: (files: Files) => (files instanceof LocalFiles ? files : null),
          inject: [Files],
        },
      ],
      exports: [Config, Clock, LOGGER, Database, UnitOfWork, Files, LocalFiles, Threads],
    };
  }

  async onApplicationShutdown(): Promise<void> {
    await this.database.close();
  }
}
