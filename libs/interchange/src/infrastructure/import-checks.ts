import { Injectable } from '@nestjs/common';
import { joinedRecord, joinedRevisions, type Kind } from '#content';
import { Database, type NewFinding, type RowRange, Verifications } from '#platform';
import { authorOf, IMPORT_STATUSES, type ImportStatus } from '../domain/import';

interface ImportRow {
  id: string;
  status: ImportStatus;
  plan: string | null;
  file_id: string | null;
}

interface RecordRow {
  import_id: string;
  kind: Kind;
  record_id: string;
  before_at: number | null;
  made_at: number;
  reference: string | null;
  made_by: string | null;
  was_before: number | null;
  is_known: number | null;
}

const WITH_PLAN: readonly ImportStatus[] = ['planned', 'applying'];

/** Checks imports: they have their file and their plan, and the revisions that they made exist. */
@Injectable()
export class ImportChecks {
  constructor(
    private readonly database: Database,
    verifications: Verifications,
  ) {
    verifications.add(
      {
        name: 'imports',
        of: { table: 'bank_import', column: 'id', batchSize: 1_000 },
        find: (range) => this.imports(range),
      },
      {
        name: 'records of imports',
        of: { table: 'import_record', column: 'import_id', then: ['kind', 'record_id'], batchSize: 1_000 },
        find: (range) => this.records(range),
      },
    );
  }

  private async imports(range: RowRange): Promise<NewFinding[]> {
    const { sql, parameters } = range.in('i', 'id');
    const rows = await this.database.rows<ImportRow>(
      `SELECT i.id, i.status, i.plan, f.id AS file_id FROM bank_import i
       LEFT JOIN import_file f ON f.organisation_id = i.organisation_id AND f.id = i.file_id
       WHERE ${sql} ORDER BY i.id`,
      parameters,
    );
    return rows.flatMap(({ id, status, plan, file_id }) => {
      const rules: [holds: boolean, found: string, expected: string][] = [
        [IMPORT_STATUSES.includes(status), `its status is ${status}`, `one of ${IMPORT_STATUSES.join(', ')}`],
        [plan !== null || !WITH_PLAN.includes(status), `it is ${status} and has no plan`, 'a plan'],
        [file_id !== null, 'its file is not known', 'the file that was uploaded'],
      ];
      return rules.flatMap(([holds, found, expected]) =>
        holds ? [] : [{ kind: 'import', reference: id, found, expected }],
      );
    });
  }

  private async records(range: RowRange): Promise<NewFinding[]> {
    const { sql, parameters } = range.in('e', 'import_id', 'kind', 'record_id');
    const rows = await this.database.rows<RecordRow>(
      `SELECT e.import_id, e.kind, e.record_id, e.before_at, e.made_at, r.reference,
         m.author_id AS made_by, b.began_at AS was_before, CASE WHEN i.id IS NULL THEN 0 ELSE 1 END AS is_known
       FROM import_record e
       LEFT JOIN bank_import i ON i.organisation_id = e.organisation_id AND i.id = e.import_id
       LEFT JOIN ${joinedRecord('e', 'r')}
       LEFT JOIN ${joinedRevisions('e', 'm')} AND m.began_at = e.made_at
       LEFT JOIN ${joinedRevisions('e', 'b')} AND b.began_at = e.before_at
       WHERE ${sql} ORDER BY e.import_id, e.kind, e.record_id`,
      parameters,
    );
    return rows.flatMap((row) => {
      const { import_id: id, kind, record_id, before_at, made_at, reference, made_by, was_before } = row;
      const rules: [holds: boolean, found: string, expected: string][] = [
        [Number(row.is_known) === 1, `it was written by the import ${id}`, 'an import that exists'],
        [
          made_by === authorOf(id),
          `the import ${id} made its revision ${made_at}`,
          `a revision whose author is ${authorOf(id)}`,
        ],
        [before_at === was_before, `before the import ${id} it had the revision ${before_at}`, 'a revision of it'],
      ];
      return rules.flatMap(([holds, found, expected]) =>
        holds ? [] : [{ kind, reference: reference ?? record_id, found, expected }],
      );
    });
  }
}
