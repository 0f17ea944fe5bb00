import { Inject, Injectable } from '@nestjs/common';
import { Fault, type JsonText, type Shelf, type Slice, timeOf } from '#kernel';
import { Database, type Parameter } from '#platform';
import { SqlTagSets, Tags, tagVersionColumn } from '#tagging';
import { type RecordQuery, ShelfReader } from '../application/ports/shelf-reader';
import { type Status, type StoredRecord } from '../domain/record';
import { Conditions, recordConditions, type SqlPart } from './conditions';
import { Order, type Place } from './order';
import { SqlTagFilter, type TagPlan } from './sql-tag-filter';

interface StoredRow {
  id: string;
  reference: string;
  type: string | null;
  status: Status | null;
  body: JsonText;
  extras: JsonText | null;
  tag_set_id: string | null;
  tag_version: number | null;
  created_by: string | null;
  updated_by: string | null;
  updated_at: number;
  sort_key: Parameter;
  as_of: number | null;
  holder?: string;
  holder_id?: string;
}

const COLUMNS = `r.id, r.reference, r.type, r.status, d.body, d.extras, r.created_by, r.updated_by,
  r.updated_at, r.tag_set_id, ${tagVersionColumn('r')} AS tag_version`;

/** The latest change of a kind: what the first page of a list has seen. */
const LATEST = '(SELECT MAX(m.updated_at) FROM bank_record m WHERE m.organisation_id = ? AND m.kind = ?)';

/** The revision that a record `r` had at a moment. */
const REVISION_THEN = `revision v ON v.organisation_id = r.organisation_id AND v.record_id = r.id
  AND v.began_at = (SELECT MAX(p.began_at) FROM revision p
    WHERE p.organisation_id = r.organisation_id AND p.record_id = r.id AND p.began_at <= ?)`;

@Injectable()
export class SqlShelfReader extends ShelfReader {
  private readonly filter: SqlTagFilter;

  constructor(
    @Inject(Database) private readonly database: Database,
    @Inject(Tags) tags: Tags,
    @Inject(SqlTagSets) private readonly tagSets: SqlTagSets,
  ) {
    super();
    this.filter = new SqlTagFilter(database, tags);
  }

  override async find(shelf: Shelf, query: RecordQuery): Promise<Slice<StoredRecord>> {
    refusePool(shelf);
    const { organisation } = shelf;
    const tags = await this.filter.plan(organisation, query);
    if (tags === 'nothing') return { entries: [] };
    const order = new Order(query.sort);
    const after = query.after && order.place(query.after);
    const read = (moved: boolean) =>
      this.read(organisation, query, order, this.page(organisation, query, order, after, tags, moved));
    let rows = await read(false);
    // Nothing changed since the first page, as mostly: the records stand where they stood.
    const unmoved = !order.key || !after || (rows.length > 0 && (rows[0]!.as_of ?? 0) <= (after.asOf ?? 0));
    if (!unmoved) rows = await read(true);
    return this.slice(organisation, rows, query, order, after, (_row, record) => record);
  }

  override async findHeld(shelf: Shelf, query: RecordQuery, holders: readonly string[]) {
    refusePool(shelf);
    const { organisation } = shelf;
    const order = new Order(query.sort);
    const after = query.after && order.place(query.after);
    const key = this.keyOf(order, after);
    const conditions = new Conditions();
    conditions.add("h.organisation_id = ? AND h.family = 'item'", organisation);
    conditions.in('h.reference', holders);
    conditions.add('r.kind = ?', query.kind);
    recordConditions(conditions, query, this.database.dialect);
    const rest =
      after && order.after(after, { key: order.key && 'found.sort_key', id: 'found.id', holder: 'found.holder_id' });
    const latest = order.key && !after ? LATEST : 'NULL';
    const rows = await this.database.rows<StoredRow>(
      `SELECT ${COLUMNS}, page.sort_key, page.holder, page.holder_id, ${latest} AS as_of
       FROM (
         SELECT * FROM (
           SELECT r.id, h.reference AS holder, h.id AS holder_id, ${key.sql} AS sort_key
           FROM bank_record h
           JOIN bank_link l ON l.organisation_id = h.organisation_id AND l.holder_id = h.id
           JOIN bank_record r ON r.organisation_id = l.organisation_id AND r.id = l.held_id
           WHERE ${conditions.text}) found
         WHERE ${rest?.sql ?? '1 = 1'}
         ORDER BY ${order.by(order.key && 'found.sort_key', 'found.id', 'found.holder_id')} LIMIT ${query.limit + 1}) page
       JOIN bank_record r ON r.organisation_id = ? AND r.kind = ? AND r.id = page.id
       JOIN document d ON d.organisation_id = r.organisation_id AND d.id = r.document_id
       ORDER BY ${order.by(order.key && 'page.sort_key', 'page.id', 'page.holder_id')}`,
      [
        ...(latest === LATEST ? [organisation, query.kind] : []),
        ...key.parameters,
        ...conditions.parameters,
        ...(rest?.parameters ?? []),
        organisation,
        query.kind,
      ],
    );
    return this.slice(organisation, rows, query, order, after, (row, record) => ({ holder: row.holder!, record }));
  }

