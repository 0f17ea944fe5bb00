import { Inject, Injectable } from '@nestjs/common';
import { Fault, type JsonText, type Shelf, type Slice, timeOf } from '#kernel';
import { Database, type Parameter } from '#platform';
import { SqlTagSets, Tags, tagVersionColumn } from '#tagging';
import { type RecordQuery, ShelfReader } from '../application/ports/shelf-reader';
import { type Status, type StoredRecord } from '../domain/record';
import { Conditions, recordConditions } from './conditions';
import { after, orderOf, positionOf } from './order';
import { SqlTagFilter } from './sql-tag-filter';

interface StoredRow {
  id: string;
  reference: string;
  title_key: string;
  type: string | null;
  status: Status | null;
  body: JsonText;
  extras: JsonText | null;
  tag_set_id: string | null;
  tag_version: number | null;
  created_by: string | null;
  updated_by: string | null;
  updated_at: number;
  holder?: string;
  holder_id?: string;
}

const COLUMNS = `r.id, r.reference, r.title_key, r.type, r.status, d.body, d.extras, r.created_by, r.updated_by,
  r.updated_at, r.tag_set_id, ${tagVersionColumn('r')} AS tag_version`;

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
    const order = orderOf(query.sort, []);
    const tags = await this.filter.plan(organisation, query);
    if (tags === 'nothing') return { entries: [] };
    const conditions = new Conditions();
    if (tags.driver === undefined) conditions.add('r.organisation_id = ? AND r.kind = ?', organisation, query.kind);
    recordConditions(conditions, query, this.database.dialect);
    // The servers sort by the table they begin with only when it is named.
    const inner = tags.driver && query.sort.field === 'created' ? orderOf(query.sort, [], 'a.record_id') : order;
    if (query.after) conditions.add(...after(inner, query.after));
    conditions.addAll(tags.conditions);
    // The page is found on narrow rows first; only its entries are joined to their bodies.
    const from = tags.driver ?? { sql: 'bank_record r', parameters: [], hint: '' };
    const rows = await this.database.rows<StoredRow>(
      `SELECT ${COLUMNS}
       FROM (SELECT ${from.hint} r.id FROM ${from.sql} ${tags.joins.sql} WHERE ${conditions.text}
             ORDER BY ${inner.sql} LIMIT ${query.limit + 1}) page
       JOIN bank_record r ON r.organisation_id = ? AND r.kind = ? AND r.id = page.id
       JOIN document d ON d.organisation_id = r.organisation_id AND d.id = r.document_id
       ORDER BY ${order.sql}`,
      [...from.parameters, ...tags.joins.parameters, ...conditions.parameters, organisation, query.kind],
    );
    return this.slice(organisation, rows, query, (_row, record) => record);
  }

  override async findHeld(shelf: Shelf, query: RecordQuery, holders: readonly string[]) {
    refusePool(shelf);
    const { organisation } = shelf;
    const order = orderOf(query.sort, ['h.id']);
    const conditions = new Conditions();
    conditions.add("h.organisation_id = ? AND h.family = 'item'", organisation);
    conditions.in('h.reference', holders);
    conditions.add('r.kind = ?', query.kind);
    recordConditions(conditions, query, this.database.dialect);
    if (query.after) conditions.add(...after(order, query.after));
    const rows = await this.database.rows<StoredRow>(
      `SELECT ${COLUMNS}, h.reference AS holder, h.id AS holder_id
       FROM bank_record h
       JOIN bank_link l ON l.organisation_id = h.organisation_id AND l.holder_id = h.id
       JOIN bank_record r ON r.organisation_id = l.organisation_id AND r.id = l.held_id
       JOIN document d ON d.organisation_id = r.organisation_id AND d.id = r.document_id
       WHERE ${conditions.text}
       ORDER BY ${order.sql} LIMIT ${query.limit + 1}`,
      conditions.parameters,
    );
    return this.slice(organisation, rows, query, (row, record) => ({ holder: row.holder!, record }));
  }

  private async slice<T>(
    organisation: number,
    rows: StoredRow[],
    { sort, limit }: RecordQuery,
    entry: (row: StoredRow, record: StoredRecord) => T,
  ): Promise<Slice<T>> {
    const more = rows.length > limit;
    const shown = more ? rows.slice(0, limit) : rows;
    const sets = new Set(shown.map((row) => row.tag_set_id).filter((id) => id !== null));
    const tags = sets.size > 0 ? await this.tagSets.tagsOf(organisation, sets, shown[0]!.tag_version) : undefined;
    const entries = shown.map((row) => entry(row, recordOf(row, tags?.get(row.tag_set_id!) ?? [])));
    const last = shown.at(-1);
    return more && last
      ? { entries, after: positionOf(last as unknown as Record<string, Parameter>, sort, last.holder_id) }
      : { entries };
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
