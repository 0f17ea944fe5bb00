import { type INestApplicationContext, Module, type Type } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { AccessModule, Consumers } from '#access';
import { checkSchema, Config, Database, PlatformModule } from '#platform';
import { refuseNoDatabase, sayFailure, untilDatabase } from '#runtime';

@Module({})
class CliModule {}

/** The contexts that most commands need. */
function content(): Type[] {
  /* eslint-disable @typescript-eslint/no-require-imports -- loads it only when needed, because it is slow to load */
  const { EventsModule } = require('#events') as { EventsModule: Type };
  const { PoolsModule } = require('#pools') as { PoolsModule: Type };
  /* eslint-enable @typescript-eslint/no-require-imports */
  return [EventsModule, PoolsModule];
}

const say = (_fields: object, line: string) => process.stderr.write(`itembank: ${line}\n`);
/** For warnings: standard output is reserved for the result. */
export const STANDARD_ERROR = { info: say, warn: say };

/**
 * Runs `work` with the services of the installation that the environment configures.
 * @param options.contexts further contexts that it needs.
 * @param options.waits whether it waits for a database server that cannot be reached yet.
 * @param options.anySchema whether it accepts a database of another version.
 * @param options.settings override those of the environment.
 * @throws Error with a message for people.
 */
export async function withServices<T>(
  work: (services: INestApplicationContext) => Promise<T>,
  {
    mayCreate = false,
    anySchema = false,
    waits = false,
    contexts = content,
    settings = {},
  }: {
    mayCreate?: boolean;
    anySchema?: boolean;
    waits?: boolean;
    contexts?: () => Type[];
    settings?: Record<string, string>;
  } = {},
): Promise<T> {
  let config: Config | undefined;
  try {
    // Standard output is reserved for the command's result.
    config = Config.read({ ...process.env, ...settings, LOG_LEVEL: 'silent' });
    if (!mayCreate) refuseNoDatabase(config);
    if (waits) await untilDatabase(config, STANDARD_ERROR);
    const module = {
      module: CliModule,
      imports: [PlatformModule.with(config), AccessModule, ...contexts()],
    };
    const services = await NestFactory.createApplicationContext(module, { logger: false, abortOnError: false });
    try {
      if (!anySchema) await checkSchema(services.get(Database, { strict: false }));
      return await work(services);
    } finally {
      await services.close();
    }
  } catch (error) {
    throw new Error(sayFailure(error, config), { cause: error });
  }
}

/**
 * @returns the ids of all organisations.
 * @throws Error when the wanted one is not among them.
 */
export async function requireOrganisation(services: INestApplicationContext, organisation: number): Promise<number[]> {
  const organisations = await services.get(Consumers, { strict: false }).organisations();
  const ids = organisations.map(({ id }) => id);
  if (!ids.includes(organisation))
    throw new Error(
      `There is no organisation ${organisation}. "itembank organisation list" lists them; ` +
        `"itembank organisation create ${organisation} NAME" creates it.`,
    );
  return ids;
}

/**
 * @returns the wanted organisation, or all of them.
 * @throws Error when the wanted one does not exist.
 */
export async function organisationsOf(services: INestApplicationContext, wanted?: number): Promise<number[]> {
  if (wanted !== undefined) {
    await requireOrganisation(services, wanted);
    return [wanted];
  }
  return (await services.get(Consumers, { strict: false }).organisations()).map(({ id }) => id);
}

export async function withConsumers<T>(work: (consumers: Consumers, config: Config) => Promise<T>): Promise<T> {
  return withServices(
    (services) => work(services.get(Consumers, { strict: false }), services.get(Config, { strict: false })),
    { contexts: () => [] },
  );
}
