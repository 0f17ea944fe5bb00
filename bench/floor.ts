/**
 * The floor: the minimum cost of the three requests of the bench. A bare `node:http` server over `mysql2` reads the
 * same form bodies, runs minimal SQL over the same rows and gives the same answers. It checks neither signature nor
 * input, keeps no history, and knows no other request. bench/api.ts runs it as a process.
 */
import { type RowDataPacket } from 'mysql2/promise';
import { foldCase, idOfList, newId } from '#kernel';
import { field, rowsOf, seconds, serve, transaction } from './floor-server';
import { ORGANISATION } from './seed';
import { itemsByReference, itemsByTags, marks, tagParameters } from './statements';

interface ItemRow extends RowDataPacket {
  id: string;
  reference: string;
  status: string;
  body: string;
  tags: string | null;
}

interface TagName {
  type: string;
  name: string;
}

interface Item {
  reference: string;
  title: string;
  status: string;
  tags: Record<string, string[]>;
}

interface Request {
  references?: string[];
  advanced_tags?: { all: TagName[]; none: TagName[] };
  items?: Item[];
}

serve((_path, body) => answer(body));

async function answer(body: string): Promise<string> {
  const { references, advanced_tags, items } = JSON.parse(field(body, 'request')) as Request;
  if (references) return page(await read(itemsByReference(references.length), references));
  if (advanced_tags)
    return page(await read(itemsByTags, tagParameters(advanced_tags.all, advanced_tags.none[0]!).flatMap(keysOf)));
  await set(items!);
  return `{"meta":{"status":true,"timestamp":${seconds()}},"data":[]}`;
}

const keysOf = ({ type, name }: TagName): string[] => [foldCase(name), foldCase(type)];

const read = (sql: string, parameters: string[]) => rowsOf<ItemRow>(sql, parameters);

function page(rows: ItemRow[]): string {
  const shown = rows.slice(0, 50);
  const next = rows.length > 50 ? `,"next":"${shown[49]!.id}"` : '';
  return `{"meta":{"status":true,"timestamp":${seconds()},"records":${shown.length}${next}},"data":[${shown.map(itemText).join(',')}]}`;
}

function itemText({ reference, status, body, tags }: ItemRow): string {
  const types: Record<string, string[]> = {};
  for (const [type, name] of JSON.parse(tags ?? '[]') as [string, string][]) (types[type] ??= []).push(name);
  return `{"reference":${JSON.stringify(reference)},"status":"${status}",${body.slice(1, -1)},"tags":${JSON.stringify(types)},"workflow":null}`;
}

/** Replaces bodies, rows and tags in one transaction, in key order. */
async function set(items: Item[]): Promise<void> {
  items.sort((a, b) => (a.reference < b.reference ? -1 : 1));
  const tagIds = await readTagIds(items);
  const now = Date.now();
  await transaction(async (connection) => {
    const [stored] = await connection.query<RowDataPacket[]>(
      `SELECT r.reference, r.id, r.document_id, (SELECT GROUP_CONCAT(s.tag_id) FROM tag_set s
         WHERE s.organisation_id = r.organisation_id AND s.id = r.tag_set_id) AS tags
       FROM bank_record r WHERE r.organisation_id = ? AND r.family = 'item' AND r.reference IN (${marks(items.length)})
       ORDER BY r.reference FOR UPDATE`,
      [ORGANISATION, ...items.map(({ reference }) => reference)],
    );
    const found = new Map(stored.map((row) => [row.reference as string, row]));
    const documents: unknown[][] = [];
    const records: unknown[][] = [];
    const members = new Map<string, unknown[][]>();
    const removed: string[][] = [];
    const added: string[][] = [];
    for (const { reference, status, tags: types, ...body } of items) {
      const row = found.get(reference) ?? { id: newId(now), document_id: newId(now), tags: null };
      const tags = Object.entries(types).flatMap(([type, names]) =>
        names.map((name) => tagIds.get(keyOf({ type, name }))!),
      );
      const set = idOfList(tags);
      const before = new Set((row.tags as string | null)?.split(','));
      documents.push([ORGANISATION, row.document_id, '', JSON.stringify(body)]);
      records.push([
        ORGANISATION,
        'item',
        row.id,
        'item',
        reference,
        foldCase(body.title),
        status,
        row.document_id,
        set,
        now,
      ]);
      members.set(
        set,
        tags.map((tag, position) => [ORGANISATION, set, position, tag]),
      );
      for (const tag of tags) if (!before.delete(tag)) added.push([tag, row.id as string]);
      for (const tag of before) removed.push([tag, row.id as string]);
    }
    const insert = (table: string, rows: unknown[][], tail: string) =>
      rows.length > 0 && connection.query(`INSERT INTO ${table} VALUES ? ON DUPLICATE KEY UPDATE ${tail}`, [rows]);
    await insert('document (organisation_id, id, hash, body)', documents, 'body = VALUES(body)');
    await insert(
      'bank_record (organisation_id, kind, id, family, reference, title_key, status, document_id, tag_set_id, updated_at)',
      records,
      'title_key = VALUES(title_key), status = VALUES(status), tag_set_id = VALUES(tag_set_id), updated_at = VALUES(updated_at)',
    );
    const [sets] = await connection.query<RowDataPacket[]>(
      `SELECT id FROM tag_set WHERE organisation_id = ? AND position = 0 AND id IN (${marks(members.size)})`,
      [ORGANISATION, ...members.keys()],
    );
    for (const { id } of sets) members.delete(id as string);
    await insert('tag_set (organisation_id, id, position, tag_id)', [...members.values()].flat(), 'id = VALUES(id)');
    if (removed.length > 0)
      await connection.query(
        `DELETE FROM bank_tag WHERE organisation_id = ${ORGANISATION} AND kind = 'item' AND (${removed.map(() => '(tag_id = ? AND record_id = ?)').join(' OR ')})`,
        removed.flat(),
      );
    await insert(
      'bank_tag (organisation_id, kind, tag_id, record_id)',
      added.sort().map((row) => [ORGANISATION, 'item', ...row]),
      'kind = VALUES(kind)',
    );
  });
}

const keyOf = ({ type, name }: TagName): string => `${foldCase(type)}:${foldCase(name)}`;

async function readTagIds(items: Item[]): Promise<Map<string, string>> {
  const names = new Set(items.flatMap(({ tags }) => Object.values(tags).flat().map(foldCase)));
  const rows = await rowsOf(
    `SELECT t.id, y.name_key AS type, t.name_key AS name FROM tag_type y
     JOIN tag t ON t.organisation_id = y.organisation_id AND t.tag_type_id = y.id AND t.name_key IN (${marks(names.size)})
     WHERE y.organisation_id = ?`,
    [...names, ORGANISATION],
  );
  return new Map(rows.map(({ id, type, name }) => [`${type}:${name}`, id as string]));
}
