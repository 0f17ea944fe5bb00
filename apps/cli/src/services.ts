import { type INestApplicationContext, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { AccessModule, Consumers } from '#access';
import { EventsModule } from '#events';
import { Config, PlatformModule } from '#platform';
import { PoolsModule } from '#pools';
import { refuseNoDatabase } from '../../api/src/embedded-database';
import { sayFailure } from '../../api/src/start-failure';

@Module({})
class CliModule {}

/**
 * Runs `work` with the services of the installation that the environment names.
 * @throws Error whose message is meant for people.
 */
export async function withServices<T>(
  work: (services: INestApplicationContext) => Promise<T>,
  { mayCreate = false }: { mayCreate?: boolean } = {},
): Promise<T> {
  let config: Config | undefined;
  try {
    // Standard output belongs to the answer of the command.
    config = Config.read({ ...process.env, LOG_LEVEL: 'silent' });
    if (!mayCreate) refuseNoDatabase(config);
    const module = {
      module: CliModule,
      imports: [PlatformModule.with(config), AccessModule, EventsModule, PoolsModule],
    };
    const services = await NestFactory.createApplicationContext(module, { logger: false, abortOnError: false });
    try {
      return await work(services);
    } finally {
      await services.close();
    }
  } catch (error) {
    throw new Error(sayFailure(error, config), { cause: error });
  }
}

export async function withConsumers<T>(work: (consumers: Consumers, config: Config) => Promise<T>): Promise<T> {
  return withServices((services) =>
    work(services.get(Consumers, { strict: false }), services.get(Config, { strict: false })),
  );
}
