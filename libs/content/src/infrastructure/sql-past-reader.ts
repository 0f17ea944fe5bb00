import { firstIdAt, type Shelf, type Slice } from '#kernel';
import { Conditions, type Database, type Parameter, questionMarks, type SqlPart } from '#platform';
import { type SqlTagSets, tagVersionColumn } from '#tagging';
import { type RecordQuery } from '../application/ports/shelf-reader';
import { FAMILY, type Family, type StoredRecord } from '../domain/record';
import { isAmongHoldings, revisionThen, stateConditions } from './conditions';
import { Order, type Place } from './order';
import { type PastTagPlan, type SqlTagFilter } from './sql-tag-filter';
import { sliceOf, type StoredRow } from './stored-rows';

/** A shelf at a moment in the past. */
type PastShelf = Shelf & { asOf: number };

export const isOfThePast = (shelf: Shelf): shelf is PastShelf => shelf.asOf !== undefined;

/** The row that holds the state of a record: the bank's own row, or the revision of that time. */
const SOURCES = { r: { state: 'r', updatedAt: 'r.updated_at' }, v: { state: 'v', updatedAt: 'v.began_at' } } as const;
type Source = (typeof SOURCES)[keyof typeof SOURCES];

const COLUMNS = `r.id, v.reference, v.type, v.status, d.body, d.extras, r.created_by, v.author_id AS updated_by,
  v.began_at AS updated_at, v.workflow_id, v.workflow_state, v.tag_set_id, ${tagVersionColumn('r')} AS tag_version,
  NULL AS as_of`;

const RECORDS = { sql: 'bank_record r', parameters: [] };

/** Joins the revision of a record `r` at a moment. */
const REVISION_THEN = `JOIN ${revisionThen('v', 'r.organisation_id', 'r.id')}`;

/**
 * The same join, for lists in which most records have not changed since: such records need no search. Parameters: the
 * moment, twice.
 */
const REVISION_THEN_OR_NOW = `JOIN revision v ON v.organisation_id = r.organisation_id AND v.record_id = r.id
  AND v.began_at = CASE WHEN r.updated_at <= ? THEN r.updated_at ELSE (SELECT MAX(p.began_at) FROM revision p
    WHERE p.organisation_id = r.organisation_id AND p.record_id = r.id AND p.began_at <= ?) END`;

/** After a clock was set back, an id may contain a later time than its first revision. */
const SET_BACK_MS = 60_000;

/**
 * Reads the bank at a moment in the past. The state of a record is its last revision until then. For a record without
 * changes since then, its row in the bank has the same content, so that present indexes serve the past. The past never
 * changes. So a page may take several statements, and paging needs only the place.
 */
export class SqlPastReader {
  constructor(
    private readonly database: Database,
    private readonly filter: SqlTagFilter,
    private readonly tagSets: SqlTagSets,
  ) {}

  async find(shelf: PastShelf, query: RecordQuery): Promise<Slice<StoredRecord>> {
    const { organisation } = shelf;
    const order = new Order(query.sort);
    const page = await this.places(shelf, query, order);
    if (page === 'nothing') return { entries: [] };
    const rows = await this.database.rows<StoredRow>(
      `SELECT ${COLUMNS}, page.sort_key
       FROM (${page.sql}) page
       CROSS JOIN bank_record r ON r.organisation_id = ? AND r.kind = ? AND r.id = page.id
       CROSS JOIN revision v ON v.organisation_id = r.organisation_id AND v.record_id = r.id AND v.began_at = page.began_at
       CROSS JOIN document d ON d.organisation_id = v.organisation_id AND d.id = v.document_id
       ORDER BY ${order.by(order.key && 'page.sort_key', 'page.id')}`,
      [...page.parameters, organisation, query.kind],
    );
    return sliceOf(rows, { organisation, limit: query.limit, order }, this.tagSets, (_row, record) => record);
  }

  /**
   * A SELECT of the ids of a page, the starts of their revisions (`began_at`) and their sort keys, with one more entry
   * when another page exists. `nothing`: no record can match the query.
   */
  async places(shelf: PastShelf, query: RecordQuery, order = new Order(query.sort)): Promise<SqlPart | 'nothing'> {
    const tags = await this.filter.planPast(shelf.organisation, query);
    const asked = await this.identified(shelf, query);
    if (tags === 'nothing' || asked === 'nothing') return 'nothing';
    return this.page(shelf, query, asked, order, query.after && order.place(query.after), tags);
  }

