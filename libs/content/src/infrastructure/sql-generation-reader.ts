import { Injectable } from '@nestjs/common';
import { Database, type SqlPart } from '#platform';
import { SqlTagSets, tagVersionColumn } from '#tagging';
import {
  type Difference,
  type DifferenceCounts,
  type GenerationRange,
  GenerationReader,
  type PooledEntry,
} from '../application/ports/generation-reader';
import { type Stage } from '../application/ports/pool-content';
import { type Family, type Kind } from '../domain/record';
import { differs, NO_GENERATION, OPEN } from './pool-chunks';

const ENTRY_BATCH_SIZE = 1_000;

@Injectable()
export class SqlGenerationReader extends GenerationReader {
  constructor(
    private readonly database: Database,
    private readonly tagSets: SqlTagSets,
  ) {
    super();
  }

  override async stored({ organisation, pool, generation }: Stage): Promise<Record<Kind, number>> {
    const rows = await this.database.rows<{ kind: Kind; records: number | string }>(
      `SELECT kind, COUNT(*) AS records FROM pool_record
       WHERE organisation_id = ? AND pool_id = ? AND from_generation = ? AND to_generation = ${OPEN} GROUP BY kind`,
      [organisation, pool, generation],
    );
    const counts: Record<Kind, number> = { activity: 0, item: 0, question: 0, feature: 0 };
    for (const { kind, records } of rows) counts[kind] = Number(records);
    return counts;
  }

  override async countDifferences(range: GenerationRange): Promise<DifferenceCounts> {
    const none = () => ({ activity: 0, item: 0, question: 0, feature: 0 });
    const counts: DifferenceCounts = { added: none(), changed: none(), removed: none() };
    const { sql, parameters } = differencesIn(range);
    const rows = await this.database.rows<Omit<DifferenceRow, 'reference'> & { records: number | string }>(
      `SELECT kind, effect, COUNT(*) AS records FROM (${sql}) found GROUP BY kind, effect`,
      parameters,
    );
    for (const { kind, effect, records } of rows) counts[effect][kind] = Number(records);
    return counts;
  }

  override async differences(range: GenerationRange, limit: number): Promise<Difference[]> {
    const { sql, parameters } = differencesIn(range);
    const rows = await this.database.rows<DifferenceRow>(
      `SELECT kind, effect, reference FROM (${sql}) found ORDER BY kind, effect, reference LIMIT ${limit}`,
      parameters,
    );
    return rows.map(({ kind, effect, reference }) => ({ change: effect, kind, reference }));
  }

  override async *entries({
    organisation,
    pool,
    generation,
  }: Pick<Stage, 'organisation' | 'pool' | 'generation'>): AsyncIterable<PooledEntry[]> {
    for (const family of ['activity', 'item', 'widget'] satisfies Family[])
      for (let after: string | undefined = ''; after !== undefined;) {
        const rows: EntryRow[] = await this.database.rows<EntryRow>(
          `SELECT r.kind, r.reference, r.status, d.hash, r.tag_set_id, ${tagVersionColumn('r')} AS tag_version
           FROM pool_record r JOIN document d ON d.organisation_id = r.organisation_id AND d.id = r.document_id
           WHERE r.organisation_id = ? AND r.pool_id = ? AND r.family = ? AND r.reference > ?
             AND r.from_generation <= ? AND r.to_generation > ?
           ORDER BY r.reference LIMIT ${ENTRY_BATCH_SIZE}`,
          [organisation, pool, family, after, generation, generation],
        );
        const sets = new Set(rows.map((row) => row.tag_set_id).filter((id) => id !== null));
        const tags = sets.size > 0 ? await this.tagSets.tagsOf(organisation, sets, rows[0]!.tag_version) : undefined;
        yield rows.map(({ kind, reference, status, hash, tag_set_id: set }) => ({
          kind,
          reference,
          status,
          hash,
          tags: (set !== null && tags?.get(set)) || [],
        }));
        after = rows.length === ENTRY_BATCH_SIZE ? rows.at(-1)!.reference : undefined;
      }
  }
}

/**
 * The records that differ between two generations: the state before their first change in between, beside the state
 * after their last one. Records that were added and removed in between, and those with their former state, do not differ.
 */
function differencesIn({ organisation, pool, from, to }: GenerationRange): SqlPart {
  if (from === NO_GENERATION)
    return {
      sql: `SELECT kind, reference, 'added' AS effect FROM pool_record
        WHERE organisation_id = ? AND pool_id = ? AND from_generation <= ? AND to_generation > ?`,
      parameters: [organisation, pool, to, to],
    };
  const change = (alias: string, generation: string) =>
    `JOIN pool_change ${alias} ON ${alias}.organisation_id = ? AND ${alias}.pool_id = ? AND ${alias}.kind = c.kind
       AND ${alias}.record_id = c.record_id AND ${alias}.generation = c.${generation}`;
  const revision = (alias: string, time: string) =>
    `LEFT JOIN revision ${alias} ON ${alias}.organisation_id = ? AND ${alias}.record_id = c.record_id
       AND ${alias}.began_at = ${time}`;
  return {
    sql: `SELECT c.kind, COALESCE(a.reference, b.reference) AS reference,
        CASE WHEN f.before_at IS NULL THEN 'added' WHEN l.after_at IS NULL THEN 'removed' ELSE 'changed' END AS effect
      FROM (SELECT kind, record_id, MIN(generation) AS earliest, MAX(generation) AS latest FROM pool_change
        WHERE organisation_id = ? AND pool_id = ? AND generation > ? AND generation <= ? GROUP BY kind, record_id) c
      ${change('f', 'earliest')} ${change('l', 'latest')} ${revision('b', 'f.before_at')} ${revision('a', 'l.after_at')}
      WHERE (f.before_at IS NOT NULL OR l.after_at IS NOT NULL)
        AND (f.before_at IS NULL OR l.after_at IS NULL OR ${differs('b', 'a')})`,
    parameters: [organisation, pool, from, to, organisation, pool, organisation, pool, organisation, organisation],
  };
}

interface DifferenceRow {
  kind: Kind;
  /** The change; that word is reserved in SQL. */
  effect: Difference['change'];
  reference: string;
}

interface EntryRow {
  kind: Kind;
  reference: string;
  status: PooledEntry['status'];
  hash: string;
  tag_set_id: string | null;
  tag_version: number | null;
}
