import { Fault, type PoolShelf, type Position, type Shelf, type Slice } from '#kernel';
import { Conditions, type Database } from '#platform';
import { type SqlTagSets, tagVersionColumn } from '#tagging';
import { type RecordQuery } from '../application/ports/shelf-reader';
import { FAMILY, type StoredRecord } from '../domain/record';
import { addHeld, recordsOf, stateConditions } from './conditions';
import { Order } from './order';
import { poolCarriers, type SqlTagFilter } from './sql-tag-filter';
import { sliceOf, type StoredRow } from './stored-rows';

/** A shelf that is an item pool. */
type PoolsShelf = Shelf & { pool: PoolShelf };

export const isOfAPool = (shelf: Shelf): shelf is PoolsShelf => shelf.pool !== undefined;

const COLUMNS = `r.id, r.reference, r.type, r.status, d.body, d.extras, r.created_by, r.updated_by, r.updated_at,
  NULL AS workflow_id, NULL AS workflow_state, r.tag_set_id, ${tagVersionColumn('r')} AS tag_version, NULL AS as_of`;

/** Joins the entries of a page, with their places and bodies. Parameters: organisation, pool, kind. */
const ENTRIES = `CROSS JOIN pool_record r ON r.organisation_id = ? AND r.pool_id = ? AND r.kind = ? AND r.id = page.id
    AND r.from_generation = page.from_generation
  CROSS JOIN document d ON d.organisation_id = r.organisation_id AND d.id = r.document_id`;

/**
 * Reads an item pool. A fill replaces the shown generation at one moment. Paging continues in the generation in which
 * it began, so that its list does not change.
 */
export class SqlPoolReader {
  constructor(
    private readonly database: Database,
    private readonly filter: SqlTagFilter,
    private readonly tagSets: SqlTagSets,
  ) {}

  async find(shelf: PoolsShelf, query: RecordQuery): Promise<Slice<StoredRecord>> {
    const { organisation, pool } = shelf;
    const carriers = poolCarriers(organisation, pool.id, query.kind);
    const tags = await this.filter.plan(organisation, query, carriers);
    if (tags === 'nothing') return { entries: [] };
    const order = new Order(query.sort);
    const { generation, after } = begunIn(pool, query.after);
    const place = after && order.place(after);
    const key = order.key && `r.${order.key.bank}`;
    const id = tags.driver && !key ? 'a.record_id' : 'r.id';
    const conditions = new Conditions();
    if (!tags.driver) conditions.addAll([carriers.of('r')]);
    conditions.addAll([shown('r', generation)]);
    this.addConditions(conditions, shelf, query, generation);
    if (place) conditions.addAll([order.after(place, { key, id })]);
    conditions.addAll(tags.conditions);
    const records = recordsOf('pool_record', query, this.database.dialect);
    const from = tags.driver ?? { sql: records, parameters: [], hint: '' };
    const rows = await this.database.rows<StoredRow>(
      `SELECT ${COLUMNS}, page.sort_key
       FROM (
         SELECT ${from.hint} r.id, r.from_generation, ${key ?? 'NULL'} AS sort_key
         FROM ${from.sql} ${tags.joins.sql}
         WHERE ${conditions.text} ORDER BY ${order.by(key, id)} LIMIT ${query.limit + 1}) page
       ${ENTRIES}
       ORDER BY ${order.by(order.key && 'page.sort_key', 'page.id')}`,
      [...from.parameters, ...tags.joins.parameters, ...conditions.parameters, organisation, pool.id, query.kind],
    );
    const list = { organisation, limit: query.limit, order };
    return remembering(generation, await sliceOf(rows, list, this.tagSets, (_row, record) => record));
  }

  async findHeld(
    shelf: PoolsShelf,
    query: RecordQuery,
    holders: readonly string[],
  ): Promise<Slice<{ holder: string; record: StoredRecord }>> {
    const { organisation, pool } = shelf;
    const order = new Order(query.sort);
    const { generation, after } = begunIn(pool, query.after);
    const place = after && order.place(after);
    const key = order.key && `r.${order.key.bank}`;
    const conditions = new Conditions();
    conditions.add("h.organisation_id = ? AND h.pool_id = ? AND h.family = 'item'", organisation, pool.id);
    conditions.in('h.reference', holders);
    conditions.add('r.pool_id = ? AND r.kind = ?', pool.id, query.kind);
    conditions.addAll([shown('h', generation), shown('r', generation)]);
    this.addConditions(conditions, shelf, query, generation);
    if (place) conditions.addAll([order.after(place, { key, id: 'r.id', holder: 'h.id' })]);
    const rows = await this.database.rows<StoredRow>(
      `SELECT ${COLUMNS}, page.sort_key, page.holder, page.holder_id
       FROM (
         SELECT ${this.database.dialect.inWrittenOrder} r.id, r.from_generation, ${key ?? 'NULL'} AS sort_key,
           h.reference AS holder, h.id AS holder_id
         FROM pool_record h ${this.database.dialect.bySureIndex('pool_record_reference')}
         CROSS JOIN holding l ON l.organisation_id = h.organisation_id AND l.id = h.holding_id
         CROSS JOIN pool_record r ON r.organisation_id = l.organisation_id AND r.id = l.held_id
         WHERE ${conditions.text} ORDER BY ${order.by(key, 'r.id', 'h.id')} LIMIT ${query.limit + 1}) page
       ${ENTRIES}
       ORDER BY ${order.by(order.key && 'page.sort_key', 'page.id', 'page.holder_id')}`,
      [...conditions.parameters, organisation, pool.id, query.kind],
    );
    const list = { organisation, limit: query.limit, order };
    const slice = await sliceOf(rows, list, this.tagSets, (row, record) => ({ holder: row.holder!, record }));
    return remembering(generation, slice);
  }

  private addConditions(
    conditions: Conditions,
    { organisation, pool }: PoolsShelf,
    query: RecordQuery,
    generation: number,
  ): void {
    const { kind, references, workflow } = query;
    const { dialect } = this.database;
    if (references) {
      conditions.add('r.family = ?', FAMILY[kind]);
      conditions.in('r.reference', references);
    }
    // Content in a pool has no workflow state.
    if (workflow && !workflow.unassigned) conditions.add('1 = 0');
    stateConditions(conditions, { ...query, workflow: undefined }, dialect, {
      state: 'r',
      updatedAt: 'r.updated_at',
    });
    addHeld(conditions, organisation, query, dialect, { id: pool.id, shown: shown('w', generation) });
  }
}

/** The rows of `alias` that a generation shows. */
function shown(alias: string, generation: number) {
  return {
    sql: `${alias}.from_generation <= ? AND ${alias}.to_generation > ?`,
    parameters: [generation, generation],
  };
}

/** The generation in which paging began, and the place at which it continues. */
function begunIn(pool: PoolShelf, position: Position | undefined): { generation: number; after?: Position } {
  if (!position) return { generation: pool.generation };
  const [generation, ...after] = position;
  if ((generation as number) < pool.oldest)
    throw new Fault(
      'value',
      'next is from before the item pool was filled again, and its content of that time is gone; begin again without next.',
      '/next',
    );
  return { generation: generation as number, after };
}

function remembering<T>(generation: number, slice: Slice<T>): Slice<T> {
  return slice.after ? { ...slice, after: [generation, ...slice.after] } : slice;
}
