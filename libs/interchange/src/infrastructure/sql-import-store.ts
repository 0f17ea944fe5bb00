import { Injectable } from '@nestjs/common';
import { fromRevisions, joinedRecord, joinedRevisions, type Kind, lastWrites } from '#content';
import { firstIdAt, isId, type Position, type Slice } from '#kernel';
import { Conditions, Database, type Parameter, questionMarks } from '#platform';
import {
  type ImportChange,
  ImportStore,
  type NamedRecord,
  type RecordToRevert,
  type UploadedFile,
} from '../application/ports/import-store';
import {
  authorOf,
  type Import,
  type ImportedRecord,
  type ImportError,
  type Outcome,
  type Totals,
} from '../domain/import';
import { REVERT_IMPORT } from '../domain/operation-names';

type Row = Omit<Import, 'totals' | 'error'> & { totals: string | null; error: string | null };

const IMPORTS = `bank_import i JOIN import_file f ON f.organisation_id = i.organisation_id AND f.id = i.file_id`;
const COLUMNS = `i.id, i.status, i.job_id AS job, i.file_id AS file, f.name, i.format, i.on_collision AS onCollision, i.plan,
  i.totals, i.error, i.changed_at AS changedAt`;

const IMPORT_COLUMNS = [
  'id',
  'status',
  'job_id',
  'file_id',
  'format',
  'on_collision',
  'plan',
  'totals',
  'error',
  'changed_at',
];

const RECORD_KEY = ['organisation_id', 'import_id', 'kind', 'record_id'];

/**
 * A condition: a revision `v` of the record of `e` is later than that of the import, and was not taken back. Reverting an
 * import takes its revisions back. Parameter: name of the reversal.
 */
const CHANGED_LATER = `v.began_at > e.made_at AND v.operation <> ? AND NOT EXISTS (
  SELECT 1 FROM bank_import o
  JOIN import_record u ON u.organisation_id = o.organisation_id AND u.import_id = o.id
    AND u.kind = e.kind AND u.record_id = e.record_id
  WHERE o.organisation_id = e.organisation_id AND o.status IN ('reverting', 'reverted')
    AND u.outcome = 'restored' AND v.began_at > u.before_at AND v.began_at <= u.made_at)`;

@Injectable()
export class SqlImportStore extends ImportStore {
  constructor(private readonly database: Database) {
    super();
  }

  override async addFile(organisation: number, { id, name }: UploadedFile): Promise<void> {
    await this.database.insert('import_file', ['organisation_id', 'id', 'name'], [[organisation, id, name]]);
  }

  override async file(organisation: number, id: string): Promise<UploadedFile | undefined> {
    return this.database.row<UploadedFile>('SELECT id, name FROM import_file WHERE organisation_id = ? AND id = ?', [
      organisation,
      id,
    ]);
  }

  override async add(organisation: number, added: Omit<Import, 'name'>): Promise<void> {
    const { id, status, job, file, format, onCollision, plan, totals, error, changedAt } = added;
    await this.database.insert(
      'bank_import',
      ['organisation_id', ...IMPORT_COLUMNS],
      [[organisation, id, status, job, file, format, onCollision, plan, json(totals), json(error), changedAt]],
    );
  }

  override async find(
    organisation: number,
    { references, limit, after }: { references?: readonly string[]; limit: number; after?: Position },
  ): Promise<Slice<Import>> {
    const conditions = new Conditions();
    conditions.add('i.organisation_id = ?', organisation);
    if (references) conditions.in('i.id', references.filter(isId));
    if (after) conditions.add('i.id < ?', after[0]!);
    const rows = await this.database.rows<Row>(
      `SELECT ${COLUMNS} FROM ${IMPORTS} WHERE ${conditions.text} ORDER BY i.id DESC LIMIT ${limit + 1}`,
      conditions.parameters,
    );
    const entries = rows.slice(0, limit).map(importOf);
    return { entries, after: rows.length > limit ? [entries.at(-1)!.id] : undefined };
  }

  override async lock(organisation: number, id: string): Promise<Import | undefined> {
    const row = await this.database.row<Row>(
      `SELECT ${COLUMNS} FROM ${IMPORTS} WHERE i.organisation_id = ? AND i.id = ? ${this.database.dialect.forUpdate}`,
      [organisation, id],
    );
    return row && importOf(row);
  }

  override async move(
    organisation: number,
    id: string,
    by: string,
    { status, job, format, plan, totals, error }: ImportChange,
    now: number,
  ): Promise<boolean> {
    const set: [column: string, value: Parameter | undefined][] = [
      ['status', status],
      ['job_id', job],
      ['format', format],
      ['plan', plan],
      ['totals', totals === undefined ? undefined : json(totals)],
      ['error', error === undefined ? undefined : json(error)],
      ['changed_at', now],
    ];
    const given = set.filter((each): each is [string, Parameter] => each[1] !== undefined);
    const moved = await this.database.write(
      `UPDATE bank_import SET ${given.map(([column]) => `${column} = ?`).join(', ')}
       WHERE organisation_id = ? AND id = ? AND job_id = ?`,
      [...given.map(([, value]) => value), organisation, id, by],
    );
    return moved === 1;
  }

  override async note(organisation: number, id: string, since: number): Promise<void> {
    const { sql, parameters } = lastWrites(organisation, authorOf(id), since);
    // SQLite needs a WHERE before ON CONFLICT.
    await this.database.write(
      `INSERT INTO import_record (${RECORD_KEY.join(', ')}, before_at, made_at)
       SELECT ?, ?, w.kind, w.record_id, w.before_at, w.made_at FROM (${sql}) w WHERE 1 = 1
       ${this.database.dialect.onDuplicate(RECORD_KEY, ['before_at', 'made_at'])}`,
      [organisation, id, ...parameters],
    );
  }

