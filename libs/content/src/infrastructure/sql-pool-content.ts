import { Injectable } from '@nestjs/common';
import { Conditions, Database, type SqlPart } from '#platform';
import { joinedTagSet } from '#tagging';
import { type OverlapRule, type Part, PoolContent, type Stage } from '../application/ports/pool-content';
import { type Picked, type SkipReason } from '../application/ports/pool-picks';
import { FAMILY, type Kind } from '../domain/record';
import {
  type Chunk,
  chunkOf,
  differs,
  HELD,
  HELD_REVISION,
  NO_GENERATION,
  OF_THE_PICK,
  OPEN,
  REVISION,
} from './pool-chunks';

const RECORD_BATCH_SIZE = 2_000;
/** Each item has about two widgets and four tags. */
const ITEM_BATCH_SIZE = 500;
const ACTIVITY_BATCH_SIZE = 100;

const RECORD_COLUMNS = `organisation_id, pool_id, kind, id, from_generation, to_generation, family, reference, title_key,
  type, status, document_id, tag_set_id, holding_id, created_by, updated_by, updated_at`;

const WIDGETS = ['question', 'feature'] as const;

/** Selected records that are to be stored, now or after publication. */
const STORED = 'outcome IS NULL';
const STORED_ONCE_PUBLISHED = "(outcome IS NULL OR outcome = 'unpublished')";

@Injectable()
export class SqlPoolContent extends PoolContent {
  constructor(private readonly database: Database) {
    super();
  }

  override async prepare(stage: Stage, kind: Kind, empty: boolean, after?: string): Promise<Part> {
    const chunk = await chunkOf(this.database, 'pool_record', stage, kind, after, RECORD_BATCH_SIZE);
    const { shown, generation, oldestFill } = stage;
    const rows = chunk.in('pool_record', 'id');
    const tags = chunk.in('pool_tag');
    const changes = chunk.in('pool_change');
    await this.database.write(`DELETE FROM pool_change WHERE ${changes.sql} AND (generation > ? OR generation <= ?)`, [
      ...changes.parameters,
      shown,
      oldestFill,
    ]);
    const deleted = await this.database.write(
      `DELETE FROM pool_record WHERE ${rows.sql} AND (from_generation > ? OR to_generation <= ?)`,
      [...rows.parameters, shown, shown],
    );
    const end = empty ? generation : OPEN;
    await this.database.write(`UPDATE pool_record SET to_generation = ? WHERE ${rows.sql} AND to_generation <> ?`, [
      end,
      ...rows.parameters,
      end,
    ]);
    if (deleted > 0)
      await this.database.write(
        `DELETE FROM pool_tag WHERE ${tags.sql} AND NOT EXISTS (SELECT 1 FROM pool_record r
          WHERE r.organisation_id = pool_tag.organisation_id AND r.pool_id = pool_tag.pool_id AND r.kind = pool_tag.kind
          AND r.id = pool_tag.record_id AND r.from_generation = pool_tag.from_generation)`,
        tags.parameters,
      );
    return chunk.part;
  }

  override async skipUnstored(stage: Stage, kind: Picked, overlap: OverlapRule, after?: string): Promise<Part> {
    const chunk = await chunkOf(
      this.database,
      'pool_pick',
      stage,
      kind,
      after,
      kind === 'item' ? ITEM_BATCH_SIZE : ACTIVITY_BATCH_SIZE,
    );
    await this.skipOverlap(stage, chunk, overlap, STORED_ONCE_PUBLISHED);
    return chunk.part;
  }

  override async storeItems(stage: Stage, overlap: OverlapRule, after?: string): Promise<Part> {
    const chunk = await chunkOf(this.database, 'pool_pick', stage, 'item', after, ITEM_BATCH_SIZE);
    await this.skipOverlap(stage, chunk, overlap, STORED);
    if (overlap === 'refresh') {
      await this.replace(stage, chunk);
      await this.replaceWidgets(stage, chunk);
    }
    await this.store(stage, chunk);
    await this.storeWidgets(stage, chunk);
    return chunk.part;
  }

