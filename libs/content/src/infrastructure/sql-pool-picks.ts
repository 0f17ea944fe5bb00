import { Injectable } from '@nestjs/common';
import { type JsonText, type Position } from '#kernel';
import { Conditions, Database, type Parameter } from '#platform';
import { SqlTagSets, Tags } from '#tagging';
import { type Part, type Stage } from '../application/ports/pool-content';
import { type Picked, PoolPicks, type Selection, type Skipped, type SkipReason } from '../application/ports/pool-picks';
import { itemsIn } from '../domain/activity';
import { chunkOf, HELD, HELD_REVISION, OPEN, REVISION } from './pool-chunks';
import { SqlPastReader } from './sql-past-reader';
import { SqlTagFilter } from './sql-tag-filter';

const ROWS = 2_000;
/** Activities per chunk. Each may have hundreds of items. */
const ACTIVITIES = 20;
const READ = 1_000;

/** Activities `p` whose items are read. Others are skipped whatever they hold. */
const wantedActivities = (publish: boolean) =>
  publish ? `(p.outcome IS NULL OR p.outcome = 'unpublished')` : 'p.outcome IS NULL';

/** Excludes an item `w` that the stage holds under the reference that the activity uses. */
const notHeld = `AND NOT EXISTS (SELECT 1 FROM pool_record h WHERE h.organisation_id = ? AND h.pool_id = ?
  AND h.kind = 'item' AND h.id = w.record_id AND h.reference = w.reference AND h.to_generation = ${OPEN})`;

const OLDEST_FIRST = { field: 'created', ascending: true } as const;

@Injectable()
export class SqlPoolPicks extends PoolPicks {
  private readonly past: SqlPastReader;

  constructor(
    private readonly database: Database,
    tags: Tags,
    tagSets: SqlTagSets,
  ) {
    super();
    this.past = new SqlPastReader(database, new SqlTagFilter(database, tags), tagSets);
  }

  override async forget(stage: Stage, kind: Picked, what: 'all' | 'stored', after?: string): Promise<Part> {
    const chunk = await chunkOf(this.database, 'pool_pick', stage, kind, after, ROWS);
    const { sql, parameters } = chunk.in('pool_pick');
    const stored = what === 'stored' ? "AND (outcome IS NULL OR outcome = 'kept')" : '';
    await this.database.write(`DELETE FROM pool_pick WHERE ${sql} ${stored}`, parameters);
    return chunk.part;
  }

  override async pick(stage: Stage, kind: Picked, selection: Selection, after?: string): Promise<Part> {
    const { organisation, pool, asOf } = stage;
    const place: Position | undefined = after === undefined ? undefined : [after, null];
    const page = await this.past.places(
      { organisation, asOf },
      { kind, ...selection, sort: OLDEST_FIRST, limit: ROWS - 1, after: place },
    );
    if (page === 'nothing') return { count: 0 };
    const rows = await this.database.rows<{ id: string; began_at: number; status: string }>(
      `SELECT p.id, p.began_at, v.status FROM (${page.sql}) p
       JOIN revision v ON v.organisation_id = ? AND v.record_id = p.id AND v.began_at = p.began_at ORDER BY p.id`,
      [...page.parameters, organisation],
    );
    await this.database.insert(
      'pool_pick',
      ['organisation_id', 'pool_id', 'kind', 'record_id', 'began_at', 'outcome'],
      rows.map(({ id, began_at, status }): Parameter[] => [
        organisation,
        pool,
        kind,
        id,
        began_at,
        status === 'published' ? null : status,
      ]),
      this.database.dialect.onDuplicate(['organisation_id', 'pool_id', 'kind', 'record_id'], []),
    );
    return { count: rows.length, after: rows.length === ROWS ? rows.at(-1)!.id : undefined };
  }

  override async pickItems(
    stage: Stage,
    { publish, unlessHeld }: { publish: boolean; unlessHeld?: boolean },
    after?: string,
  ): Promise<Part> {
    const chunk = await chunkOf(this.database, 'pool_pick', stage, 'activity', after, ACTIVITIES);
    const { sql, parameters } = chunk.in('p');
    const { organisation, pool, asOf } = stage;
    await this.database.write(
      `INSERT INTO pool_pick (organisation_id, pool_id, kind, record_id, began_at, outcome)
       SELECT DISTINCT p.organisation_id, p.pool_id, 'item', w.record_id, w.began_at,
         CASE WHEN w.status = 'published' THEN NULL ELSE w.status END
       FROM pool_pick p ${REVISION} ${HELD} ${HELD_REVISION}
       WHERE ${sql} AND ${wantedActivities(publish)} AND NOT EXISTS (SELECT 1 FROM pool_pick o
         WHERE o.organisation_id = ? AND o.pool_id = ? AND o.kind = 'item' AND o.record_id = w.record_id)
       ${unlessHeld ? notHeld : ''}`,
      ['item', asOf, asOf, ...parameters, organisation, pool, ...(unlessHeld ? [organisation, pool] : [])],
    );
    return chunk.part;
  }

