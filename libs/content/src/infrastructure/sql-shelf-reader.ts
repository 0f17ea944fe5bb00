import { Injectable } from '@nestjs/common';
import { inParts, type Shelf, type Slice } from '#kernel';
import { Conditions, Database, type SqlPart } from '#platform';
import { SqlTagSets, Tags, tagVersionColumn } from '#tagging';
import { type RecordQuery, ShelfReader } from '../application/ports/shelf-reader';
import { FAMILY, type StoredRecord } from '../domain/record';
import { recordConditions, recordsOf, revisionThen } from './conditions';
import { Order, type Place } from './order';
import { isOfThePast, SqlPastReader } from './sql-past-reader';
import { isOfAPool, SqlPoolReader } from './sql-pool-reader';
import { bankCarriers, SqlTagFilter, type TagPlan } from './sql-tag-filter';
import { sliceOf, type StoredRow } from './stored-rows';

const COLUMNS = `r.id, r.reference, r.type, r.status, d.body, d.extras, r.created_by, r.updated_by,
  r.updated_at, r.workflow_id, r.workflow_state, r.tag_set_id, ${tagVersionColumn('r')} AS tag_version`;

/** The largest number of organisations of one statement. SQLite combines at most 500 queries. */
const MAX_ORGANISATIONS = 50;

/** The latest change of a kind, as seen by the first page of a list. */
const LATEST = '(SELECT MAX(m.updated_at) FROM bank_record m WHERE m.organisation_id = ? AND m.kind = ?)';

/** Joins the revision of a record `r` at a moment. */
const REVISION_THEN = revisionThen('v', 'r.organisation_id', 'r.id');

@Injectable()
export class SqlShelfReader extends ShelfReader {
  private readonly filter: SqlTagFilter;
  private readonly past: SqlPastReader;
  private readonly pools: SqlPoolReader;

  constructor(
    private readonly database: Database,
    tags: Tags,
    private readonly tagSets: SqlTagSets,
  ) {
    super();
    this.filter = new SqlTagFilter(database, tags);
    this.past = new SqlPastReader(database, this.filter, tagSets);
    this.pools = new SqlPoolReader(database, this.filter, tagSets);
  }

  override async presentMoment(organisations: readonly number[], now: number): Promise<number> {
    let latest = now;
    for (const part of inParts(organisations, MAX_ORGANISATIONS)) {
      // One query per organisation and kind: its latest change is the end of an index.
      const kinds = Object.keys(FAMILY).map(
        (kind) => `SELECT MAX(updated_at) AS at FROM bank_record WHERE organisation_id = ? AND kind = '${kind}'`,
      );
      const row = await this.database.row<{ at: number | null }>(
        `SELECT MAX(at) AS at FROM (${part.flatMap(() => kinds).join(' UNION ALL ')}) latest`,
        part.flatMap((organisation) => kinds.map(() => organisation)),
      );
      latest = Math.max(latest, row?.at ?? 0);
    }
    return latest;
  }

  override async find(shelf: Shelf, query: RecordQuery): Promise<Slice<StoredRecord>> {
    if (isOfAPool(shelf)) return this.pools.find(shelf, query);
    if (isOfThePast(shelf)) return this.past.find(shelf, query);
    const { organisation } = shelf;
    const tags = await this.filter.plan(organisation, query, bankCarriers(organisation, query.kind));
    if (tags === 'nothing') return { entries: [] };
    const order = new Order(query.sort);
    const after = query.after && order.place(query.after);
    const read = (moved: boolean) =>
      this.read(organisation, query, order, this.page(organisation, query, order, after, tags, moved));
    let rows = await read(false);
    // The usual case: nothing changed since the first page, so all records keep their places.
    const unmoved = !order.key || !after || (rows.length > 0 && (rows[0]!.as_of ?? 0) <= (after.asOf ?? 0));
    if (!unmoved) rows = await read(true);
    return sliceOf(
      rows,
      { organisation, limit: query.limit, order, asOf: after?.asOf },
      this.tagSets,
      (_row, record) => record,
    );
  }