  override async storeActivities(stage: Stage, overlap: OverlapRule, after?: string): Promise<Part> {
    const chunk = await chunkOf(this.database, 'pool_pick', stage, 'activity', after, ACTIVITY_BATCH_SIZE);
    const { asOf, organisation, pool } = stage;
    await this.skipOverlap(stage, chunk, overlap, STORED);
    await this.skip(chunk, 'items-missing', STORED, {
      sql: `SELECT 1 FROM revision v ${HELD} ${HELD_REVISION}
        LEFT JOIN pool_record o ON o.organisation_id = ? AND o.pool_id = ? AND o.kind = 'item' AND o.id = w.record_id
          AND o.to_generation = ${OPEN} AND o.reference = w.reference
        WHERE ${OF_THE_PICK} AND o.id IS NULL`,
      parameters: ['item', asOf, asOf, organisation, pool],
    });
    if (overlap === 'refresh') await this.replace(stage, chunk);
    await this.store(stage, chunk);
    return chunk.part;
  }

  override async dropUnheld(stage: Stage, kind: (typeof WIDGETS)[number], after?: string): Promise<Part> {
    const chunk = await chunkOf(this.database, 'pool_record', stage, kind, after, RECORD_BATCH_SIZE);
    const { sql, parameters } = chunk.in('r', 'id');
    // NOT EXISTS would be slow: servers would first read everything that the pool's items hold.
    const unheld = await this.database.rows<Named>(
      `SELECT r.id, r.reference FROM pool_record r
       LEFT JOIN holding l ON l.organisation_id = r.organisation_id AND l.held_id = r.id
       LEFT JOIN pool_record i ${this.database.dialect.bySureIndex('pool_record_holding')}
         ON i.organisation_id = r.organisation_id AND i.pool_id = r.pool_id AND i.holding_id = l.id
         AND i.to_generation = ${OPEN}
       WHERE ${sql} AND r.to_generation = ${OPEN} GROUP BY r.id, r.reference HAVING COUNT(i.id) = 0`,
      parameters,
    );
    await this.end(stage, kind, unheld);
    return chunk.part;
  }

  override async noteChanges(stage: Stage, kind: Kind, after?: string): Promise<Part> {
    // The first fill adds everything, and no earlier one can be compared with it.
    if (stage.shown === NO_GENERATION) return { count: 0 };
    const chunk = await chunkOf(this.database, 'pool_record', stage, kind, after, RECORD_BATCH_SIZE);
    const { generation } = stage;
    const same = 'n.organisation_id = o.organisation_id AND n.pool_id = o.pool_id AND n.kind = o.kind AND n.id = o.id';
    const begins = `n.from_generation = ${generation} AND n.to_generation = ${OPEN}`;
    const ends = `o.from_generation < ${generation} AND o.to_generation = ${generation}`;
    const note = (row: string, now: string, from: string, where: string) => {
      const { sql, parameters } = chunk.in(row, 'id');
      return this.database.write(
        `INSERT INTO pool_change (organisation_id, pool_id, kind, record_id, generation, before_at, after_at)
         SELECT ${row}.organisation_id, ${row}.pool_id, ${row}.kind, ${row}.id, ${generation}, o.updated_at, ${now}
         FROM ${from} WHERE ${sql} AND ${where}`,
        parameters,
      );
    };
    const pairs = `pool_record n LEFT JOIN pool_record o ON ${same} AND ${ends}`;
    await note('n', 'n.updated_at', pairs, `${begins} AND (o.id IS NULL OR ${differs('o', 'n')})`);
    const left = `pool_record o LEFT JOIN pool_record n ON ${same} AND ${begins}`;
    await note('o', 'NULL', left, `${ends} AND n.id IS NULL`);
    return chunk.part;
  }

