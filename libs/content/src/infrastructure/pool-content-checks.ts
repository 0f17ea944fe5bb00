import { Injectable } from '@nestjs/common';
import { Database, type NewFinding, type RowRange, Verifications } from '#platform';
import { fromTagSet } from '#tagging';

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

/** Checks the rows that pools show. */
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
