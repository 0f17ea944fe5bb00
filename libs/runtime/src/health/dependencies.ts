import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { Config, Database, Files, openRedisProbe, type RedisProbe } from '#platform';

export type DependencyName = 'database' | 'redis' | 'files';

/** A server or folder that the program needs. */
export interface Dependency {
  name: DependencyName;
  /** Time limit of an answer. Below one second, the default limit of orchestrators. */
  limitMs: number;
  /** How long a good answer is cached. */
  freshMs: number;
  /** Resolves when the dependency works. */
  check(limit: AbortSignal): Promise<void>;
}

/** The dependencies of this installation. */
@Injectable()
export class Dependencies implements OnApplicationShutdown {
  private readonly redis: RedisProbe | undefined;

  constructor(
    { queueUrl }: Config,
    private readonly database: Database,
    private readonly files: Files,
  ) {
    this.redis = queueUrl === undefined ? undefined : openRedisProbe(queueUrl);
  }

  /** Contains `redis` only when QUEUE_URL names one. */
  list(): Dependency[] {
    const { database, files, redis } = this;
    return [
      { name: 'database', limitMs: 800, freshMs: 250, check: (limit) => database.check(limit) },
      ...(redis
        ? [
            {
              name: 'redis',
              limitMs: 400,
              freshMs: 250,
              check: (limit: AbortSignal) => redis.check(limit, true),
            } as const,
          ]
        : []),
      // Requests to a bucket cost money, so its answers are cached longer.
      { name: 'files', limitMs: 800, freshMs: 15_000, check: (limit) => files.check(limit) },
    ];
  }

  onApplicationShutdown(): void {
    this.redis?.close();
  }
}