  /** Stores selected records that were published then or later, with their tags. */
  private async store({ generation }: Stage, chunk: Chunk): Promise<void> {
    const { sql, parameters } = chunk.in('p');
    await this.database.write(
      `INSERT INTO pool_record (${RECORD_COLUMNS})
       SELECT p.organisation_id, p.pool_id, p.kind, p.record_id, ${generation}, ${OPEN}, '${FAMILY[chunk.kind]}',
         v.reference, v.title_key, v.type, 'published', v.document_id, v.tag_set_id, v.holding_id, b.created_by,
         v.author_id, v.began_at
       FROM pool_pick p ${REVISION}
       JOIN bank_record b ON b.organisation_id = p.organisation_id AND b.kind = p.kind AND b.id = p.record_id
       WHERE ${sql} AND p.outcome IS NULL`,
      parameters,
    );
    await this.database.write(
      `INSERT INTO pool_tag (organisation_id, pool_id, kind, record_id, from_generation, tag_id)
       SELECT p.organisation_id, p.pool_id, p.kind, p.record_id, ${generation}, s.tag_id
       FROM pool_pick p ${REVISION}
       JOIN ${joinedTagSet('v', 's')}
       WHERE ${sql} AND p.outcome IS NULL`,
      parameters,
    );
  }

  /**
   * Stores the widgets of the selected items as they were at the moment of the stage. Leaves out widgets that the pool
   * holds.
   */
  private async storeWidgets({ generation, asOf, organisation, pool }: Stage, chunk: Chunk): Promise<void> {
    const { sql, parameters } = chunk.in('p');
    for (const kind of WIDGETS)
      await this.database.write(
        `INSERT INTO pool_record (${RECORD_COLUMNS})
         SELECT DISTINCT w.organisation_id, p.pool_id, w.kind, w.record_id, ${generation}, ${OPEN}, 'widget', w.reference,
           w.title_key, w.type, w.status, w.document_id, w.tag_set_id, w.holding_id, b.created_by, w.author_id, w.began_at
         FROM pool_pick p ${REVISION} ${HELD} ${HELD_REVISION}
         WHERE ${sql} AND p.outcome IS NULL AND NOT EXISTS (SELECT 1 FROM pool_record o
           WHERE o.organisation_id = ? AND o.pool_id = ? AND o.kind = ? AND o.id = w.record_id
             AND o.to_generation = ${OPEN})`,
        [kind, asOf, asOf, ...parameters, organisation, pool, kind],
      );
  }

  /** Skips records that may not replace content of the pool. */
  private async skipOverlap(stage: Stage, chunk: Chunk, overlap: OverlapRule, open: string): Promise<void> {
    if (overlap === 'keep') await this.skipKnown(stage, chunk, open);
    if (overlap === 'refresh' && chunk.kind === 'item') await this.skipNamedByActivities(chunk, open);
  }

  /**
   * Skips an item when a kept activity would then name another item or none, because the pool holds another item under
   * this reference, or this item under an earlier one.
   */
  private async skipNamedByActivities(chunk: Chunk, open: string): Promise<void> {
    const { sql, parameters } = chunk.in('p');
    const rows = await this.database.rows<{ id: string }>(
      `SELECT DISTINCT p.record_id AS id FROM pool_pick p ${REVISION}
       JOIN pool_record o ON o.organisation_id = p.organisation_id AND o.pool_id = p.pool_id AND o.kind = 'item'
         AND o.to_generation = ${OPEN}
         AND ((o.reference = v.reference AND o.id <> p.record_id) OR (o.id = p.record_id AND o.reference <> v.reference))
       JOIN holding l ON l.organisation_id = o.organisation_id AND l.held_id = o.id
       JOIN pool_record a ON a.organisation_id = o.organisation_id AND a.pool_id = o.pool_id AND a.kind = 'activity'
         AND a.holding_id = l.id AND a.to_generation = ${OPEN}
       WHERE ${sql} AND ${open.replaceAll('outcome', 'p.outcome')} AND NOT EXISTS (SELECT 1 FROM pool_pick f
         WHERE f.organisation_id = a.organisation_id AND f.pool_id = a.pool_id AND f.kind = 'activity'
           AND f.record_id = a.id AND ${STORED_ONCE_PUBLISHED.replaceAll('outcome', 'f.outcome')})`,
      parameters,
    );
    if (rows.length === 0) return;
    const conditions = new Conditions();
    const within = chunk.in('pool_pick');
    conditions.add(within.sql, ...within.parameters);
    conditions.in(
      'record_id',
      rows.map(({ id }) => id),
    );
    await this.database.write(
      `UPDATE pool_pick SET outcome = 'named-by-activity' WHERE ${conditions.text}`,
      conditions.parameters,
    );
  }

