import { Inject, Injectable } from '@nestjs/common';
import { jobStatusColumn } from '#jobs';
import { type PoolShelf, type Position, type Slice, timeOf } from '#kernel';
import { Conditions, Database, type Parameter, questionMarks } from '#platform';
import {
  type FilledPool,
  type PoolFacts,
  type PoolListing,
  PoolStore,
  type Staging,
} from '../application/ports/pool-store';
import { type Pool, type ShownStatus } from '../domain/pool';

/**
 * The status of a pool whose last fill is under way or has failed is that of the job. A job that has been removed, its
 * time being over, had failed unless the pool says that it filled it.
 */
const SHOWN_STATUS = `CASE
  WHEN p.filled_by = p.job_id THEN p.status
  ELSE CASE COALESCE(${jobStatusColumn('p.organisation_id', 'p.job_id')}, 'halted')
    WHEN 'halted' THEN 'halted' WHEN 'completed' THEN p.status ELSE 'pending' END
  END`;

interface PoolRow {
  id: string;
  reference: string;
  name: string;
  description: string | null;
  shown_status: ShownStatus;
  content_hash: string | null;
  updated_at: number;
}

const FACTS = ['reference', 'name', 'description', 'status', 'job_id', 'updated_at'];
const COLUMNS = ['organisation_id', 'id', ...FACTS, 'generation', 'oldest', 'staged'];

@Injectable()
export class SqlPoolStore extends PoolStore {
  constructor(@Inject(Database) private readonly database: Database) {
    super();
  }

  override async find({ organisation, references, status, sort, limit, after }: PoolListing): Promise<Slice<Pool>> {
    const conditions = new Conditions();
    conditions.add('p.organisation_id = ?', organisation);
    if (references) conditions.in('p.reference', references);
    if (status) conditions.in(SHOWN_STATUS, status);
    const [beyond, direction] = sort.ascending ? ['>', 'ASC'] : ['<', 'DESC'];
    const updated = sort.field === 'updated';
    if (after && updated)
      conditions.add(
        `(p.updated_at ${beyond} ? OR (p.updated_at = ? AND p.id ${beyond} ?))`,
        ...[...[after[1]!, after[1]!, after[0]!]],
      );
    else if (after) conditions.add(`p.id ${beyond} ?`, after[0]!);
    const rows = await this.database.rows<PoolRow>(
      `SELECT p.id, p.reference, p.name, p.description, ${SHOWN_STATUS} AS shown_status, p.content_hash, p.updated_at
       FROM pool p WHERE ${conditions.text}
       ORDER BY ${updated ? `p.updated_at ${direction}, ` : ''}p.id ${direction} LIMIT ${limit + 1}`,
      conditions.parameters,
    );
    const entries = rows.slice(0, limit).map(poolOf);
    const last = entries.at(-1);
    const position: Position | undefined = rows.length > limit && last ? [last.id, last.updatedAt] : undefined;
    return { entries, after: position };
  }

  override async shelf(organisation: number, reference: string): Promise<PoolShelf | undefined> {
    return this.database.row<PoolShelf>(
      'SELECT id, generation, oldest FROM pool WHERE organisation_id = ? AND reference = ?',
      [organisation, reference],
    );
  }

  override async lock(organisation: number, references: readonly string[]): Promise<Map<string, PoolFacts>> {
    if (references.length === 0) return new Map();
    const rows = await this.database.rows<Omit<PoolFacts, 'updatedAt'> & { updated_at: number }>(
      `SELECT id, reference, name, description, status, updated_at FROM pool
       WHERE organisation_id = ? AND reference IN (${questionMarks(references.length)})
       ORDER BY reference ${this.database.dialect.forUpdate}`,
      [organisation, ...references],
    );
    return new Map(rows.map(({ updated_at: updatedAt, ...pool }) => [pool.reference, { ...pool, updatedAt }]));
  }

  override async add(organisation: number, pools: readonly FilledPool[]): Promise<void> {
    await this.database.insert('pool', COLUMNS, rowsOf(organisation, pools));
  }

  override async replace(organisation: number, pools: readonly FilledPool[]): Promise<void> {
    const { onDuplicate } = this.database.dialect;
    const tail = onDuplicate(['organisation_id', 'id'], FACTS);
    await this.database.insert('pool', COLUMNS, rowsOf(organisation, pools), tail);
  }

  override async stage(organisation: number, pool: string, job: string): Promise<Staging> {
    await this.database.write(
      `UPDATE pool SET staged = staged + 1, staged_by = ?, oldest = generation WHERE organisation_id = ? AND id = ?`,
      [job, organisation, pool],
    );
    const row = await this.database.row<{ staged: number; generation: number }>(
      'SELECT staged, generation FROM pool WHERE organisation_id = ? AND id = ?',
      [organisation, pool],
    );
    return { generation: row!.staged, shown: row!.generation };
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
    // An earlier job, retried, does not undo that the last one has filled it.
    await this.database.write(
      `UPDATE pool SET generation = staged, staged_by = NULL, content_hash = ?,
         filled_by = CASE WHEN filled_by = job_id THEN filled_by ELSE ? END,
         updated_at = CASE WHEN updated_at < ? THEN ? ELSE updated_at + 1 END
       WHERE organisation_id = ? AND id = ? AND staged_by = ?`,
      [contentHash, job, now, now, organisation, pool, job],
    );
  }
}

/** In the order in which references are locked. */
function rowsOf(organisation: number, pools: readonly FilledPool[]): Parameter[][] {
  return [...pools]
    .sort((a, b) => (a.reference < b.reference ? -1 : 1))
    .map(({ id, reference, name, description, status, job, updatedAt }) => [
      ...[organisation, id, reference, name, description, status, job, updatedAt],
      ...[0, 0, 0],
    ]);
}

function poolOf(row: PoolRow): Pool {
  return {
    id: row.id,
    reference: row.reference,
    name: row.name,
    description: row.description,
    status: row.shown_status,
    contentHash: row.content_hash,
    createdAt: timeOf(row.id),
    updatedAt: row.updated_at,
  };
}
