import { questionMarks, type SqlPart } from '#platform';
import { FAMILY, type Kind } from '../domain/record';

/*
 * SQL for other contexts that join records of the bank with their own rows. Their rows identify a record by
 * `organisation_id`, `kind` and `record_id`.
 */

/** For JOIN: the record of a row. `alias` has the columns `id`, `kind` and `reference`. */
export function joinedRecord(row: string, alias: string): string {
  return `bank_record ${alias} ON ${alias}.organisation_id = ${row}.organisation_id AND ${alias}.kind = ${row}.kind
    AND ${alias}.id = ${row}.record_id`;
}

/** For JOIN: the revisions of a row's record. `alias` has the columns `began_at`, `author_id` and `operation`. */
export function joinedRevisions(row: string, alias: string): string {
  return `revision ${alias} ON ${ofRecord(row, alias)}`;
}

/** The revisions of a row's record, as FROM and WHERE of a subquery. */
export function fromRevisions(row: string, alias: string): string {
  return `FROM revision ${alias} WHERE ${ofRecord(row, alias)}`;
}

const ofRecord = (row: string, alias: string): string =>
  `${alias}.organisation_id = ${row}.organisation_id AND ${alias}.record_id = ${row}.record_id`;

/**
 * A SELECT of the records whose latest revision is by this author and not older than `since`. Columns: `kind`,
 * `record_id`, `made_at`, and `before_at` with the latest revision by others, if there is one.
 */
export function lastWrites(organisation: number, author: string, since: number): SqlPart {
  const kinds = Object.keys(FAMILY) as Kind[];
  return {
    sql: `SELECT r.kind, r.id AS record_id, r.updated_at AS made_at,
        (SELECT MAX(v.began_at) FROM revision v WHERE v.organisation_id = r.organisation_id AND v.record_id = r.id
          AND (v.author_id IS NULL OR v.author_id <> ?)) AS before_at
      FROM bank_record r
      WHERE r.organisation_id = ? AND r.kind IN (${questionMarks(kinds.length)}) AND r.updated_at >= ? AND r.updated_by = ?
      ORDER BY r.kind, r.id`,
    parameters: [author, organisation, ...kinds, since, author],
  };
}

/**
 * For JOIN: the tags of the items and activities that a pool shows.
 * @param pool alias of rows with the `organisation_id`, `id` and `generation` of pools.
 * @param alias has the column `tag_id`.
 */
export function joinedPoolTags(pool: string, alias: string): string {
  return `pool_tag ${alias} ON ${alias}.organisation_id = ${pool}.organisation_id AND ${alias}.pool_id = ${pool}.id
      AND ${alias}.kind IN ('item', 'activity')
    JOIN pool_record ${alias}_record ON ${alias}_record.organisation_id = ${alias}.organisation_id
      AND ${alias}_record.pool_id = ${alias}.pool_id AND ${alias}_record.kind = ${alias}.kind
      AND ${alias}_record.id = ${alias}.record_id AND ${alias}_record.from_generation = ${alias}.from_generation
      AND ${alias}_record.from_generation <= ${pool}.generation AND ${alias}_record.to_generation > ${pool}.generation`;
}