  /** Skips records that the pool already holds, and records whose reference something else in the pool has. */
  private async skipKnown({ pool }: Stage, chunk: Chunk, open: string): Promise<void> {
    await this.skip(chunk, 'kept', open, {
      sql: `SELECT 1 FROM pool_record o WHERE o.organisation_id = pool_pick.organisation_id
        AND o.pool_id = pool_pick.pool_id AND o.kind = pool_pick.kind AND o.id = pool_pick.record_id
        AND o.to_generation = ${OPEN}`,
      parameters: [],
    });
    await this.skip(chunk, 'name-taken', open, {
      sql: `SELECT 1 FROM revision v JOIN pool_record o ON o.organisation_id = v.organisation_id AND o.pool_id = ?
          AND o.family = ? AND o.reference = v.reference AND o.to_generation = ${OPEN} AND o.id <> v.record_id
        WHERE ${OF_THE_PICK}`,
      parameters: [pool, FAMILY[chunk.kind]],
    });
  }

  /** Skips the records of `open` for which `exists` finds a row. */
  private async skip(chunk: Chunk, why: SkipReason | 'kept', open: string, exists: SqlPart): Promise<void> {
    const { sql, parameters } = chunk.in('pool_pick');
    await this.database.write(`UPDATE pool_pick SET outcome = ? WHERE ${sql} AND ${open} AND EXISTS (${exists.sql})`, [
      why,
      ...parameters,
      ...exists.parameters,
    ]);
  }

  private async replace(stage: Stage, chunk: Chunk): Promise<void> {
    const { sql, parameters } = chunk.in('p');
    const selected = await this.database.rows<Named>(
      `SELECT v.record_id AS id, v.reference FROM pool_pick p ${REVISION} WHERE ${sql} AND p.outcome IS NULL`,
      parameters,
    );
    await this.end(stage, chunk.kind, selected);
  }

  private async replaceWidgets(stage: Stage, chunk: Chunk): Promise<void> {
    const { sql, parameters } = chunk.in('p');
    for (const kind of WIDGETS) {
      const held = await this.database.rows<Named>(
        `SELECT DISTINCT w.record_id AS id, w.reference FROM pool_pick p ${REVISION} ${HELD} ${HELD_REVISION}
         WHERE ${sql} AND p.outcome IS NULL`,
        [kind, stage.asOf, stage.asOf, ...parameters],
      );
      await this.end(stage, kind, held);
    }
  }

  /**
   * Ends the pool's present rows of these records, and of other records with their references, when the stage is shown.
   */
  private async end({ organisation, pool, generation }: Stage, kind: Kind, replaced: readonly Named[]): Promise<void> {
    if (replaced.length === 0) return;
    const held = [
      { column: 'kind', value: kind, key: 'id' },
      { column: 'family', value: FAMILY[kind], key: 'reference' },
    ] as const;
    for (const { column, value, key } of held) {
      const conditions = new Conditions();
      conditions.add(`organisation_id = ? AND pool_id = ? AND ${column} = ?`, organisation, pool, value);
      const values = replaced.map((record) => record[key]).sort();
      // Adds bounds, because servers would otherwise read all rows of the kind for so many values.
      conditions.add(`${key} >= ? AND ${key} <= ?`, values[0]!, values.at(-1)!);
      conditions.in(key, values);
      conditions.add(`to_generation = ${OPEN} AND from_generation < ?`, generation);
      await this.database.write(`UPDATE pool_record SET to_generation = ? WHERE ${conditions.text}`, [
        generation,
        ...conditions.parameters,
      ]);
    }
  }
}

interface Named {
  id: string;
  reference: string;
}
