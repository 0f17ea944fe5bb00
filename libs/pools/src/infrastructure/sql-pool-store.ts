import { Injectable } from '@nestjs/common';
import { joinedPoolTags } from '#content';
import { jobStatusColumn } from '#jobs';
import { type PoolShelf, type Slice, timeOf } from '#kernel';
import { Conditions, Database, keepPlaces, movingPage, type Parameter, questionMarks } from '#platform';
import {
  type FilledPool,
  type PoolFacts,
  type PoolListing,
  PoolStore,
  type ShownFill,
  type Staging,
} from '../application/ports/pool-store';
import { type Pool } from '../domain/pool';

/**
 * The status of a pool whose last fill is in progress or has failed is that of the job. A removed job has failed,
 * unless `filled_by` names it.
 */
const SHOWN_STATUS = `CASE
  WHEN t.filled_by = t.job_id THEN t.status
  ELSE CASE COALESCE(${jobStatusColumn('t.organisation_id', 't.job_id')}, 'halted')
    WHEN 'halted' THEN 'halted' WHEN 'completed' THEN t.status ELSE 'pending' END
  END`;

const SHOWN = `t.id, t.reference, t.name, t.description, ${SHOWN_STATUS} AS status, t.status AS statusAfterFill, t.job_id AS job,
  t.content_hash AS contentHash, t.updated_at AS updatedAt`;

/** Fills of a pool that can be compared. */
const MAX_FILLS = 50;

const FACTS = ['reference', 'name', 'description', 'status', 'job_id', 'updated_at'];
const COLUMNS = ['organisation_id', 'id', ...FACTS, 'generation', 'oldest', 'staged'];

@Injectable()
export class SqlPoolStore extends PoolStore {
  constructor(private readonly database: Database) {
    super();
  }

  override async find({ organisation, references, status, sort, limit, after }: PoolListing): Promise<Slice<Pool>> {
    const conditions = new Conditions();
    if (references) conditions.in('t.reference', references);
    if (status) conditions.in(SHOWN_STATUS, status);
    const key = sort.field === 'updated' ? (row: string) => `${row}.updated_at` : undefined;
    const [id, updatedAt, asOf] = after ?? [];
    const { rows, last } = await movingPage<Omit<Pool, 'createdAt'>>(this.database, {
      table: 'pool',
      organisation,
      columns: SHOWN,
      key,
      ascending: sort.ascending,
      limit,
      conditions: { sql: conditions.text, parameters: conditions.parameters },
      after: after && { id: id as string, key: updatedAt, asOf },
    });
    const entries = rows.map((row) => ({ ...row, createdAt: timeOf(row.id) }));
    return { entries, after: last && [last.id, last.key ?? null, last.asOf ?? null] };
  }

  override async shelf(organisation: number, reference: string): Promise<PoolShelf | undefined> {
    return this.database.row<PoolShelf>(
      'SELECT id, generation, oldest FROM pool WHERE organisation_id = ? AND reference = ?',
      [organisation, reference],
    );
  }

  override async fills(organisation: number, { id, generation }: PoolShelf): Promise<ShownFill[]> {
    const rows = await this.database.rows<ShownFill>(
      `SELECT generation, previous, job_id AS job, content_hash AS contentHash, filled_at AS filledAt FROM pool_fill
       WHERE organisation_id = ? AND pool_id = ? AND generation <= ? ORDER BY generation DESC LIMIT ${MAX_FILLS}`,
      [organisation, id, generation],
    );
    // A process of an earlier release keeps no fill, so the fills before its own cannot be compared with later ones.
    let next = generation;
    const end = rows.findIndex((row) => {
      const gap = row.generation !== next;
      next = row.previous;
      return gap;
    });
    return end < 0 ? rows : rows.slice(0, end);
  }

  override async tagged(organisation: number, tagIds: readonly string[]): Promise<Map<string, number>> {
    if (tagIds.length === 0) return new Map();
    // The index of tags begins with the pool, so the statement searches one pool after another.
    const rows = await this.database.rows<{ id: string; pools: number | string }>(
      `SELECT c.tag_id AS id, COUNT(DISTINCT p.id) AS pools FROM pool p CROSS JOIN ${joinedPoolTags('p', 'c')}
       WHERE p.organisation_id = ? AND c.tag_id IN (${questionMarks(tagIds.length)}) GROUP BY c.tag_id`,
      [organisation, ...tagIds],
    );
    return new Map(rows.map(({ id, pools }) => [id, Number(pools)]));
  }

