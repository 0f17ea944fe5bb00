import {
  type BeforeApplicationShutdown,
  type DynamicModule,
  Global,
  Module,
  type OnApplicationShutdown,
} from '@nestjs/common';
import { getDataSourceToken, TypeOrmModule } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import { Clock, SystemClock, UnitOfWork } from '#kernel';
import { Config } from './config/config';
import { Database } from './database/database';
import { connectSource, optionsOf } from './database/engines';
import { LongReads } from './database/long-reads';
import { Files } from './files/files';
import { LocalFiles } from './files/local-files';
import { openFiles } from './files/open-files';
import { droppedLines, LOGGER, type Logger, openLogger } from './logging';
import { measureDatabase } from './metrics/database-metrics';
import { Metrics } from './metrics/metrics';
import { openMetrics } from './metrics/open-metrics';
import { MonitoringServer } from './monitoring/monitoring-server';
import { Threads } from './threads/threads';
import { openTracing } from './tracing/open-tracing';
import { Tracing } from './tracing/tracing';
import { Verifications } from './verification/verifications';

const DROPPED = 'Lines of the log that were dropped since the process began, as their reader did not keep up.';

/** The name of the second connection of an embedded database. */
const READER = 'reader';

/** The services that every context uses: settings, database, files, clock, log, metrics, traces, threads. */
@Global()
@Module({})
export class PlatformModule implements BeforeApplicationShutdown, OnApplicationShutdown {
  constructor(
    private readonly database: Database,
    private readonly tracing: Tracing,
    metrics: Metrics,
    operations: MonitoringServer,
  ) {
    measureDatabase(metrics, database);
    metrics.gauges([{ name: 'itembank_log_lines_dropped', help: DROPPED }], () => [[{ value: droppedLines() }]]);
    operations.answer('/metrics', async () => {
      const { type, text } = await metrics.shown();
      return { status: 200, type, body: text };
    });
  }

  /** @param operations the operations port. The caller opens and closes it. */
  static with(config: Config, operations?: MonitoringServer): DynamicModule {
    return {
      module: PlatformModule,
      imports: config.embedded ? [dataSource(config), dataSource(config, READER)] : [dataSource(config)],
      providers: [
        { provide: Config, useValue: config },
        { provide: Clock, useClass: SystemClock },
        { provide: LOGGER, useFactory: () => openLogger(config) },
        { provide: Metrics, useFactory: (log: Logger) => openMetrics(config, log), inject: [LOGGER] },
        { provide: Tracing, useFactory: (log: Logger) => openTracing(config, log), inject: [LOGGER] },
        { provide: MonitoringServer, useFactory: () => operations ?? new MonitoringServer(config) },
        {
          provide: Database,
          useFactory: (tracing: Tracing, source: DataSource, reader?: DataSource) =>
            Database.over(source, reader, tracing),
          inject: [Tracing, getDataSourceToken(), { token: getDataSourceToken(READER), optional: true }],
        },
        { provide: UnitOfWork, useExisting: Database },
        LongReads,
        Threads,
        Verifications,
        { provide: Files, useFactory: openFiles, inject: [Config, Clock] },
        {
          provide: LocalFiles,
          useFactory: (files: Files) => (files instanceof LocalFiles ? files : null),
          inject: [Files],
        },
      ],
      exports: [
        Config,
        Clock,
        LOGGER,
        Metrics,
        Tracing,
        MonitoringServer,
        Database,
        UnitOfWork,
        LongReads,
        Files,
        LocalFiles,
        Threads,
        Verifications,
      ],
    };
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.database.idle();
  }

  async onApplicationShutdown(): Promise<void> {
    await this.database.close();
    await this.tracing.close();
  }
}

/** A connection that the framework opens and closes. Programs wait for a server before they start it, see `untilDatabase`. */
function dataSource(config: Config, name?: string): DynamicModule {
  return TypeOrmModule.forRootAsync({
    ...(name === undefined ? {} : { name }),
    useFactory: () => ({
      ...optionsOf(config.databaseUrl, config.databaseConnections),
      toRetry: () => false,
    }),
    dataSourceFactory: (options) => connectSource(options!),
  });
}
