import { type SqlPart } from '#platform';
import { type Stage } from '../application/ports/pool-content';
import { OPEN } from './pool-chunks';

/** Columns that are null for some records. */
const OPTIONAL = ['status', 'tag_set_id', 'holding_id'];

/** A SELECT of the changes in a stage. `n` is a row that begins in the stage. `o` is a shown row that ends in it. */
export function differencesOf({ organisation, pool, generation }: Stage): SqlPart {
  const same = 'n.organisation_id = o.organisation_id AND n.pool_id = o.pool_id AND n.kind = o.kind AND n.id = o.id';
  const differs = [
    'o.document_id <> n.document_id',
    'o.reference <> n.reference',
    ...OPTIONAL.map((column) => `COALESCE(o.${column}, '') <> COALESCE(n.${column}, '')`),
  ];
  return {
    sql: `SELECT CASE WHEN o.id IS NULL THEN 'added' ELSE 'changed' END AS what, n.kind, n.reference
      FROM pool_record n LEFT JOIN pool_record o ON ${same} AND o.to_generation = ? AND o.from_generation < ?
      WHERE n.organisation_id = ? AND n.pool_id = ? AND n.from_generation = ? AND n.to_generation = ${OPEN}
        AND (o.id IS NULL OR ${differs.join(' OR ')})
      UNION ALL SELECT 'removed' AS what, o.kind, o.reference
      FROM pool_record o LEFT JOIN pool_record n ON ${same} AND n.from_generation = ? AND n.to_generation = ${OPEN}
      WHERE o.organisation_id = ? AND o.pool_id = ? AND o.to_generation = ? AND o.from_generation < ? AND n.id IS NULL`,
    parameters: [
      generation,
      generation,
      organisation,
      pool,
      generation,
      generation,
      organisation,
      pool,
      generation,
      generation,
    ],
  };
}
