import { ORGANISATION } from './seed';

/** The statements of the floor. Each is the smallest statement that answers a request. */

const BANK = `organisation_id = ${ORGANISATION}`;
const ITEM = (alias: string): string => `${alias}.${BANK} AND ${alias}.kind = 'item'`;

/** JSON text of the list of all `[type, name]` in order; needs {@link LONG_LISTS}. */
const TAG_LIST = `(SELECT CONCAT('[', GROUP_CONCAT(JSON_ARRAY(tag_type.name, tag.name) ORDER BY tag_set.position), ']')
  FROM tag_set
  JOIN tag ON tag.organisation_id = tag_set.organisation_id AND tag.id = tag_set.tag_id
  JOIN tag_type ON tag_type.organisation_id = tag.organisation_id AND tag_type.id = tag.tag_type_id
  WHERE tag_set.organisation_id = r.organisation_id AND tag_set.id = r.tag_set_id)`;

/** MySQL truncates lists at 1,024 bytes by default. */
export const LONG_LISTS = 'SET SESSION group_concat_max_len = 1000000';

const DOCUMENT = 'JOIN document d ON d.organisation_id = r.organisation_id AND d.id = r.document_id';

const COLUMNS = `r.id, r.reference, r.status, d.body, ${TAG_LIST} AS tags`;

export const marks = (count: number): string => new Array<string>(count).fill('?').join(', ');

/** Parameters: the references. */
export const itemsByReference = (count: number): string => `SELECT ${COLUMNS}
  FROM bank_record r ${DOCUMENT}
  WHERE r.${BANK} AND r.family = 'item' AND r.reference IN (${marks(count)})
  ORDER BY r.id DESC LIMIT 51`;

/** The id of a tag; parameters: the folded name of the tag, then of its type. */
const TAG_BY_NAME = `(SELECT t.id FROM tag_type y
  JOIN tag t ON t.organisation_id = y.organisation_id AND t.tag_type_id = y.id AND t.name_key = ?
  WHERE y.${BANK} AND y.name_key = ?)`;

const carries = (alias: string): string =>
  `${ITEM(alias)} AND ${alias}.tag_id = ${TAG_BY_NAME} AND ${alias}.record_id = a.record_id`;

/** A page of the newest 51 items with two tags and without a third. Parameters as ordered by `tagParameters`. */
export const itemsByTags = `SELECT ${COLUMNS}
  FROM (SELECT a.record_id AS id
    FROM bank_tag a
    JOIN bank_tag b ON ${carries('b')}
    LEFT JOIN bank_tag x ON ${carries('x')}
    WHERE x.tag_id IS NULL AND ${ITEM('a')} AND a.tag_id = ${TAG_BY_NAME}
    ORDER BY a.record_id DESC LIMIT 51) page
  JOIN bank_record r ON ${ITEM('r')} AND r.id = page.id ${DOCUMENT}
  ORDER BY page.id DESC`;

/** Orders parameters for {@link itemsByTags}. */
export const tagParameters = <T>([first, second]: readonly T[], forbidden: T): T[] => [second!, forbidden, first!];