  override async foreignItems(stage: Stage, publish: boolean, after?: string) {
    const chunk = await chunkOf(this.database, 'pool_pick', stage, 'activity', after, ACTIVITIES);
    const { sql, parameters } = chunk.in('p');
    const rows = await this.database.rows<{ reference: string; body: JsonText }>(
      `SELECT v.reference, d.body FROM pool_pick p ${REVISION}
       JOIN document d ON d.organisation_id = v.organisation_id AND d.id = v.document_id
       WHERE ${sql} AND ${wantedActivities(publish)} ORDER BY v.reference`,
      parameters,
    );
    const activities = rows
      .map(({ reference, body }) => ({ reference, items: foreignItemsOf(body, stage.organisation) }))
      .filter(({ items }) => items.length > 0);
    return { activities, after: chunk.part.after };
  }

  override async unpublished(stage: Stage, kind: Picked, limit: number, after?: string) {
    const rows = await this.database.rows<{ id: string; reference: string }>(
      `SELECT b.id, b.reference FROM pool_pick p
       JOIN bank_record b ON b.organisation_id = p.organisation_id AND b.kind = p.kind AND b.id = p.record_id
       WHERE p.organisation_id = ? AND p.pool_id = ? AND p.kind = ? AND p.record_id > ? AND p.outcome = 'unpublished'
       ORDER BY p.record_id LIMIT ${limit}`,
      [stage.organisation, stage.pool, kind, after ?? ''],
    );
    const activities = kind === 'activity' ? rows.map(({ id }) => id) : [];
    const incomplete = await this.incomplete(stage, activities);
    const complete = rows.filter(({ id }) => !incomplete.has(id));
    return {
      ids: complete.map(({ id }) => id),
      references: complete.map(({ reference }) => reference),
      after: rows.length === limit ? rows.at(-1)!.id : undefined,
    };
  }

  /** Ids of the activities that hold a skipped item. */
  private async incomplete({ organisation, pool }: Stage, ids: readonly string[]): Promise<Set<string>> {
    if (ids.length === 0) return new Set();
    const conditions = new Conditions();
    conditions.add(`p.organisation_id = ? AND p.pool_id = ? AND p.kind = 'activity'`, organisation, pool);
    conditions.in('p.record_id', ids);
    const rows = await this.database.rows<{ id: string }>(
      `SELECT DISTINCT ${this.database.dialect.inWrittenOrder} p.record_id AS id FROM pool_pick p ${REVISION} ${HELD}
       JOIN pool_pick o ON o.organisation_id = p.organisation_id AND o.pool_id = p.pool_id AND o.kind = 'item'
         AND o.record_id = l.held_id
       WHERE ${conditions.text} AND o.outcome IS NOT NULL AND o.outcome <> 'kept'`,
      conditions.parameters,
    );
    return new Set(rows.map(({ id }) => id));
  }

  override async published({ organisation, pool }: Stage, kind: Picked, ids: readonly string[]): Promise<void> {
    const conditions = new Conditions();
    conditions.add('organisation_id = ? AND pool_id = ? AND kind = ?', organisation, pool, kind);
    conditions.in('record_id', ids);
    await this.database.write(`UPDATE pool_pick SET outcome = NULL WHERE ${conditions.text}`, conditions.parameters);
  }

  override async count({ organisation, pool }: Stage): Promise<number> {
    const row = await this.database.row<{ picked: number | string }>(
      'SELECT COUNT(*) AS picked FROM pool_pick WHERE organisation_id = ? AND pool_id = ?',
      [organisation, pool],
    );
    return Number(row!.picked);
  }

  override async *skipped({ organisation, pool }: Stage): AsyncIterable<Skipped[]> {
    for (const kind of ['activity', 'item'] as const)
      for (let after: string | undefined = ''; after !== undefined;) {
        const rows: { id: string; reference: string; why: SkipReason }[] = await this.database.rows(
          `SELECT p.record_id AS id, v.reference, p.outcome AS why FROM pool_pick p ${REVISION}
           WHERE p.organisation_id = ? AND p.pool_id = ? AND p.kind = ? AND p.record_id > ?
             AND p.outcome IS NOT NULL AND p.outcome <> 'kept' ORDER BY p.record_id LIMIT ${READ}`,
          [organisation, pool, kind, after],
        );
        yield rows.map(({ reference, why }) => ({ kind, reference, why }));
        after = rows.length === READ ? rows.at(-1)!.id : undefined;
      }
  }

  override async unknown(stage: Stage, kind: Picked, references: readonly string[]): Promise<string[]> {
    const { organisation, asOf } = stage;
    const query = { kind, references, sort: OLDEST_FIRST, limit: references.length };
    const page = await this.past.places({ organisation, asOf }, query);
    if (page === 'nothing') return [...new Set(references)];
    const rows = await this.database.rows<{ reference: string }>(
      `SELECT v.reference FROM (${page.sql}) p
       JOIN revision v ON v.organisation_id = ? AND v.record_id = p.id AND v.began_at = p.began_at`,
      [...page.parameters, organisation],
    );
    const known = new Set(rows.map(({ reference }) => reference));
    return [...new Set(references)].filter((reference) => !known.has(reference));
  }
}

function foreignItemsOf(body: JsonText, own: number): string[] {
  return itemsIn(body, own)
    .filter(({ organisation }) => organisation !== own)
    .map(({ reference }) => reference);
}