  async findHeld(
    shelf: PastShelf,
    query: RecordQuery,
    holders: readonly string[],
  ): Promise<Slice<{ holder: string; record: StoredRecord }>> {
    const { organisation, asOf } = shelf;
    const [asked, holderIds] = [await this.identified(shelf, query), await this.idsThen(shelf, 'item', holders)];
    if (asked === 'nothing' || holderIds.length === 0) return { entries: [] };
    const order = new Order(query.sort);
    const after = query.after && order.place(query.after);
    const key = keyIn(order, SOURCES.v);
    const conditions = new Conditions();
    conditions.add('h.organisation_id = ?', organisation);
    conditions.in('h.record_id', holderIds);
    conditions.add(
      `h.began_at = (SELECT MAX(p.began_at) FROM revision p
        WHERE p.organisation_id = h.organisation_id AND p.record_id = h.record_id AND p.began_at <= ?)`,
      asOf,
    );
    this.addConditions(conditions, shelf, query, asked, SOURCES.v);
    if (after) conditions.addAll([order.after(after, { key, id: 'r.id', holder: 'h.record_id' })]);
    const rows = await this.database.rows<StoredRow>(
      `SELECT ${COLUMNS}, page.sort_key, page.holder, page.holder_id
       FROM (
         SELECT ${this.database.dialect.inWrittenOrder} r.id, v.began_at, ${key ?? 'NULL'} AS sort_key,
           h.reference AS holder, h.record_id AS holder_id
         FROM revision h
         CROSS JOIN holding l ON l.organisation_id = h.organisation_id AND l.id = h.holding_id
         CROSS JOIN bank_record r ON r.organisation_id = l.organisation_id AND r.kind = ? AND r.id = l.held_id
         ${REVISION_THEN_OR_NOW}
         WHERE ${conditions.text} ORDER BY ${order.by(key, 'r.id', 'h.record_id')} LIMIT ${query.limit + 1}) page
       CROSS JOIN bank_record r ON r.organisation_id = ? AND r.kind = ? AND r.id = page.id
       CROSS JOIN revision v ON v.organisation_id = r.organisation_id AND v.record_id = r.id AND v.began_at = page.began_at
       CROSS JOIN document d ON d.organisation_id = v.organisation_id AND d.id = v.document_id
       ORDER BY ${order.by(order.key && 'page.sort_key', 'page.id', 'page.holder_id')}`,
      [query.kind, asOf, asOf, ...conditions.parameters, organisation, query.kind],
    );
    return sliceOf(rows, { organisation, limit: query.limit, order }, this.tagSets, (row, record) => ({
      holder: row.holder!,
      record,
    }));
  }

  private page(
    shelf: PastShelf,
    query: RecordQuery,
    asked: Identified,
    order: Order,
    after: Place | undefined,
    tags: PastTagPlan,
  ): SqlPart {
    const { organisation, asOf } = shelf;
    const list = (
      of: Source,
      { from, hint, join, id = 'r.id' }: { from: SqlPart; hint: string; join: SqlPart; id?: string },
      ...further: SqlPart[]
    ): SqlPart => {
      const key = keyIn(order, of);
      const conditions = new Conditions();
      if (from === RECORDS) conditions.add('r.organisation_id = ? AND r.kind = ?', organisation, query.kind);
      conditions.addAll(further);
      this.addConditions(conditions, shelf, query, asked, of);
      if (after) conditions.addAll([order.after(after, { key, id })]);
      return {
        sql: `SELECT ${hint} r.id, ${of.updatedAt} AS began_at, ${key ?? 'NULL'} AS sort_key
          FROM ${from.sql} ${join.sql}
          WHERE ${conditions.text} ORDER BY ${order.by(key, id)} LIMIT ${query.limit + 1}`,
        parameters: [...from.parameters, ...join.parameters, ...conditions.parameters],
      };
    };
    const hint = this.database.dialect.inWrittenOrder;
    const madeByThen: SqlPart = { sql: 'r.id < ?', parameters: [firstIdAt(asOf + SET_BACK_MS)] };
    // The query reads few records: named ones, or the first in order. So each one is looked up.
    const inOrder = !order.key && !query.tags && !query.workflow && !asked.holdsOneOf && !asked.holdsAllOf;
    if (asked.ids || inOrder)
      return list(
        SOURCES.v,
        { from: RECORDS, hint, join: { sql: REVISION_THEN_OR_NOW, parameters: [asOf, asOf] } },
        madeByThen,
        ...tags.past,
      );
    const { driver, joins, conditions } = tags.now;
    const unchanged = list(
      SOURCES.r,
      {
        from: driver ?? RECORDS,
        hint: driver?.hint ?? '',
        join: joins,
        id: driver && !order.key ? 'a.record_id' : undefined,
      },
      { sql: 'r.updated_at <= ?', parameters: [asOf] },
      ...conditions,
    );
    const changed = list(
      SOURCES.v,
      { from: tags.driver ?? RECORDS, hint, join: { sql: REVISION_THEN, parameters: [asOf] } },
      { sql: 'r.updated_at > ?', parameters: [asOf] },
      madeByThen,
      ...tags.past,
    );
    return {
      sql: `SELECT id, began_at, sort_key
        FROM (SELECT * FROM (${unchanged.sql}) unchanged UNION ALL SELECT * FROM (${changed.sql}) changed) places
        ORDER BY ${order.by(order.key && 'sort_key', 'id')} LIMIT ${query.limit + 1}`,
      parameters: [...unchanged.parameters, ...changed.parameters],
    };
  }

