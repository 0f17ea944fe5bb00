import { type Database, type SqlPart } from '#platform';
import { type Part, type Stage } from '../application/ports/pool-content';
import { type Kind } from '../domain/record';

/* Shared parts of the statements that fill pools. */

/** The end of rows that are still valid. */
export const OPEN = 2_147_483_647;

/** The generation of a pool before its first fill. */
export const NO_GENERATION = 0;

/** Sorts after every id. */
const LAST_ID = '~';

/** The condition that readers see a difference between two states of a record. Equal documents may have two ids. */
export function differs(before: string, after: string): string {
  const hash = (state: string) => `(SELECT d.hash FROM document d
    WHERE d.organisation_id = ${state}.organisation_id AND d.id = ${state}.document_id)`;
  return `(${before}.reference <> ${after}.reference
    OR (${before}.document_id <> ${after}.document_id AND ${hash(before)} <> ${hash(after)})
    OR COALESCE(${before}.tag_set_id, '') <> COALESCE(${after}.tag_set_id, '')
    OR COALESCE(${before}.holding_id, '') <> COALESCE(${after}.holding_id, ''))`;
}

/** Joins the selected revision `v` of a row `p` of `pool_pick`. */
export const REVISION = `JOIN revision v ON v.organisation_id = p.organisation_id AND v.record_id = p.record_id
  AND v.began_at = p.began_at`;

/** The same condition for a row of `pool_pick` in an UPDATE. */
export const OF_THE_PICK = `v.organisation_id = pool_pick.organisation_id AND v.record_id = pool_pick.record_id
  AND v.began_at = pool_pick.began_at`;

/** Joins what a revision `v` held. */
export const HELD = 'JOIN holding l ON l.organisation_id = v.organisation_id AND l.id = v.holding_id';

/**
 * Joins the revision `w` of a record `b` of a kind, held by `l`, at a moment. Parameters: the kind, the moment twice.
 */
export const HELD_REVISION = `JOIN bank_record b ON b.organisation_id = l.organisation_id AND b.kind = ? AND b.id = l.held_id
  JOIN revision w ON w.organisation_id = b.organisation_id AND w.record_id = b.id
    AND w.began_at = CASE WHEN b.updated_at <= ? THEN b.updated_at ELSE (SELECT MAX(m.began_at) FROM revision m
      WHERE m.organisation_id = b.organisation_id AND m.record_id = b.id AND m.began_at <= ?) END`;

/** Consecutive records of a kind. */
export interface Chunk {
  kind: Kind;
  part: Part;
  /** The condition that a row of `table` belongs to the chunk. */
  in(table: string, id?: string): SqlPart;
}

/** The next `limit` rows of a kind after an id, or all that are left. */
export async function chunkOf(
  database: Database,
  table: 'pool_record' | 'pool_pick',
  { organisation, pool }: Stage,
  kind: Kind,
  after: string | undefined,
  limit: number,
): Promise<Chunk> {
  const column = table === 'pool_record' ? 'id' : 'record_id';
  const row = await database.row<{ count: number | string; last: string | null }>(
    `SELECT COUNT(*) AS count, MAX(id) AS last FROM (SELECT ${column} AS id FROM ${table}
      WHERE organisation_id = ? AND pool_id = ? AND kind = ? AND ${column} > ? ORDER BY ${column} LIMIT ${limit}) chunk`,
    [organisation, pool, kind, after ?? ''],
  );
  const count = Number(row!.count);
  const last = count === limit ? row!.last! : undefined;
  return {
    kind,
    part: { count, after: last },
    in: (of, id = 'record_id') => ({
      sql: `${of}.organisation_id = ? AND ${of}.pool_id = ? AND ${of}.kind = ? AND ${of}.${id} > ? AND ${of}.${id} <= ?`,
      parameters: [organisation, pool, kind, after ?? '', last ?? LAST_ID],
    }),
  };
}
