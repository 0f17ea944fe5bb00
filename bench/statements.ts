import { ORGANISATION } from './seed';

/** The statements of the floor and of the spike. Each is the smallest statement that answers a request. */

const BANK = `organisation_id = ${ORGANISATION}`;
const ITEM = (alias: string): string => `${alias}.${BANK} AND ${alias}.kind = 'item'`;

/** An aggregate over the tags of a record `r`. */
export const tagsOf = (aggregate: string): string => `(SELECT ${aggregate}
  FROM tag_set
  JOIN tag ON tag.organisation_id = tag_set.organisation_id AND tag.id = tag_set.tag_id
  JOIN tag_type ON tag_type.organisation_id = tag.organisation_id AND tag_type.id = tag.tag_type_id
  WHERE tag_set.organisation_id = r.organisation_id AND tag_set.id = r.tag_set_id)`;

/** JSON text of the list of all `[type, name]` in order; needs {@link LONG_LISTS}. */
export const TAG_LIST = tagsOf(
  "CONCAT('[', GROUP_CONCAT(JSON_ARRAY(tag_type.name, tag.name) ORDER BY tag_set.position), ']')",
);

/** MySQL truncates lists at 1,024 bytes by default. */
export const LONG_LISTS = 'SET SESSION group_concat_max_len = 1000000';

/** The tags as unordered rows `[type, name, position]`. On MariaDB every such statement makes a temporary file. */
export const TAG_ROWS = tagsOf('JSON_ARRAYAGG(JSON_ARRAY(tag_type.name, tag.name, tag_set.position))');

export const DOCUMENT = 'JOIN document d ON d.organisation_id = r.organisation_id AND d.id = r.document_id';

export const COLUMNS = (tags: string): string =>
  `r.id, r.reference, r.status, d.body${tags ? `, ${tags} AS tags` : ''}`;

export const marks = (count: number): string => new Array<string>(count).fill('?').join(', ');

/** Parameters: the references. */
export const itemsByReference = (count: number, tags = TAG_LIST): string => `SELECT ${COLUMNS(tags)}
  FROM bank_record r ${DOCUMENT}
  WHERE r.${BANK} AND r.family = 'item' AND r.reference IN (${marks(count)})
  ORDER BY r.id DESC LIMIT 51`;

/** Finds the records with a tag; parameter of each: the id of the tag. */
export interface TagSearch {
  hint?: string;
  /** The table whose rows give the order. */
  order?: 'a' | 'b';
  none?: 'left join' | 'not exists';
  /** The expression for a tag. */
  tag?: string;
}

const carries = (alias: string, tag: string): string =>
  `${ITEM(alias)} AND ${alias}.tag_id = ${tag} AND ${alias}.record_id = a.record_id`;

/** The newest 51 records with two tags and without a third. Parameters as ordered by `tagParameters`. */
export function recordsByTags({ hint = '', order = 'a', none = 'left join', tag = '?' }: TagSearch = {}): string {
  const leftJoin = none === 'left join';
  return `SELECT ${hint} ${order}.record_id AS id
    FROM bank_tag a
    JOIN bank_tag b ON ${carries('b', tag)}
    ${leftJoin ? `LEFT JOIN bank_tag x ON ${carries('x', tag)}` : ''}
    WHERE ${leftJoin ? 'x.tag_id IS NULL' : `NOT EXISTS (SELECT 1 FROM bank_tag x WHERE ${carries('x', tag)})`}
      AND ${ITEM('a')} AND a.tag_id = ${tag}
    ORDER BY ${order}.record_id DESC LIMIT 51`;
}

/** Orders parameters for {@link recordsByTags}. */
export const tagParameters = <T>([first, second]: readonly T[], forbidden: T): T[] => [second!, forbidden, first!];

/** A page of the records that `records` finds. Joins bodies only for its entries. */
export const itemsOf = (records: string, tags = TAG_LIST): string => `SELECT ${COLUMNS(tags)}
  FROM (${records}) page
  JOIN bank_record r ON ${ITEM('r')} AND r.id = page.id ${DOCUMENT}
  ORDER BY page.id DESC`;

/** The id of a tag; parameters: the folded name of the tag, then of its type. */
export const TAG_BY_NAME = `(SELECT t.id FROM tag_type y
  JOIN tag t ON t.organisation_id = y.organisation_id AND t.tag_type_id = y.id AND t.name_key = ?
  WHERE y.${BANK} AND y.name_key = ?)`;

/**
 * A page of all items in an order, from the start or after a position; parameters: the position as `afterParameters`.
 */
export function itemsInOrder(column: 'id' | 'updated_at' | 'title_key', isLater: boolean): string {
  const columns = column === 'id' ? ['id'] : [column, 'id'];
  const later = column === 'id' ? 'r.id < ?' : `(r.${column} < ? OR (r.${column} = ? AND r.id < ?))`;
  return `SELECT ${COLUMNS(TAG_LIST)} FROM bank_record r ${DOCUMENT}
    WHERE ${ITEM('r')} ${isLater ? `AND ${later}` : ''}
    ORDER BY ${columns.map((name) => `r.${name} DESC`).join(', ')} LIMIT 51`;
}
