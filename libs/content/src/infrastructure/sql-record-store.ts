import { Injectable } from '@nestjs/common';
import { idOfList, inParts, newId, type Scope } from '#kernel';
import { Database, questionMarks } from '#platform';
import { SqlTagSetIds } from '#tagging';
import {
  type CurrentRecord,
  type HeldRecord,
  type RecordChange,
  RecordStore,
  type WholeRecord,
} from '../application/ports/record-store';
import { FAMILY, type Family, type Kind } from '../domain/record';
import {
  BANK_COLUMNS,
  bankRow,
  CHANGING_COLUMNS,
  CURRENT_COLUMNS,
  type CurrentRow,
  type Placed,
  REVISION_COLUMNS,
  revisionRow,
  WHOLE_COLUMNS,
  type WholeRow,
} from './record-rows';
import { SqlSearchTexts } from './sql-search-texts';

/** Rows per statement: an embedded database allows 32,766 parameters. Only huge requests need several statements. */
const BATCH_SIZE = 10_000;
/** MySQL does not use ranges for many more pairs, but scans the whole table. */
const PAIR_BATCH_SIZE = 500;

/**
 * Records with their documents. The immutable documents are locked too. So a statement that waited for a record sees
 * the state after the previous writer, and not the state when the statement began.
 */
const RECORDS = 'bank_record r JOIN document d ON d.organisation_id = r.organisation_id AND d.id = r.document_id';

type WithTags<Row> = Row & Pick<CurrentRecord, 'tagIds'>;

@Injectable()
export class SqlRecordStore extends RecordStore {
  private readonly searchTexts: SqlSearchTexts;

  constructor(
    private readonly database: Database,
    private readonly tagSets: SqlTagSetIds,
  ) {
    super();
    this.searchTexts = new SqlSearchTexts(database);
  }

  override async lock(organisation: number, family: Family, references: readonly string[]) {
    const { forUpdate } = this.database.dialect;
    return this.locked<CurrentRow>(organisation, family, references, CURRENT_COLUMNS, forUpdate);
  }

  override async share(organisation: number, family: Family, references: readonly string[]) {
    const { forShare } = this.database.dialect;
    return this.locked<WholeRow>(organisation, family, references, WHOLE_COLUMNS, forShare);
  }

  override async hold(
    organisation: number,
    family: Family,
    references: readonly string[],
  ): Promise<Map<string, HeldRecord>> {
    const held = new Map<string, HeldRecord>();
    for (const part of inParts(references, BATCH_SIZE)) {
      const rows = await this.database.rows<HeldRecord & { reference: string }>(
        `SELECT reference, id, kind, type, updated_at AS updatedAt FROM bank_record
         WHERE organisation_id = ? AND family = ? AND reference IN (${questionMarks(part.length)})
         ORDER BY reference ${this.database.dialect.forShare}`,
        [organisation, family, ...part],
      );
      for (const { reference, ...record } of rows) held.set(reference, record);
    }
    return held;
  }

  override async lockHolders(organisation: number, heldIds: readonly string[], limit: number) {
    const found: WholeRecord[] = [];
    // Reads one kind at a time, because finding a record by its id needs its kind.
    for (const kind of ['activity', 'item'] satisfies Kind[]) {
      const rows = await this.database.rows<WholeRow>(
        `SELECT ${WHOLE_COLUMNS} FROM ${RECORDS}
         WHERE r.organisation_id = ? AND r.kind = ? AND r.holding_id IN (
           SELECT id FROM holding WHERE organisation_id = ? AND held_id IN (${questionMarks(heldIds.length)}))
         ORDER BY r.reference LIMIT ${limit - found.length} ${this.database.dialect.forUpdate}`,
        [organisation, kind, organisation, ...heldIds],
      );
      found.push(...(await this.withTags(organisation, rows)));
    }
    return found;
  }

  override async carriers(organisation: number, kind: Kind, tagId: string, limit: number, after = '') {
    return this.database.rows<{ id: string; reference: string }>(
      `SELECT ${this.database.dialect.inWrittenOrder} r.id, r.reference FROM bank_tag a
       CROSS JOIN bank_record r ON r.organisation_id = a.organisation_id AND r.kind = a.kind AND r.id = a.record_id
       WHERE a.organisation_id = ? AND a.kind = ? AND a.tag_id = ? AND a.record_id > ?
       ORDER BY a.record_id LIMIT ${limit}`,
      [organisation, kind, tagId, after],
    );
  }