  override async lock(organisation: number, references: readonly string[]): Promise<Map<string, PoolFacts>> {
    if (references.length === 0) return new Map();
    const rows = await this.database.rows<PoolFacts>(
      `SELECT id, reference, name, description, status, updated_at AS updatedAt FROM pool
       WHERE organisation_id = ? AND reference IN (${questionMarks(references.length)})
       ORDER BY reference ${this.database.dialect.forUpdate}`,
      [organisation, ...references],
    );
    return new Map(rows.map((pool) => [pool.reference, pool]));
  }

  override async add(organisation: number, pools: readonly FilledPool[]): Promise<void> {
    await this.database.insert('pool', COLUMNS, rowsOf(organisation, pools));
  }

  override async replace(organisation: number, pools: readonly FilledPool[]): Promise<void> {
    const changed = new Conditions();
    changed.add('t.organisation_id = ?', organisation);
    changed.in(
      't.id',
      pools.map(({ id }) => id),
    );
    await keepPlaces(this.database, 'pool', 'NULL', { sql: changed.text, parameters: changed.parameters });
    const { onDuplicate } = this.database.dialect;
    const tail = onDuplicate(['organisation_id', 'id'], FACTS);
    await this.database.insert('pool', COLUMNS, rowsOf(organisation, pools), tail);
  }

  override async stage(organisation: number, pool: string, job: string): Promise<Staging> {
    await this.database.write(
      `UPDATE pool SET staged = staged + 1, staged_by = ?, oldest = generation WHERE organisation_id = ? AND id = ?`,
      [job, organisation, pool],
    );
    const row = await this.database.row<{ staged: number; generation: number; oldest: number | null }>(
      `SELECT staged, generation, (SELECT MIN(f.generation) FROM pool_fill f
         WHERE f.organisation_id = t.organisation_id AND f.pool_id = t.id) AS oldest
       FROM pool t WHERE organisation_id = ? AND id = ?`,
      [organisation, pool],
    );
    const { staged, generation, oldest } = row!;
    return { generation: staged, shown: generation, oldestFill: oldest ?? generation };
  }

  override async holds(organisation: number, pool: string, job: string): Promise<boolean> {
    const row = await this.database.row<{ staged_by: string | null }>(
      `SELECT staged_by FROM pool WHERE organisation_id = ? AND id = ? ${this.database.dialect.forUpdate}`,
      [organisation, pool],
    );
    return row?.staged_by === job;
  }

  override async show(
    organisation: number,
    pool: string,
    job: string,
    contentHash: string,
    now: number,
  ): Promise<void> {
    await keepPlaces(this.database, 'pool', 'NULL', {
      sql: 't.organisation_id = ? AND t.id = ? AND t.staged_by = ?',
      parameters: [organisation, pool, job],
    });
    await this.database.write(
      `INSERT INTO pool_fill (organisation_id, pool_id, generation, previous, job_id, content_hash, filled_at)
       SELECT organisation_id, id, staged, generation, staged_by, ?, ? FROM pool
       WHERE organisation_id = ? AND id = ? AND staged_by = ?`,
      [contentHash, now, organisation, pool, job],
    );
    const surplus = await this.database.row<{ generation: number }>(
      `SELECT generation FROM pool_fill WHERE organisation_id = ? AND pool_id = ?
       ORDER BY generation DESC LIMIT 1 OFFSET ${MAX_FILLS}`,
      [organisation, pool],
    );
    if (surplus)
      await this.database.write('DELETE FROM pool_fill WHERE organisation_id = ? AND pool_id = ? AND generation <= ?', [
        organisation,
        pool,
        surplus.generation,
      ]);
    // A retry of an earlier job must not undo the last fill.
    await this.database.write(
      `UPDATE pool SET generation = staged, staged_by = NULL, content_hash = ?,
         filled_by = CASE WHEN filled_by = job_id THEN filled_by ELSE ? END,
         updated_at = CASE WHEN updated_at < ? THEN ? ELSE updated_at + 1 END
       WHERE organisation_id = ? AND id = ? AND staged_by = ?`,
      [contentHash, job, now, now, organisation, pool, job],
    );
  }
}

/** Rows in the order in which references are locked. */
function rowsOf(organisation: number, pools: readonly FilledPool[]): Parameter[][] {
  return [...pools]
    .sort((a, b) => (a.reference < b.reference ? -1 : 1))
    .map(({ id, reference, name, description, status, job, updatedAt }) => [
      organisation,
      id,
      reference,
      name,
      description,
      status,
      job,
      updatedAt,
      0,
      0,
      0,
    ]);
}
