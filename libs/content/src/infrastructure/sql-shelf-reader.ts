import { Inject, Injectable } from '@nestjs/common';
import { Fault, firstIdAt, foldCase, type JsonText, type Position, type Shelf, type Slice, timeOf } from '#kernel';
import { Database, type Parameter, questionMarks } from '#platform';
import { readTagList, tagKey, tagListColumn, tagOfType, type TagPattern, Tags } from '#tagging';
import { type RecordQuery, ShelfReader, type SortField } from '../application/ports/shelf-reader';
import { FAMILY, type Status, type StoredRecord } from '../domain/record';

interface StoredRow {
  id: string;
  reference: string;
  title_key: string;
  type: string | null;
  status: Status | null;
  body: JsonText;
  extras: JsonText | null;
  tags: string | null;
  created_by: string | null;
  updated_by: string | null;
  updated_at: number;
  holder?: string;
  holder_id?: string;
}

/** The columns by which each order sorts; the last one is unique. */
const SORT_COLUMNS: Record<SortField, string[]> = {
  created: ['id'],
  updated: ['updated_at', 'id'],
  reference: ['reference'],
  title: ['title_key', 'id'],
};

/** A statement in the making: conditions joined by AND, with their parameters in order. */
class Conditions {
  readonly sql: string[] = [];
  readonly parameters: Parameter[] = [];

  add(sql: string, ...parameters: Parameter[]): void {
    this.sql.push(sql);
    this.parameters.push(...parameters);
  }

  /** `column` has one of the values. Of no values, nothing. */
  in(column: string, values: readonly Parameter[]): void {
    if (values.length === 0) this.add('1 = 0');
    else this.add(`${column} IN (${questionMarks(values.length)})`, ...values);
  }
}

@Injectable()
export class SqlShelfReader extends ShelfReader {
  constructor(
    @Inject(Database) private readonly database: Database,
    @Inject(Tags) private readonly tags: Tags,
  ) {
    super();
  }

  override async find(shelf: Shelf, query: RecordQuery): Promise<Slice<StoredRecord>> {
    const conditions = await this.conditions(shelf, query);
    const order = orderOf(query, []);
    if (query.after) conditions.add(...after(order, query.after));
    // The page is found on narrow rows first; only its entries are joined to their bodies.
    const rows = await this.database.rows<StoredRow>(
      `SELECT ${this.database.dialect.inWrittenOrder} ${this.columns()}
       FROM (SELECT r.id FROM bank_record r WHERE ${conditions.sql.join(' AND ')}
             ORDER BY ${order.sql} LIMIT ${query.limit + 1}) page
       JOIN bank_record r ON r.organisation_id = ? AND r.kind = ? AND r.id = page.id
       JOIN document d ON d.organisation_id = r.organisation_id AND d.id = r.document_id
       ORDER BY ${order.sql}`,
      [...conditions.parameters, shelf.organisation, query.kind],
    );
    return sliceOf(rows, query, [], recordOf);
  }

  override async findHeld(shelf: Shelf, query: RecordQuery, holders: readonly string[]) {
    const conditions = await this.conditions(shelf, query);
    conditions.in('h.reference', holders);
    const order = orderOf(query, ['h.id']);
    if (query.after) conditions.add(...after(order, query.after));
    const rows = await this.database.rows<StoredRow>(
      `SELECT ${this.columns()}, h.reference AS holder, h.id AS holder_id
       FROM bank_record h
       JOIN bank_link l ON l.organisation_id = h.organisation_id AND l.holder_id = h.id
       JOIN bank_record r ON r.organisation_id = l.organisation_id AND r.id = l.held_id
       JOIN document d ON d.organisation_id = r.organisation_id AND d.id = r.document_id
       WHERE h.organisation_id = ? AND h.family = 'item' AND ${conditions.sql.join(' AND ')}
       ORDER BY ${order.sql} LIMIT ${query.limit + 1}`,
      [shelf.organisation, ...conditions.parameters],
    );
    return sliceOf(rows, query, ['holder_id'], (row) => ({ holder: row.holder!, record: recordOf(row) }));
  }