  override async findHeld(shelf: Shelf, query: RecordQuery, holders: readonly string[]) {
    if (isOfAPool(shelf)) return this.pools.findHeld(shelf, query, holders);
    if (isOfThePast(shelf)) return this.past.findHeld(shelf, query, holders);
    const { organisation } = shelf;
    const order = new Order(query.sort);
    const after = query.after && order.place(query.after);
    const key = this.keyOf(order, after);
    const conditions = new Conditions();
    conditions.add("h.organisation_id = ? AND h.family = 'item'", organisation);
    conditions.in('h.reference', holders);
    conditions.add('r.kind = ?', query.kind);
    recordConditions(conditions, organisation, query, this.database.dialect);
    const rest =
      after && order.after(after, { key: order.key && 'found.sort_key', id: 'found.id', holder: 'found.holder_id' });
    const latest = order.key && !after ? LATEST : 'NULL';
    const rows = await this.database.rows<StoredRow>(
      `SELECT ${COLUMNS}, page.sort_key, page.holder, page.holder_id, ${latest} AS as_of
       FROM (
         SELECT * FROM (
           SELECT ${this.database.dialect.inWrittenOrder} r.id, h.reference AS holder, h.id AS holder_id,
             ${key.sql} AS sort_key
           FROM bank_record h ${this.database.dialect.bySureIndex('bank_record_reference')}
           CROSS JOIN holding l ON l.organisation_id = h.organisation_id AND l.id = h.holding_id
           CROSS JOIN bank_record r ON r.organisation_id = l.organisation_id AND r.id = l.held_id
           WHERE ${conditions.text}) found
         WHERE ${rest?.sql ?? '1 = 1'}
         ORDER BY ${order.by(order.key && 'found.sort_key', 'found.id', 'found.holder_id')} LIMIT ${query.limit + 1}) page
       CROSS JOIN bank_record r ON r.organisation_id = ? AND r.kind = ? AND r.id = page.id
       CROSS JOIN document d ON d.organisation_id = r.organisation_id AND d.id = r.document_id
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
    return sliceOf(
      rows,
      { organisation, limit: query.limit, order, asOf: after?.asOf },
      this.tagSets,
      (row, record) => ({
        holder: row.holder!,
        record,
      }),
    );
  }

  private read(organisation: number, { kind }: RecordQuery, order: Order, page: SqlPart): Promise<StoredRow[]> {
    // Finds the page on narrow rows first, and joins the bodies only for its entries.
    return this.database.rows<StoredRow>(
      `SELECT ${COLUMNS}, page.sort_key, ${order.key ? LATEST : 'NULL'} AS as_of
       FROM (${page.sql}) page
       CROSS JOIN bank_record r ON r.organisation_id = ? AND r.kind = ? AND r.id = page.id
       CROSS JOIN document d ON d.organisation_id = r.organisation_id AND d.id = r.document_id
       ORDER BY ${order.by(order.key && 'page.sort_key', 'page.id')}`,
      [...(order.key ? [organisation, kind] : []), ...page.parameters, organisation, kind],
    );
  }

  /** The ids of a page with their sort keys, and one more entry when another page exists. */
  private page(
    organisation: number,
    query: RecordQuery,
    order: Order,
    after: Place | undefined,
    tags: TagPlan,
    moved: boolean,
  ): SqlPart {
    const records = recordsOf('bank_record', query, this.database.dialect);
    const from = tags.driver ?? { sql: records, parameters: [], hint: '' };
    const list = (key: string | undefined, id: string, join: SqlPart, ...further: SqlPart[]): SqlPart => {
      const conditions = new Conditions();
      if (!tags.driver) conditions.add('r.organisation_id = ? AND r.kind = ?', organisation, query.kind);
      recordConditions(conditions, organisation, query, this.database.dialect);
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
    // The servers use the order of the first table only when ORDER BY names it.
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
}