  private read(organisation: number, { kind }: RecordQuery, order: Order, page: SqlPart): Promise<StoredRow[]> {
    // The page is found on narrow rows first; only its entries are joined to their bodies.
    return this.database.rows<StoredRow>(
      `SELECT ${COLUMNS}, page.sort_key, ${order.key ? LATEST : 'NULL'} AS as_of
       FROM (${page.sql}) page
       JOIN bank_record r ON r.organisation_id = ? AND r.kind = ? AND r.id = page.id
       JOIN document d ON d.organisation_id = r.organisation_id AND d.id = r.document_id
       ORDER BY ${order.by(order.key && 'page.sort_key', 'page.id')}`,
      [...(order.key ? [organisation, kind] : []), ...page.parameters, organisation, kind],
    );
  }

  /** The ids of a page with their sort keys, and one entry more when there is another page. */
  private page(
    organisation: number,
    query: RecordQuery,
    order: Order,
    after: Place | undefined,
    tags: TagPlan,
    moved: boolean,
  ): SqlPart {
    const from = tags.driver ?? { sql: 'bank_record r', parameters: [], hint: '' };
    const list = (key: string | undefined, id: string, join: SqlPart, ...further: SqlPart[]): SqlPart => {
      const conditions = new Conditions();
      if (!tags.driver) conditions.add('r.organisation_id = ? AND r.kind = ?', organisation, query.kind);
      recordConditions(conditions, query, this.database.dialect);
      conditions.addAll(further);
      if (after) conditions.addAll([order.after(after, { key, id })]);
      conditions.addAll(tags.conditions);
      return {
        sql: `SELECT ${from.hint} r.id, ${key ?? 'NULL'} AS sort_key FROM ${from.sql} ${join.sql} ${tags.joins.sql}
          WHERE ${conditions.text} ORDER BY ${order.by(key, id)} LIMIT ${query.limit + 1}`,
        parameters: [...from.parameters, ...join.parameters, ...tags.joins.parameters, ...conditions.parameters],
      };
    };
    const none: SqlPart = { sql: '', parameters: [] };
    // The servers sort by the table they begin with only when it is named.
    if (!order.key) return list(undefined, tags.driver ? 'a.record_id' : 'r.id', none);
    const key = `r.${order.key.bank}`;
    if (!after || !moved) return list(key, 'r.id', none);
    const asOf = after.asOf ?? 0;
    const unmoved = list(key, 'r.id', none, { sql: 'r.updated_at <= ?', parameters: [asOf] });
    const elsewhere = list(
      `v.${order.key.revision}`,
      'r.id',
      { sql: `JOIN ${REVISION_THEN}`, parameters: [asOf] },
      { sql: 'r.updated_at > ?', parameters: [asOf] },
    );
    return {
      sql: `SELECT id, sort_key FROM (SELECT * FROM (${unmoved.sql}) unmoved UNION ALL SELECT * FROM (${elsewhere.sql}) elsewhere) places
        ORDER BY ${order.by('sort_key', 'id')} LIMIT ${query.limit + 1}`,
      parameters: [...unmoved.parameters, ...elsewhere.parameters],
    };
  }

  /** The sort key of a record `r` as the first page saw it. */
  private keyOf({ key }: Order, after: Place | undefined): SqlPart {
    if (!key) return { sql: 'NULL', parameters: [] };
    if (!after) return { sql: `r.${key.bank}`, parameters: [] };
    const asOf = after.asOf ?? 0;
    return {
      sql: `CASE WHEN r.updated_at <= ? THEN r.${key.bank}
        ELSE (SELECT v.${key.revision} FROM ${REVISION_THEN.replace(' ON ', ' WHERE ')}) END`,
      parameters: [asOf, asOf],
    };
  }

  private async slice<T>(
    organisation: number,
    rows: StoredRow[],
    { limit }: RecordQuery,
    order: Order,
    after: Place | undefined,
    entry: (row: StoredRow, record: StoredRecord) => T,
  ): Promise<Slice<T>> {
    const more = rows.length > limit;
    const shown = more ? rows.slice(0, limit) : rows;
    const sets = new Set(shown.map((row) => row.tag_set_id).filter((id) => id !== null));
    const tags = sets.size > 0 ? await this.tagSets.tagsOf(organisation, sets, shown[0]!.tag_version) : undefined;
    const entries = shown.map((row) => entry(row, recordOf(row, tags?.get(row.tag_set_id!) ?? [])));
    const last = shown.at(-1);
    if (!more || !last) return { entries };
    const asOf = after?.asOf ?? last.as_of ?? undefined;
    return { entries, after: order.position({ key: last.sort_key, id: last.id, holder: last.holder_id, asOf }) };
  }
}

function refusePool({ pool }: Shelf): void {
  if (pool !== undefined)
    throw new Fault('reference-unknown', `There is no item pool ${JSON.stringify(pool)}.`, '/item_pool_id');
}

function recordOf(row: StoredRow, tags: StoredRecord['tags']): StoredRecord {
  return {
    id: row.id,
    reference: row.reference,
    type: row.type,
    status: row.status,
    body: row.body,
    extras: row.extras,
    tags,
    createdBy: row.created_by,
    updatedBy: row.updated_by,
    createdAt: timeOf(row.id),
    updatedAt: row.updated_at,
  };
}
