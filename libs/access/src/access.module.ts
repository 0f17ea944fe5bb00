import { Module } from '@nestjs/common';
import { Config } from '#platform';
import { Access } from './application/access';
import { Audit } from './application/audit';
import { Authors } from './application/authors';
import { Consumers } from './application/consumers';
import { Idempotency } from './application/idempotency';
import { AnswerStore } from './application/ports/answer-store';
import { AuditStore } from './application/ports/audit-store';
import { AuthorStore } from './application/ports/author-store';
import { ConsumerStore } from './application/ports/consumer-store';
import { SecretBox } from './domain/secret-box';
import { SqlAnswerStore } from './infrastructure/sql-answer-store';
import { SqlAuditStore } from './infrastructure/sql-audit-store';
import { SqlAuthorStore } from './infrastructure/sql-author-store';
import { SqlConsumerStore } from './infrastructure/sql-consumer-store';

@Module({
  providers: [
    Access,
    Audit,
    Authors,
    Consumers,
    Idempotency,
    { provide: SecretBox, useFactory: (config: Config) => new SecretBox(config.secretsKey), inject: [Config] },
    { provide: AnswerStore, useClass: SqlAnswerStore },
    { provide: AuditStore, useClass: SqlAuditStore },
    { provide: AuthorStore, useClass: SqlAuthorStore },
    { provide: ConsumerStore, useClass: SqlConsumerStore },
  ],
  exports: [Access, Audit, Authors, Consumers, Idempotency, SecretBox],
})
export class AccessModule {}
