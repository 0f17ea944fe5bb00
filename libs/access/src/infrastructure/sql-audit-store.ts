import { Inject, Injectable } from '@nestjs/common';
import { newId, type Scope } from '#kernel';
import { Database } from '#platform';
import { type AuditEntry, AuditStore } from '../application/ports/audit-store';

@Injectable()
export class SqlAuditStore extends AuditStore {
  constructor(@Inject(Database) private readonly database: Database) {
    super();
  }

  override async add(
    entries: readonly AuditEntry[],
    { shelf, author, operation, now }: Pick<Scope, 'shelf' | 'author' | 'operation' | 'now'>,
  ): Promise<void> {
    await this.database.insert(
      'audit',
      ['organisation_id', 'id', 'author_id', 'operation', 'subject', 'subject_key', 'detail'],
      entries.map(({ subject, key, detail }) => [
        shelf.organisation,
        newId(now),
        author?.id ?? null,
        operation,
        subject,
        key,
        JSON.stringify(detail),
      ]),
    );
  }
}