  private columns(): string {
    return `r.id, r.reference, r.title_key, r.type, r.status, d.body, d.extras, r.created_by, r.updated_by, r.updated_at,
      ${tagListColumn(this.database.dialect, 'r')} AS tags`;
  }

  private async conditions(shelf: Shelf, query: RecordQuery): Promise<Conditions> {
    if (shelf.pool !== undefined)
      throw new Fault('reference-unknown', `There is no item pool ${JSON.stringify(shelf.pool)}.`, '/item_pool_id');
    const conditions = new Conditions();
    conditions.add('r.organisation_id = ?', shelf.organisation);
    conditions.add('r.kind = ?', query.kind);
    if (query.references) {
      conditions.in('r.reference', query.references);
      // Names the index for the references.
      conditions.add('r.family = ?', FAMILY[query.kind]);
    }
    if (query.status) conditions.in('r.status', query.status);
    if (query.types) conditions.in('r.type', query.types);
    if (query.workflow) {
      conditions.add('r.workflow_id = ?', query.workflow.id);
      if (query.workflow.states) conditions.in('r.workflow_state', query.workflow.states);
    }
    if (query.createdBy) this.addAuthors(conditions, query.createdBy);
    if (query.contains !== undefined)
      conditions.add(
        `EXISTS (SELECT 1 FROM document c WHERE c.organisation_id = r.organisation_id AND c.id = r.document_id
          AND ${this.database.dialect.contains('c.body')})`,
        query.contains,
      );
    this.addTimes(conditions, query);
    this.addHeld(conditions, query);
    await this.addTags(conditions, shelf, query);
    return conditions;
  }

  private addAuthors(conditions: Conditions, authors: readonly (string | null)[]): void {
    const named = authors.filter((author) => author !== null);
    if (named.length === authors.length) conditions.in('r.created_by', named);
    else if (named.length === 0) conditions.add('r.created_by IS NULL');
    else conditions.add(`(r.created_by IS NULL OR r.created_by IN (${questionMarks(named.length)}))`, ...named);
  }

  private addTimes(conditions: Conditions, { from, to, sort }: RecordQuery): void {
    const updated = sort.field === 'updated';
    if (from !== undefined) conditions.add(updated ? 'r.updated_at >= ?' : 'r.id >= ?', updated ? from : firstIdAt(from));
    if (to !== undefined) conditions.add(updated ? 'r.updated_at <= ?' : 'r.id < ?', updated ? to : firstIdAt(to + 1));
  }

  private addHeld(conditions: Conditions, { holdsOneOf, holdsAllOf, holdsTypes }: RecordQuery): void {
    const held = (condition: string) =>
      `EXISTS (SELECT 1 FROM bank_link l JOIN bank_record w ON w.organisation_id = l.organisation_id AND w.id = l.held_id
        WHERE l.organisation_id = r.organisation_id AND l.holder_id = r.id AND ${condition})`;
    if (holdsOneOf)
      if (holdsOneOf.length > 0) conditions.add(held(`w.reference IN (${questionMarks(holdsOneOf.length)})`), ...holdsOneOf);
      else conditions.add('1 = 0');
    if (holdsAllOf && holdsAllOf.length > 0) {
      const wanted = [...new Set(holdsAllOf)];
      conditions.add(
        `r.id IN (SELECT l.holder_id FROM bank_record w
          JOIN bank_link l ON l.organisation_id = w.organisation_id AND l.held_id = w.id
          WHERE w.organisation_id = r.organisation_id AND w.family = 'item' AND w.reference IN (${questionMarks(wanted.length)})
          GROUP BY l.holder_id HAVING COUNT(*) = ${wanted.length})`,
        ...wanted,
      );
    }
    if (holdsTypes)
      if (holdsTypes.length > 0) conditions.add(held(`w.type IN (${questionMarks(holdsTypes.length)})`), ...holdsTypes);
      else conditions.add('1 = 0');
  }

