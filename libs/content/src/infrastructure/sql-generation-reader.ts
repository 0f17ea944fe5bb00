import { Injectable } from '@nestjs/common';
import { Database, type SqlPart } from '#platform';
import { SqlTagSets, tagVersionColumn } from '#tagging';
import {
  type Difference,
  type DifferenceCounts,
  GenerationReader,
  type PooledEntry,
} from '../application/ports/generation-reader';
import { type Stage } from '../application/ports/pool-content';
import { FAMILY, type Family, type Kind } from '../domain/record';
import { OPEN } from './pool-chunks';

const ENTRY_BATCH_SIZE = 1_000;
/** The order of a list of differences. */
const KINDS: readonly Kind[] = ['activity', 'feature', 'item', 'question'];
const CHANGES: readonly Difference['change'][] = ['added', 'changed', 'removed'];
/** Columns that are null for some records. */
const OPTIONAL = ['status', 'tag_set_id', 'holding_id'];

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

  override async countDifferences(stage: Stage): Promise<DifferenceCounts> {
    const none = () => ({ activity: 0, item: 0, question: 0, feature: 0 });
    const counts: DifferenceCounts = { added: none(), changed: none(), removed: none() };
    for (const change of CHANGES) {
      const { sql, parameters, row } = differencesOf(change, stage);
      const rows = await this.database.rows<{ kind: Kind; records: number | string }>(
        `SELECT ${row}.kind, COUNT(*) AS records ${sql} GROUP BY ${row}.kind`,
        parameters,
      );
      for (const { kind, records } of rows) counts[change][kind] = Number(records);
    }
    return counts;
  }

  override async differences(stage: Stage, counts: DifferenceCounts, limit: number): Promise<Difference[]> {
    const found: Difference[] = [];
    for (const kind of KINDS)
      for (const change of CHANGES) {
        if (counts[change][kind] === 0 || found.length === limit) continue;
        const { sql, parameters, row } = differencesOf(change, stage);
        const rows = await this.database.rows<{ reference: string }>(
          `SELECT ${row}.reference ${sql} AND ${row}.family = ? AND ${row}.kind = ?
           ORDER BY ${row}.reference LIMIT ${limit - found.length}`,
          [...parameters, FAMILY[kind], kind],
        );
        found.push(...rows.map(({ reference }) => ({ change, kind, reference })));
      }
    return found;
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
 * The FROM and WHERE of the records that a stage changes in this way. `n` is a row that begins in the stage, `o` a shown
 * row that ends in it. The conditions of `row`, the one with the record, may be extended.
 */
function differencesOf(
  change: Difference['change'],
  { organisation, pool, generation }: Stage,
): SqlPart & { row: 'n' | 'o' } {
  const same = 'n.organisation_id = o.organisation_id AND n.pool_id = o.pool_id AND n.kind = o.kind AND n.id = o.id';
  const begins = `n.from_generation = ? AND n.to_generation = ${OPEN}`;
  const ends = 'o.to_generation = ? AND o.from_generation < ?';
  const inPool = (row: string) => `${row}.organisation_id = ? AND ${row}.pool_id = ?`;
  if (change === 'removed')
    return {
      row: 'o',
      sql: `FROM pool_record o LEFT JOIN pool_record n ON ${same} AND ${begins}
        WHERE ${inPool('o')} AND ${ends} AND n.id IS NULL`,
      parameters: [generation, organisation, pool, generation, generation],
    };
  const differs = [
    'o.document_id <> n.document_id',
    'o.reference <> n.reference',
    ...OPTIONAL.map((column) => `COALESCE(o.${column}, '') <> COALESCE(n.${column}, '')`),
  ];
  const [join, condition] = change === 'added' ? ['LEFT JOIN', 'o.id IS NULL'] : ['JOIN', `(${differs.join(' OR ')})`];
  return {
    row: 'n',
    sql: `FROM pool_record n ${join} pool_record o ON ${same} AND ${ends}
      WHERE ${inPool('n')} AND ${begins} AND ${condition}`,
    parameters: [generation, generation, organisation, pool, generation],
  };
}

interface EntryRow {
  kind: Kind;
  reference: string;
  status: PooledEntry['status'];
  hash: string;
  tag_set_id: string | null;
  tag_version: number | null;
}