  override async countHolders(organisation: number, heldIds: readonly string[]): Promise<number> {
    const row = await this.database.row<{ holders: number | string }>(
      `SELECT COUNT(DISTINCT r.id) AS holders FROM holding l
       JOIN bank_record r ON r.organisation_id = l.organisation_id AND r.holding_id = l.id
       WHERE l.organisation_id = ? AND l.held_id IN (${questionMarks(heldIds.length)})`,
      [organisation, ...heldIds],
    );
    return Number(row!.holders);
  }

  override async save(changes: readonly RecordChange[], scope: Scope): Promise<string[]> {
    if (changes.length === 0) return [];
    const organisation = scope.shelf.organisation;
    // All changes begin at one moment, strictly later than all earlier revisions, even when clocks of processes differ.
    const beganAt = Math.max(scope.now, ...changes.map(({ before }) => (before ? before.updatedAt + 1 : 0)));
    const placed = changes.map((change): Placed => {
      const { before, document, holds } = change;
      return {
        change,
        id: before?.id ?? newId(scope.now),
        documentId:
          before && (!document || document.hash === before.documentHash) ? before.documentId : newId(scope.now),
        holdingId: holds ? (holds.length > 0 ? idOfList(holds) : null) : (before?.holdingId ?? null),
      };
    });
    // Writes the rows of all tables in key order, so that all writers lock in one order.
    placed.sort((a, b) => (a.change.reference < b.change.reference ? -1 : 1));
    await this.addDocuments(organisation, placed);
    await this.copyDocuments(organisation, placed);
    await this.putRecords(organisation, placed, beganAt, scope);
    await this.addRevisions(organisation, placed, beganAt, scope);
    await this.changeTags(organisation, placed);
    await this.addHoldings(organisation, placed);
    await this.addFormerReferences(organisation, placed);
    await this.searchTexts.follow(organisation, placed);
    const ids = new Map(placed.map(({ change, id }) => [change, id]));
    return changes.map((change) => ids.get(change)!);
  }

  private async addDocuments(organisation: number, placed: Placed[]): Promise<void> {
    await this.database.insert(
      'document',
      ['organisation_id', 'id', 'hash', 'body', 'extras'],
      placed
        .filter(({ change, documentId }) => change.document && change.before?.documentId !== documentId)
        .map(({ change: { document }, documentId }) => [
          organisation,
          documentId,
          document!.hash,
          document!.body,
          document!.extras,
        ]),
    );
  }

  /** Copies inside the database, so that bodies of many megabytes are not sent back and forth. */
  private async copyDocuments(organisation: number, placed: Placed[]): Promise<void> {
    const copies = placed.filter(({ change: { before, document } }) => !before && !document);
    for (const part of inParts(copies, PAIR_BATCH_SIZE)) {
      const copied = await this.database.write(
        `INSERT INTO document (organisation_id, id, hash, body, extras)
         SELECT d.organisation_id, CASE v.record_id ${'WHEN ? THEN ? '.repeat(part.length)} END, d.hash, d.body, d.extras
         FROM revision v JOIN document d ON d.organisation_id = v.organisation_id AND d.id = v.document_id
         WHERE v.organisation_id = ? AND ${this.database.dialect.pairs('v.record_id', 'v.began_at', part.length)}`,
        [
          ...part.flatMap(({ change: { origin }, documentId }) => [origin!.id, documentId]),
          organisation,
          ...part.flatMap(({ change: { origin } }) => [origin!.id, origin!.at]),
        ],
      );
      // Fails when rows are missing, because a record without a document would never be visible again.
      if (copied !== part.length) throw new Error(`${part.length} documents were to be copied, ${copied} were.`);
    }
  }

  private async putRecords(organisation: number, placed: Placed[], beganAt: number, scope: Scope): Promise<void> {
    const rowsOf = (wanted: Placed[]) => wanted.map((one) => bankRow(organisation, one, beganAt, scope));
    const { onDuplicate } = this.database.dialect;
    const isNew = ({ change }: Placed) => !change.before;
    // Inserts new records separately, so that a row with the same reference is an error and stays.
    await this.database.insert('bank_record', BANK_COLUMNS, rowsOf(placed.filter(isNew)));
    await this.database.insert(
      'bank_record',
      BANK_COLUMNS,
      rowsOf(placed.filter((one) => !isNew(one))),
      onDuplicate(['organisation_id', 'kind', 'id'], CHANGING_COLUMNS),
    );
  }

