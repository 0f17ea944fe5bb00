import { type SqlPart } from '#platform';
import { type Difference, type Stage } from '../application/ports/pool-content';
import { OPEN } from './pool-chunks';

/** Columns that are null for some records. */
const OPTIONAL = ['status', 'tag_set_id', 'holding_id'];

/**
 * The FROM and WHERE of the records that a stage changes in this way. `n` is a row that begins in the stage, `o` a shown
 * row that ends in it. The conditions of `row`, the one with the record, may be extended.
 */
export function differencesOf(
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