  private async addTags(conditions: Conditions, shelf: Shelf, { kind, tags }: RecordQuery): Promise<void> {
    if (!tags) return;
    const named = [...tags.all, ...tags.either, ...tags.none].filter(isNamed);
    const ids = await this.tags.lookUp(shelf.organisation, named);
    const carries = (condition: string) =>
      `EXISTS (SELECT 1 FROM bank_tag b WHERE b.organisation_id = r.organisation_id AND b.kind = r.kind
        AND b.record_id = r.id AND ${condition})`;
    const match = (pattern: TagPattern): { sql: string; parameter: Parameter } | undefined => {
      if (!isNamed(pattern)) return { sql: tagOfType('r.organisation_id', 'b.tag_id'), parameter: foldCase(pattern.type) };
      const id = ids.get(tagKey(pattern));
      return id === undefined ? undefined : { sql: 'b.tag_id = ?', parameter: id };
    };
    for (const pattern of tags.all) {
      const found = match(pattern);
      if (!found) conditions.add('1 = 0');
      else if (isNamed(pattern))
        // A list of ids by one tag: the server may begin with the rarest.
        conditions.add(
          'r.id IN (SELECT b.record_id FROM bank_tag b WHERE b.organisation_id = ? AND b.kind = ? AND b.tag_id = ?)',
          shelf.organisation,
          kind,
          found.parameter,
        );
      else conditions.add(carries(found.sql), found.parameter);
    }
    const either = tags.either.map(match).filter((found) => found !== undefined);
    if (tags.either.length > 0)
      if (either.length === 0) conditions.add('1 = 0');
      else conditions.add(carries(`(${either.map(({ sql }) => sql).join(' OR ')})`), ...either.map(({ parameter }) => parameter));
    for (const found of tags.none.map(match))
      if (found) conditions.add(`NOT ${carries(found.sql)}`, found.parameter);
  }
}



function isNamed(pattern: TagPattern): pattern is { type: string; name: string } {
  return pattern.name !== undefined;
}

interface Order {
  columns: string[];
  sql: string;
  /** How a later entry compares with an earlier one. */
  later: '<' | '>';
}

function orderOf({ sort }: RecordQuery, further: string[]): Order {
  const columns = [...SORT_COLUMNS[sort.field].map((column) => `r.${column}`), ...further];
  const direction = sort.ascending ? 'ASC' : 'DESC';
  return { columns, sql: columns.map((column) => `${column} ${direction}`).join(', '), later: sort.ascending ? '>' : '<' };
}

/** What comes after a position. Spelled out: a row value gets no range scan. */
function after({ columns, later }: Order, position: Position): [sql: string, ...Parameter[]] {
  const parameters: Parameter[] = [];
  const alternatives = columns.map((column, index) => {
    const equal = columns.slice(0, index).map((before) => `${before} = ?`);
    parameters.push(...position.slice(0, index + 1));
    return [...equal, `${column} ${later} ?`].join(' AND ');
  });
  return [`(${alternatives.map((alternative) => `(${alternative})`).join(' OR ')})`, ...parameters];
}

function sliceOf<T>(rows: StoredRow[], { sort, limit }: RecordQuery, further: ('holder_id')[], entry: (row: StoredRow) => T): Slice<T> {
  const entries = rows.slice(0, limit);
  const last = entries.at(-1);
  if (rows.length <= limit || !last) return { entries: entries.map(entry) };
  const columns = [...SORT_COLUMNS[sort.field], ...further] as (keyof StoredRow)[];
  return { entries: entries.map(entry), after: columns.map((column) => last[column] ?? null) };
}

function recordOf(row: StoredRow): StoredRecord {
  return {
    id: row.id,
    reference: row.reference,
    type: row.type,
    status: row.status,
    body: row.body,
    extras: row.extras,
    tags: readTagList(row.tags),
    createdBy: row.created_by,
    updatedBy: row.updated_by,
    createdAt: timeOf(row.id),
    updatedAt: row.updated_at,
  };
}