  private async addRevisions(organisation: number, placed: Placed[], beganAt: number, scope: Scope): Promise<void> {
    await this.database.insert(
      'revision',
      REVISION_COLUMNS,
      placed.map((one) => revisionRow(organisation, one, beganAt, scope)),
    );
  }

  /** Writes only the differences, because most sets change few tags. */
  private async changeTags(organisation: number, placed: Placed[]): Promise<void> {
    const removed: { kind: Kind; tagId: string; id: string }[] = [];
    const added: typeof removed = [];
    for (const { change, id } of placed) {
      const { kind } = change;
      const before = new Set(change.before?.tagIds);
      const now = new Set(change.tagIds);
      for (const tagId of before) if (!now.has(tagId)) removed.push({ kind, tagId, id });
      for (const tagId of now) if (!before.has(tagId)) added.push({ kind, tagId, id });
    }
    for (const kind of new Set(removed.map((row) => row.kind))) {
      const rows = removed.filter((row) => row.kind === kind).sort(byTag);
      for (const part of inParts(rows, PAIR_BATCH_SIZE))
        await this.database.write(
          `DELETE FROM bank_tag WHERE organisation_id = ? AND kind = ?
           AND ${this.database.dialect.pairs('tag_id', 'record_id', part.length)}`,
          [organisation, kind, ...part.flatMap(({ tagId, id }) => [tagId, id])],
        );
    }
    await this.database.insert(
      'bank_tag',
      ['organisation_id', 'kind', 'tag_id', 'record_id'],
      added.sort(byTag).map(({ kind, tagId, id }) => [organisation, kind, tagId, id]),
    );
    await this.database.insert(
      'former_tag',
      ['organisation_id', 'kind', 'tag_id', 'record_id'],
      removed.sort(byTag).map(({ kind, tagId, id }) => [organisation, kind, tagId, id]),
      this.database.dialect.onDuplicate(['organisation_id', 'kind', 'tag_id', 'record_id'], []),
    );
  }

  /** Adds new lists. Lists are immutable: an unchanged or shared list already exists. */
  private async addHoldings(organisation: number, placed: Placed[]): Promise<void> {
    const added = new Map(
      placed.flatMap(({ change, holdingId }) =>
        holdingId !== null && holdingId !== change.before?.holdingId ? [[holdingId, change.holds!]] : [],
      ),
    );
    await this.database.insert(
      'holding',
      ['organisation_id', 'id', 'position', 'held_id'],
      [...added]
        .sort(([a], [b]) => (a < b ? -1 : 1))
        .flatMap(([id, heldIds]) => heldIds.map((heldId, position) => [organisation, id, position, heldId])),
      this.database.dialect.onDuplicate(['organisation_id', 'id', 'position'], []),
    );
  }

  private async addFormerReferences(organisation: number, placed: Placed[]): Promise<void> {
    await this.database.insert(
      'former_reference',
      ['organisation_id', 'family', 'reference', 'record_id'],
      placed
        .filter(({ change: { before, reference } }) => before && before.reference !== reference)
        .map(({ change: { before, kind }, id }) => [organisation, FAMILY[kind], before!.reference, id]),
      this.database.dialect.onDuplicate(['organisation_id', 'family', 'reference', 'record_id'], []),
    );
  }

  private async locked<Row extends CurrentRow>(
    organisation: number,
    family: Family,
    references: readonly string[],
    columns: string,
    how: string,
  ): Promise<Map<string, WithTags<Row>>> {
    if (references.length === 0) return new Map();
    const rows = await this.database.rows<Row>(
      `SELECT ${this.database.dialect.inWrittenOrder} ${columns} FROM ${RECORDS}
       WHERE r.organisation_id = ? AND r.family = ? AND r.reference IN (${questionMarks(references.length)})
       ORDER BY r.reference ${how}`,
      [organisation, family, ...references],
    );
    return new Map((await this.withTags(organisation, rows)).map((record) => [record.reference, record]));
  }

  private async withTags<Row extends CurrentRow>(organisation: number, rows: readonly Row[]): Promise<WithTags<Row>[]> {
    const setIds = rows.flatMap(({ tagSetId }) => tagSetId ?? []);
    const tagIds = await this.tagSets.of(organisation, setIds);
    return rows.map((row) => ({ ...row, tagIds: row.tagSetId === null ? [] : tagIds.get(row.tagSetId)! }));
  }
}

function byTag(a: { tagId: string; id: string }, b: { tagId: string; id: string }): number {
  return a.tagId < b.tagId ? -1 : a.tagId > b.tagId ? 1 : a.id < b.id ? -1 : 1;
}
