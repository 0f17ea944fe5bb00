import { Module, type OnModuleDestroy } from '@nestjs/common';
import { Config, LOGGER, type Logger } from '#platform';
import { Access } from './application/access';
import { Audit } from './application/audit';
import { Authors } from './application/authors';
import { Consumers } from './application/consumers';
import { Idempotency } from './application/idempotency';
import { AnswersErasure } from './application/answers-erasure';
import { KnownConsumers } from './application/known-consumers';
import { AnswerStore } from './application/ports/answer-store';
import { AuditStore } from './application/ports/audit-store';
import { AuthorStore } from './application/ports/author-store';
import { ConsumerStore } from './application/ports/consumer-store';
import { RateWindows } from './application/ports/rate-windows';
import { SecretBox } from './domain/secret-box';
import { OwnRateWindows } from './infrastructure/own-rate-windows';
import { type RedisRateWindows } from './infrastructure/redis-rate-windows';
import { SqlAnswerStore } from './infrastructure/sql-answer-store';
import { SqlAuditStore } from './infrastructure/sql-audit-store';
import { SqlAuthorStore } from './infrastructure/sql-author-store';
import { SqlConsumerStore } from './infrastructure/sql-consumer-store';

function openRateWindows(config: Config, log: Logger): RateWindows {
  if (config.queueUrl === undefined) return new OwnRateWindows();
  // eslint-disable-next-line @typescript-eslint/no-require-imports -- loads it only when needed, because it is slow to load
  const redis = require('./infrastructure/redis-rate-windows') as { RedisRateWindows: typeof RedisRateWindows };
  return new redis.RedisRateWindows(config.queueUrl, log);
}

@Module({
  providers: [
    Access,
    Audit,
    Authors,
    Consumers,
    Idempotency,
    AnswersErasure,
    KnownConsumers,
    { provide: SecretBox, useFactory: (config: Config) => new SecretBox(config.secretsKey), inject: [Config] },
    { provide: AnswerStore, useClass: SqlAnswerStore },
    { provide: AuditStore, useClass: SqlAuditStore },
    { provide: AuthorStore, useClass: SqlAuthorStore },
    { provide: ConsumerStore, useClass: SqlConsumerStore },
    { provide: RateWindows, useFactory: openRateWindows, inject: [Config, LOGGER] },
  ],
  exports: [Access, Audit, Authors, Consumers, Idempotency, AnswersErasure, SecretBox],
})
export class AccessModule implements OnModuleDestroy {
  constructor(private readonly windows: RateWindows) {}

  async onModuleDestroy(): Promise<void> {
    await this.windows.close();
  }
}
