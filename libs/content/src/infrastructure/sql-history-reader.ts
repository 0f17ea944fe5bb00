import { Inject, Injectable } from '@nestjs/common';
import { type JsonText } from '#kernel';
import { Database } from '#platform';
import { readTagList, tagListColumn } from '#tagging';
import { HistoryReader, type Revision } from '../application/ports/history-reader';
import { type Family } from '../domain/record';

interface RevisionRow {
  began_at: number;
  author_id: string | null;
  operation: string;
  reference: string;
  status: string | null;
  hash: string;
  tags: string | null;
  body: JsonText;
  extras: JsonText | null;
}

@Injectable()
export class SqlHistoryReader extends HistoryReader {
  constructor(@Inject(Database) private readonly database: Database) {
    super();
  }

  override async revisions(organisation: number, family: Family, reference: string): Promise<Revision[] | undefined> {
    const rows = await this.database.rows<RevisionRow>(
      `SELECT v.began_at, v.author_id, v.operation, v.reference, v.status, d.hash, d.body, d.extras,
         ${tagListColumn(this.database.dialect, 'v')} AS tags
       FROM bank_record r
       JOIN revision v ON v.organisation_id = r.organisation_id AND v.record_id = r.id
       JOIN document d ON d.organisation_id = v.organisation_id AND d.id = v.document_id
       WHERE r.organisation_id = ? AND r.family = ? AND r.reference = ?
       ORDER BY v.began_at`,
      [organisation, family, reference],
    );
    if (rows.length === 0) return undefined;
    return rows.map((row, index) => ({
      number: index + 1,
      beganAt: row.began_at,
      endedAt: rows[index + 1]?.began_at ?? null,
      author: row.author_id,
      operation: row.operation,
      reference: row.reference,
      status: row.status,
      documentHash: row.hash,
      tags: readTagList(row.tags),
      body: row.body,
      extras: row.extras,
    }));
  }
}
