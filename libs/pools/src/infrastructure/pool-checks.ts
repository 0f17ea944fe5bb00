import { Injectable } from '@nestjs/common';
import { GenerationReader } from '#content';
import { timeOf } from '#kernel';
import { Database, misplaced, type NewFinding, type RowRange, Verifications } from '#platform';
import { SqlTagSets } from '#tagging';
import { contentHash } from '../domain/content-hash';

interface PoolRow {
  id: string;
  reference: string;
  generation: number;
  content_hash: string;
  filled_by: string;
  fill_hash: string | null;
}

/** Checks that each pool shows the content of its last fill. */
@Injectable()
export class PoolChecks {
  constructor(
    private readonly database: Database,
    private readonly generations: GenerationReader,
    private readonly tagSets: SqlTagSets,
    verifications: Verifications,
  ) {
    verifications.add({
      name: 'pools',
      of: { table: 'pool', column: 'id', batchSize: 10 },
      find: (range) => this.pools(range),
    });
  }

  private async pools(range: RowRange): Promise<NewFinding[]> {
    const { organisation } = range;
    const { sql, parameters } = range.in('p', 'id');
    const rows = await this.database.rows<PoolRow>(
      `SELECT p.id, p.reference, p.generation, p.content_hash, p.filled_by, f.content_hash AS fill_hash FROM pool p
       LEFT JOIN pool_fill f ON f.organisation_id = p.organisation_id AND f.pool_id = p.id AND f.generation = p.generation
       WHERE ${sql} AND p.content_hash IS NOT NULL ORDER BY p.id`,
      parameters,
    );
    const renamedAt = await this.tagSets.lastRename(organisation);
    const findings = await misplaced(this.database, range, 'pool', 'reference');
    for (const { id: pool, reference, generation, content_hash: expected, filled_by: job, fill_hash } of rows) {
      // A process of an earlier release keeps no fill.
      if (fill_hash !== null && fill_hash !== expected)
        findings.push({
          kind: 'pool',
          reference,
          found: `its last fill has the SHA-256 ${fill_hash}`,
          expected: `the SHA-256 ${expected}, which was stored when it was filled`,
        });
      // The hash covers the names of tags. Once a name has changed its case, the hash cannot be computed again.
      if (renamedAt >= timeOf(job)) continue;
      const hash = await contentHash(this.generations.entries({ organisation, pool, generation }));
      if (hash !== expected)
        findings.push({
          kind: 'pool',
          reference,
          found: `its content has the SHA-256 ${hash}`,
          expected: `the SHA-256 ${expected}, which was stored when it was filled`,
        });
    }
    return findings;
  }
}