  private addConditions(
    conditions: Conditions,
    { organisation, asOf }: PastShelf,
    query: RecordQuery,
    { ids, holdsOneOf, holdsAllOf }: Identified,
    of: Source,
  ): void {
    if (ids) conditions.in('r.id', ids);
    stateConditions(conditions, query, this.database.dialect, of);
    const { state } = of;
    const { dialect } = this.database;
    const holdingsOf = (held: readonly string[]): SqlPart => ({
      sql: `FROM holding l ${dialect.bySureIndex('holding_held')}
        WHERE l.organisation_id = ? AND l.held_id IN (${questionMarks(held.length)})`,
      parameters: [organisation, ...held],
    });
    const list = `${state}.holding_id`;
    if (holdsOneOf) conditions.addAll([isAmongHoldings(list, holdingsOf(holdsOneOf), dialect)]);
    if (holdsAllOf) conditions.addAll([isAmongHoldings(list, holdingsOf(holdsAllOf), dialect, holdsAllOf.length)]);
    if (query.holdsTypes) {
      const types = new Conditions();
      types.in('w.type', query.holdsTypes);
      // An aggregate, because a server could turn EXISTS into a list of all records of the type.
      conditions.add(
        `(SELECT COUNT(*) FROM holding l CROSS JOIN ${revisionThen('w', 'l.organisation_id', 'l.held_id')}
          WHERE l.organisation_id = ${state}.organisation_id AND l.id = ${state}.holding_id AND ${types.text}) > 0`,
        asOf,
        ...types.parameters,
      );
    }
  }

  /**
   * The references of a query as ids of the records that had them at the moment. `nothing`: none can match the query.
   */
  private async identified(shelf: PastShelf, query: RecordQuery): Promise<Identified | 'nothing'> {
    const identified: Identified = {};
    const { kind, references, holdsOneOf, holdsAllOf } = query;
    const heldFamily = kind === 'item' ? 'widget' : 'item';
    if (references) {
      identified.ids = await this.idsThen(shelf, FAMILY[kind], references);
      if (identified.ids.length === 0) return 'nothing';
    }
    if (holdsOneOf) {
      identified.holdsOneOf = await this.idsThen(shelf, heldFamily, holdsOneOf);
      if (identified.holdsOneOf.length === 0) return 'nothing';
    }
    if (holdsAllOf && holdsAllOf.length > 0) {
      identified.holdsAllOf = await this.idsThen(shelf, heldFamily, holdsAllOf);
      if (identified.holdsAllOf.length < new Set(holdsAllOf).size) return 'nothing';
    }
    return identified;
  }

  /** Ids of the records that had one of the references at the moment. */
  private async idsThen(
    { organisation, asOf }: PastShelf,
    family: Family,
    references: readonly string[],
  ): Promise<string[]> {
    const wanted = new Set(references);
    if (wanted.size === 0) return [];
    const named = `organisation_id = ? AND family = ? AND reference IN (${questionMarks(wanted.size)})`;
    const parameters: Parameter[] = [organisation, family, ...wanted];
    const rows = await this.database.rows<{ id: string; reference: string }>(
      `SELECT c.id, v.reference
       FROM (SELECT organisation_id, id FROM bank_record WHERE ${named}
         UNION SELECT organisation_id, record_id FROM former_reference WHERE ${named}) c
       JOIN ${revisionThen('v', 'c.organisation_id', 'c.id')}`,
      [...parameters, ...parameters, asOf],
    );
    return rows.filter(({ reference }) => wanted.has(reference)).map(({ id }) => id);
  }
}

/** The ids for the references of a query, if it has references. */
interface Identified {
  ids?: string[];
  holdsOneOf?: string[];
  holdsAllOf?: string[];
}

function keyIn({ key }: Order, { state }: Source): string | undefined {
  return key && (state === 'r' ? `r.${key.bank}` : `v.${key.revision}`);
}
