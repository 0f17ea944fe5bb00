import { Injectable } from '@nestjs/common';
import { newId, type Scope } from '#kernel';
import { Conditions, Database, questionMarks } from '#platform';
import { type AuditEntry, AuditStore, type KeptEntry } from '../application/ports/audit-store';

interface EntryRow {
  id: string;
  author_id: string | null;
  operation: string;
  subject: AuditEntry['subject'];
  subject_key: string;
  detail: string;
}

/** Replaces an erased name. */
const FORGOTTEN = 'erased';

@Injectable()
export class SqlAuditStore extends AuditStore {
  constructor(private readonly database: Database) {
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

  override async about(
    organisation: number,
    subject: AuditEntry['subject'],
    keys: readonly string[],
    limit: number,
    after?: string,
  ): Promise<KeptEntry[]> {
    const conditions = new Conditions();
    conditions.add('organisation_id = ? AND subject = ?', organisation, subject);
    conditions.in('subject_key', keys);
    if (after !== undefined) conditions.add('id > ?', after);
    const rows = await this.database.rows<EntryRow>(
      `SELECT id, author_id, operation, subject, subject_key, detail FROM audit
       WHERE ${conditions.text} ORDER BY id LIMIT ${limit}`,
      conditions.parameters,
    );
    return rows.map((row) => ({
      id: row.id,
      operation: row.operation,
      author: row.author_id,
      subject: row.subject,
      key: row.subject_key,
      detail: JSON.parse(row.detail) as Record<string, unknown>,
    }));
  }

  override async forget(
    organisation: number,
    subject: AuditEntry['subject'],
    keys: readonly string[],
  ): Promise<number> {
    return this.database.write(
      `UPDATE audit SET subject_key = ?, detail = ?
       WHERE organisation_id = ? AND subject = ? AND subject_key IN (${questionMarks(keys.length)})`,
      [FORGOTTEN, '{}', organisation, subject, ...keys],
    );
  }
}
