import { type Dialect } from '#platform';
import { type TagName } from '../domain/tag';

/** A column for a SELECT on a table with `organisation_id` and `tag_set_id`: all tags of the row, for {@link readTagList}. */
export function tagListColumn({ jsonRows }: Dialect, table: string): string {
  return `(SELECT ${jsonRows('s.position', 'y.name', 't.name')}
    FROM tag_set s
    JOIN tag t ON t.organisation_id = s.organisation_id AND t.id = s.tag_id
    JOIN tag_type y ON y.organisation_id = t.organisation_id AND y.id = t.tag_type_id
    WHERE s.organisation_id = ${table}.organisation_id AND s.id = ${table}.tag_set_id)`;
}

/**
 * The FROM and WHERE clauses of a subquery on the tags of a row with `organisation_id` and `tag_set_id`. `alias` has
 * the columns `tag_id` and `position`.
 */
export function fromTagSet(row: string, alias: string): string {
  return `FROM tag_set ${alias} WHERE ${ofSet(row, alias)}`;
}

/** A JOIN clause for the tags of a row with `organisation_id` and `tag_set_id`. */
export function joinedTagSet(row: string, alias: string): string {
  return `tag_set ${alias} ON ${ofSet(row, alias)}`;
}

const ofSet = (row: string, alias: string): string =>
  `${alias}.organisation_id = ${row}.organisation_id AND ${alias}.id = ${row}.tag_set_id`;

/** Tags in the order in which they were set. */
export function readTagList(column: string | null): TagName[] {
  if (column === null) return [];
  const rows = JSON.parse(column) as [position: number, type: string, name: string][];
  return rows.sort(([a], [b]) => a - b).map(([, type, name]) => ({ type, name }));
}

/** A condition: `tagId` is a tag of the type whose folded name is the only parameter. */
export function tagOfType(organisation: string, tagId: string): string {
  return `${tagId} IN (SELECT t.id FROM tag t JOIN tag_type y ON y.organisation_id = t.organisation_id AND y.id = t.tag_type_id
    WHERE t.organisation_id = ${organisation} AND y.name_key = ?)`;
}

/** Joins the tags of a set as `t`, and their types as `y`. Parameter: the organisation. */
export function tagsOfSet(set: string): string {
  return `JOIN tag_set b ON b.organisation_id = ? AND b.id = ${set}
    JOIN tag t ON t.organisation_id = b.organisation_id AND t.id = b.tag_id
    JOIN tag_type y ON y.organisation_id = t.organisation_id AND y.id = t.tag_type_id`;
}