  override async changed(organisation: number, id: string, limit: number): Promise<NamedRecord[]> {
    return this.database.rows<NamedRecord>(
      `SELECT DISTINCT r.kind, r.reference FROM import_record e
       JOIN ${joinedRevisions('e', 'v')} AND ${CHANGED_LATER}
       JOIN ${joinedRecord('e', 'r')}
       WHERE e.organisation_id = ? AND e.import_id = ? AND e.outcome IS NULL
       ORDER BY r.kind, r.reference LIMIT ${limit}`,
      [REVERT_IMPORT, organisation, id],
    );
  }

  override async pending(
    organisation: number,
    id: string,
    kind: Kind,
    after: string,
    limit: number,
  ): Promise<(RecordToRevert & { isChanged: boolean })[]> {
    const rows = await this.database.rows<RecordToRevert & { is_changed: number }>(
      `SELECT e.kind, e.record_id AS id, e.before_at AS "before", e.made_at AS made, r.reference,
         EXISTS (SELECT 1 ${fromRevisions('e', 'v')} AND ${CHANGED_LATER}) AS is_changed
       FROM import_record e JOIN ${joinedRecord('e', 'r')}
       WHERE e.organisation_id = ? AND e.import_id = ? AND e.kind = ? AND e.record_id > ? AND e.outcome IS NULL
       ORDER BY e.record_id LIMIT ${limit}`,
      [REVERT_IMPORT, organisation, id, kind, after],
    );
    return rows.map(({ is_changed, ...record }) => ({ ...record, isChanged: Number(is_changed) === 1 }));
  }

  override async settle(
    organisation: number,
    id: string,
    settled: readonly (ImportedRecord & { outcome: Outcome })[],
  ): Promise<void> {
    await this.database.insert(
      'import_record',
      [...RECORD_KEY, 'before_at', 'made_at', 'outcome'],
      settled.map(({ kind, id: record, before, made, outcome }) => [
        organisation,
        id,
        kind,
        record,
        before,
        made,
        outcome,
      ]),
      this.database.dialect.onDuplicate(RECORD_KEY, ['outcome']),
    );
  }

  override async outcomes(organisation: number, id: string): Promise<Map<Outcome | null, number>> {
    const rows = await this.database.rows<{ outcome: Outcome | null; count: number | string }>(
      `SELECT outcome, COUNT(*) AS count FROM import_record WHERE organisation_id = ? AND import_id = ? GROUP BY outcome`,
      [organisation, id],
    );
    return new Map(rows.map(({ outcome, count }) => [outcome, Number(count)]));
  }

  override async removeOld(organisation: number, before: number, most: number): Promise<number> {
    return this.database.run(async () => {
      const row = await this.database.row<{ id: string }>(
        `SELECT id FROM bank_import WHERE organisation_id = ? AND changed_at < ? ORDER BY changed_at LIMIT 1
         ${this.database.dialect.forUpdate}`,
        [organisation, before],
      );
      if (!row) return 0;
      const records = await this.database.rows<{ kind: Kind; record_id: string }>(
        `SELECT kind, record_id FROM import_record WHERE organisation_id = ? AND import_id = ? LIMIT ${most}`,
        [organisation, row.id],
      );
      if (records.length === 0)
        return this.database.write('DELETE FROM bank_import WHERE organisation_id = ? AND id = ?', [
          organisation,
          row.id,
        ]);
      const { kind } = records[0]!;
      const ids = records.flatMap((each) => (each.kind === kind ? [each.record_id] : []));
      // Removes the plan first, so that nobody reverts an import that has lost some of its records.
      await this.database.write('UPDATE bank_import SET plan = NULL WHERE organisation_id = ? AND id = ?', [
        organisation,
        row.id,
      ]);
      return this.database.write(
        `DELETE FROM import_record WHERE organisation_id = ? AND import_id = ?
         AND kind = ? AND record_id IN (${questionMarks(ids.length)})`,
        [organisation, row.id, kind, ...ids],
      );
    });
  }

  override async unusedFiles(organisation: number, before: number, limit: number): Promise<string[]> {
    const rows = await this.database.rows<{ id: string }>(
      `SELECT f.id FROM import_file f
       LEFT JOIN bank_import i ON i.organisation_id = f.organisation_id AND i.file_id = f.id
       WHERE f.organisation_id = ? AND f.id < ? AND i.id IS NULL ORDER BY f.id LIMIT ${limit}`,
      [organisation, firstIdAt(before)],
    );
    return rows.map(({ id }) => id);
  }

  override async removeFiles(organisation: number, ids: readonly string[]): Promise<void> {
    await this.database.remove('import_file', { sql: 'organisation_id = ?', parameters: [organisation] }, 'id', ids);
  }

  override async organisations(): Promise<number[]> {
    const rows = await this.database.rows<{ organisation_id: number }>(
      'SELECT DISTINCT organisation_id FROM import_file',
    );
    return rows.map(({ organisation_id }) => organisation_id);
  }
}

const json = (value: object | null): string | null => (value === null ? null : JSON.stringify(value));

function importOf({ totals, error, ...row }: Row): Import {
  return {
    ...row,
    totals: totals === null ? null : (JSON.parse(totals) as Totals),
    error: error === null ? null : (JSON.parse(error) as ImportError),
  };
}
