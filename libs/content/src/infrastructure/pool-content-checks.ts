import { Injectable } from '@nestjs/common';
import { Database, type NewFinding, type RowRange, Verifications } from '#platform';
import { fromTagSet } from '#tagging';
import { joinedRecord, joinedRevisions } from './record-sql';

/** The largest number of findings in one range. The check leaves out further ones. */
const MAX_FINDINGS = 1_000;

interface EntryRow {
  pool_id: string;
  kind: string;
  reference: string;
  problem: 'revision' | 'document' | 'tags';
}

const EXPECTED: Record<EntryRow['problem'], string> = {
  revision: 'a revision of its record with the same reference, document, tags and held records',
  document: 'a document that exists',
  tags: 'a row in pool_tag for each tag of its tag set, and no other',
};

const FOUND: Record<EntryRow['problem'], string> = {
  revision: 'equals no revision',
  document: 'has no document',
  tags: 'is found by other tags than it has',
};

interface ChangeRow {
  pool_id: string;
  kind: string;
  record_id: string;
  reference: string | null;
  generation: number;
  before_at: number | null;
  after_at: number | null;
}

/** Checks the rows that pools show, and what their fills changed. */
@Injectable()
export class PoolContentChecks {
  constructor(
    private readonly database: Database,
    verifications: Verifications,
  ) {
    verifications.add({
      name: 'pool entries',
      of: { table: 'pool_record', column: 'pool_id', batchSize: 5_000 },
      find: (range) => this.entries(range),
    });
    verifications.add({
      name: 'changes of pools',
      of: { table: 'pool_change', column: 'pool_id', then: ['kind', 'record_id', 'generation'], batchSize: 5_000 },
      find: (range) => this.changes(range),
    });
  }

  private async changes(range: RowRange): Promise<NewFinding[]> {
    const { sql, parameters } = range.in('c', 'pool_id', 'kind', 'record_id', 'generation');
    const rows = await this.database.rows<ChangeRow>(
      `SELECT c.pool_id, c.kind, c.record_id, c.generation, c.before_at, c.after_at, r.reference
       FROM pool_change c
       LEFT JOIN ${joinedRecord('c', 'r')}
       LEFT JOIN ${joinedRevisions('c', 'b')} AND b.began_at = c.before_at
       LEFT JOIN ${joinedRevisions('c', 'a')} AND a.began_at = c.after_at
       WHERE ${sql} AND ((c.before_at IS NOT NULL AND b.began_at IS NULL)
         OR (c.after_at IS NOT NULL AND a.began_at IS NULL) OR (c.before_at IS NULL AND c.after_at IS NULL))
       ORDER BY c.pool_id, c.kind, c.record_id, c.generation LIMIT ${MAX_FINDINGS}`,
      parameters,
    );
    return rows.map(({ pool_id: pool, kind, record_id, reference, generation, before_at, after_at }) => ({
      kind,
      reference: reference ?? record_id,
      found: `the fill ${generation} of the pool with the id ${pool} changed it from the revision ${before_at} to ${after_at}`,
      expected: 'revisions of it, or null on one side',
    }));
  }

  private async entries(range: RowRange): Promise<NewFinding[]> {
    const { isSame } = this.database.dialect;
    const { sql, parameters } = range.in('p', 'pool_id');
    const same = ['reference', 'document_id', 'tag_set_id', 'holding_id'].map((name) =>
      isSame(`p.${name}`, `v.${name}`),
    );
    const carried = `SELECT 1 FROM pool_tag c WHERE c.organisation_id = p.organisation_id AND c.pool_id = p.pool_id
      AND c.kind = p.kind AND c.record_id = p.id AND c.from_generation = p.from_generation`;
    const member = `SELECT 1 ${fromTagSet('p', 's')}`;
    const rows = await this.database.rows<EntryRow>(
      `SELECT * FROM (
         SELECT p.pool_id, p.kind, p.reference, CASE
           WHEN v.record_id IS NULL OR NOT (${same.join(' AND ')}) THEN 'revision'
           WHEN d.id IS NULL THEN 'document'
           WHEN EXISTS (${member} AND NOT EXISTS (${carried} AND c.tag_id = s.tag_id))
             OR EXISTS (${carried} AND NOT EXISTS (${member} AND s.tag_id = c.tag_id)) THEN 'tags'
           END AS problem
         FROM pool_record p
         LEFT JOIN revision v ON v.organisation_id = p.organisation_id AND v.record_id = p.id
           AND v.began_at = p.updated_at
         LEFT JOIN document d ON d.organisation_id = p.organisation_id AND d.id = p.document_id
         WHERE ${sql}) entry
       WHERE problem IS NOT NULL ORDER BY pool_id, kind, reference LIMIT ${MAX_FINDINGS}`,
      parameters,
    );
    return rows.map(({ pool_id: pool, kind, reference, problem }) => ({
      kind,
      reference,
      found: `in the pool with the id ${pool} it ${FOUND[problem]}`,
      expected: EXPECTED[problem],
    }));
  }
}
