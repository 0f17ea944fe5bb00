import { Injectable } from '@nestjs/common';
import { firstIdAt, newId, type Scope, type Slice } from '#kernel';
import { Conditions, Database, questionMarks } from '#platform';
import {
  type AuditEntry,
  type AuditPart,
  type AuditQuery,
  AuditStore,
  type AuditSubject,
  type KeptEntry,
} from '../application/ports/audit-store';

const COLUMNS = 'id, author_id AS author, operation, subject, subject_key AS "key", detail';

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
    subject: AuditSubject,
    keys: readonly string[],
    limit: number,
    after?: string,
  ): Promise<KeptEntry[]> {
    const conditions = new Conditions();
    conditions.add('organisation_id = ? AND subject = ?', organisation, subject);
    conditions.in('subject_key', keys);
    if (after !== undefined) conditions.add('id > ?', after);
    const rows = await this.database.rows<EntryRow>(
      `SELECT ${COLUMNS} FROM audit
       WHERE ${conditions.text} ORDER BY id LIMIT ${limit}`,
      conditions.parameters,
    );
    return rows.map(entryOf);
  }

  override async newest({ parts, from, to, limit, after }: AuditQuery): Promise<Slice<KeptEntry>> {
    if (parts.length === 0) return { entries: [] };
    const bounds = new Conditions();
    if (from !== undefined) bounds.add('id >= ?', firstIdAt(from));
    if (to !== undefined) bounds.add('id < ?', firstIdAt(to + 1));
    if (after) bounds.add('id < ?', after[0]!);
    // Each part reads its newest ids in the order of an index, so that the statement sorts only these.
    const keys = parts.map((part) => keysOf(part, bounds, limit + 1));
    const rows = await this.database.rows<EntryRow>(
      `SELECT ${COLUMNS} FROM audit JOIN (
         ${keys.map(({ sql }) => sql).join(' UNION ALL ')} ORDER BY id DESC LIMIT ${limit + 1}
       ) newest USING (organisation_id, id) ORDER BY id DESC`,
      keys.flatMap(({ parameters }) => parameters),
    );
    const entries = rows.slice(0, limit).map(entryOf);
    return { entries, ...(rows.length > limit && { after: [entries.at(-1)!.id] }) };
  }

  override async forget(organisation: number, subject: AuditSubject, keys: readonly string[]): Promise<number> {
    return this.database.write(
      `UPDATE audit SET subject_key = ?, detail = ?
       WHERE organisation_id = ? AND subject = ? AND subject_key IN (${questionMarks(keys.length)})`,
      [FORGOTTEN, '{}', organisation, subject, ...keys],
    );
  }
}

function keysOf(part: AuditPart, bounds: Conditions, limit: number) {
  const { organisation, subject, keys, authors, operations, keysIn, authorsIn } = part;
  const conditions = new Conditions();
  conditions.add('organisation_id = ?', organisation);
  if (subject) conditions.add('subject = ?', subject);
  if (keys) conditions.in('subject_key', keys);
  if (operations) conditions.in('operation', operations);
  if (keysIn) conditions.add(`subject_key IN (${keysIn.sql})`, ...keysIn.parameters);
  if (authorsIn) conditions.add(`author_id IN (${authorsIn.sql})`, ...authorsIn.parameters);
  if (authors) {
    const named = new Conditions();
    named.in(
      'author_id',
      authors.filter((id) => id !== null),
    );
    conditions.add(authors.includes(null) ? `(${named.text} OR author_id IS NULL)` : named.text, ...named.parameters);
  }
  conditions.add(bounds.text, ...bounds.parameters);
  return {
    sql: `SELECT * FROM (SELECT organisation_id, id FROM audit WHERE ${conditions.text} ORDER BY id DESC LIMIT ${limit}) part`,
    parameters: conditions.parameters,
  };
}

type EntryRow = Omit<KeptEntry, 'detail'> & { detail: string };

const entryOf = ({ detail, ...entry }: EntryRow): KeptEntry => ({
  ...entry,
  detail: JSON.parse(detail) as KeptEntry['detail'],
});
