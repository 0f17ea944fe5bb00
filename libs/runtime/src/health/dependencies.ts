import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { Config, Database, Files, openRedisProbe, type RedisProbe } from '#platform';

export type DependencyName = 'database' | 'redis' | 'files';

/** Something outside that the program works with. */
export interface Dependency {
  name: DependencyName;
  /** An answer that takes longer is none. Below the second that orchestrators wait unless told otherwise. */
  limitMs: number;
  /** For so long an answer that all is well counts, however many ask. */
  freshMs: number;
  /** Resolves when it does as it is asked. */
  check(limit: AbortSignal): Promise<void>;
}

/** What this installation is made of. */
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

  /** Without `redis` where no QUEUE_URL names one. */
  list(): Dependency[] {
    const { database, files, redis } = this;
    return [
      { name: 'database', limitMs: 800, freshMs: 250, check: (limit) => database.check(limit) },
      ...(redis
        ? [{ name: 'redis', limitMs: 400, freshMs: 250, check: (limit: AbortSignal) => redis.check(limit) } as const]
        : []),
      // A bucket has a price for each question.
      { name: 'files', limitMs: 800, freshMs: 15_000, check: (limit) => files.check(limit) },
    ];
  }

  onApplicationShutdown(): void {
    this.redis?.close();
  }
}
