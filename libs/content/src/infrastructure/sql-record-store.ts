import { Inject, Injectable } from '@nestjs/common';
import { type JsonText, newId, type Scope } from '#kernel';
import { Database, type Parameter, questionMarks } from '#platform';
import { readTagIds, tagIdsColumn } from '#tagging';
import { type CurrentRecord, type HeldRecord, type RecordChange, RecordStore } from '../application/ports/record-store';
import { FAMILY, type Family, type Kind, type Status } from '../domain/record';

interface CurrentRow {
  id: string;
  kind: Kind;
  reference: string;
  title_key: string;
  type: string | null;
  status: Status | null;
  workflow_id: string | null;
  workflow_state: string | null;
  document_id: string;
  tag_set_id: string | null;
  created_by: string | null;
  updated_at: number;
  hash: string;
  body: JsonText;
  extras: JsonText | null;
  tag_ids: string | null;
}

/** A change with what its rows need: the id of the record and of its document. */
interface Placed {
  change: RecordChange;
  id: string;
  documentId: string;
}

const AT_ONCE = 10_000;
/** Of many more pairs MySQL makes no ranges, but goes through the whole table. */
const PAIRS_AT_ONCE = 500;

const BANK_COLUMNS = [
  'organisation_id',
  'kind',
  'id',
  'family',
  'reference',
  'title_key',
  'type',
  'status',
  'workflow_id',
  'workflow_state',
  'document_id',
  'tag_set_id',
  'created_by',
  'updated_by',
  'updated_at',
];

/**
 * Records with their documents. The documents, which nobody changes, are locked too: so a statement that waited for a
 * record sees what the writer before left of it, not what was there when the statement began.
 */
const RECORDS = 'bank_record r JOIN document d ON d.organisation_id = r.organisation_id AND d.id = r.document_id';

@Injectable()
export class SqlRecordStore extends RecordStore {
  constructor(@Inject(Database) private readonly database: Database) {
    super();
  }

  override async lock(
    organisation: number,
    family: Family,
    references: readonly string[],
  ): Promise<Map<string, CurrentRecord>> {
    if (references.length === 0) return new Map();
    const rows = await this.database.rows<CurrentRow>(
      `SELECT ${this.currentColumns()} FROM ${RECORDS}
       WHERE r.organisation_id = ? AND r.family = ? AND r.reference IN (${questionMarks(references.length)})
       ORDER BY r.reference ${this.database.dialect.forUpdate}`,
      [organisation, family, ...references],
    );
    return new Map(rows.map((row) => [row.reference, currentOf(row)]));
  }

  override async hold(
    organisation: number,
    family: Family,
    references: readonly string[],
  ): Promise<Map<string, HeldRecord>> {
    const held = new Map<string, HeldRecord>();
    for (const part of inParts(references)) {
      const rows = await this.database.rows<HeldRecord & { reference: string }>(
        `SELECT reference, id, kind, type FROM bank_record
         WHERE organisation_id = ? AND family = ? AND reference IN (${questionMarks(part.length)})
         ORDER BY reference ${this.database.dialect.forShare}`,
        [organisation, family, ...part],
      );
      for (const { reference, id, kind, type } of rows) held.set(reference, { id, kind, type });
    }
    return held;
  }

  override async lockHolders(organisation: number, heldIds: readonly string[], limit: number) {
    const found: CurrentRecord[] = [];
    // One kind at a time: a record is found by its id only together with its kind.
    for (const kind of ['activity', 'item'] satisfies Kind[]) {
      const rows = await this.database.rows<CurrentRow>(
        `SELECT ${this.currentColumns()} FROM ${RECORDS}
         WHERE r.organisation_id = ? AND r.kind = ? AND r.id IN (
           SELECT holder_id FROM bank_link WHERE organisation_id = ? AND held_id IN (${questionMarks(heldIds.length)}))
         ORDER BY r.reference LIMIT ${limit - found.length} ${this.database.dialect.forUpdate}`,
        [organisation, kind, organisation, ...heldIds],
      );
      found.push(...rows.map(currentOf));
    }
    return found;
  }

  override async countHolders(organisation: number, heldIds: readonly string[]): Promise<number> {
    const row = await this.database.row<{ holders: number | string }>(
      `SELECT COUNT(DISTINCT holder_id) AS holders FROM bank_link
       WHERE organisation_id = ? AND held_id IN (${questionMarks(heldIds.length)})`,
      [organisation, ...heldIds],
    );
    return Number(row!.holders);
  }

  override async save(changes: readonly RecordChange[], scope: Scope): Promise<string[]> {
    const organisation = scope.shelf.organisation;
    // One moment for all, strictly later than the revisions before, whatever the clocks of several processes say.
    const beganAt = Math.max(scope.now, ...changes.map(({ before }) => (before ? before.updatedAt + 1 : 0)));
    const placed = changes.map((change): Placed => {
      const { before, document } = change;
      return {
        change,
        id: before?.id ?? newId(scope.now),
        documentId:
          before && (!document || document.hash === before.documentHash) ? before.documentId : newId(scope.now),
      };
    });
    // Rows of all tables are written in the order of their keys, so that writers meet in one order.
    placed.sort((a, b) => (a.change.reference < b.change.reference ? -1 : 1));
    await this.addDocuments(organisation, placed);
    await this.putRecords(organisation, placed, beganAt, scope);
    await this.addRevisions(organisation, placed, beganAt, scope);
    await this.changeTags(organisation, placed);
    await this.changeLinks(organisation, placed);
    const ids = new Map(placed.map(({ change, id }) => [change, id]));
    return changes.map((change) => ids.get(change)!);
  }

  private async addDocuments(organisation: number, placed: Placed[]): Promise<void> {
    await this.database.insert(
      'document',
      ['organisation_id', 'id', 'hash', 'body', 'extras'],
      placed
        .filter(({ change, documentId }) => change.before?.documentId !== documentId)
        .map(({ change: { document }, documentId }) => [
          organisation,
          documentId,
          document!.hash,
          document!.body,
          document!.extras,
        ]),
    );
  }

  private async putRecords(organisation: number, placed: Placed[], beganAt: number, { author }: Scope): Promise<void> {
    const rowOf = ({ change, id, documentId }: Placed): Parameter[] => [
      organisation,
      change.kind,
      id,
      FAMILY[change.kind],
      change.reference,
      change.titleKey,
      change.type,
      change.status,
      change.before?.workflowId ?? null,
      change.before?.workflowState ?? null,
      documentId,
      change.tagSetId,
      change.before ? change.before.createdBy : (author?.id ?? null),
      author?.id ?? null,
      beganAt,
    ];
    // New records on their own: meeting a row with the same reference must fail, not change that row.
    await this.database.insert('bank_record', BANK_COLUMNS, placed.filter(({ change }) => !change.before).map(rowOf));
    await this.database.insert(
      'bank_record',
      BANK_COLUMNS,
      placed.filter(({ change }) => change.before).map(rowOf),
      this.database.dialect.onDuplicate(
        ['organisation_id', 'kind', 'id'],
        [
          'reference',
          'title_key',
          'type',
          'status',
          'workflow_id',
          'workflow_state',
          'document_id',
          'tag_set_id',
          'updated_by',
          'updated_at',
        ],
      ),
    );
  }

  private async addRevisions(
    organisation: number,
    placed: Placed[],
    beganAt: number,
    { author, operation }: Scope,
  ): Promise<void> {
    await this.database.insert(
      'revision',
      [
        'organisation_id',
        'record_id',
        'began_at',
        'kind',
        'reference',
        'title_key',
        'type',
        'status',
        'workflow_id',
        'workflow_state',
        'document_id',
        'tag_set_id',
        'author_id',
        'operation',
      ],
      placed.map(({ change, id, documentId }) => [
        organisation,
        id,
        beganAt,
        change.kind,
        change.reference,
        change.titleKey,
        change.type,
        change.status,
        change.before?.workflowId ?? null,
        change.before?.workflowState ?? null,
        documentId,
        change.tagSetId,
        author?.id ?? null,
        operation,
      ]),
    );
  }

  /** Only the differences are written: most sets change few tags. */
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
      for (const part of inParts(rows, PAIRS_AT_ONCE))
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
  }

  private async changeLinks(organisation: number, placed: Placed[]): Promise<void> {
    const holders = placed.filter(({ change }) => change.holds);
    const existing = holders.filter(({ change }) => change.before).map(({ id }) => id);
    const stored = new Map<string, Map<string, number>>();
    if (existing.length > 0) {
      const rows = await this.database.rows<{ holder_id: string; held_id: string; position: number }>(
        `SELECT holder_id, held_id, position FROM bank_link
         WHERE organisation_id = ? AND holder_id IN (${questionMarks(existing.length)})`,
        [organisation, ...existing],
      );
      for (const { holder_id, held_id, position } of rows)
        stored.set(holder_id, (stored.get(holder_id) ?? new Map<string, number>()).set(held_id, position));
    }
    const removed: [holder: string, held: string][] = [];
    const put: [holder: string, held: string, position: number][] = [];
    for (const { change, id } of holders) {
      const before = stored.get(id) ?? new Map<string, number>();
      for (const held of before.keys()) if (!change.holds!.includes(held)) removed.push([id, held]);
      for (const [position, held] of change.holds!.entries())
        if (before.get(held) !== position) put.push([id, held, position]);
    }
    for (const part of inParts(removed, PAIRS_AT_ONCE))
      await this.database.write(
        `DELETE FROM bank_link WHERE organisation_id = ? AND ${this.database.dialect.pairs('holder_id', 'held_id', part.length)}`,
        [organisation, ...part.flat()],
      );
    put.sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
    await this.database.insert(
      'bank_link',
      ['organisation_id', 'holder_id', 'held_id', 'position'],
      put.map((row) => [organisation, ...row]),
      this.database.dialect.onDuplicate(['organisation_id', 'holder_id', 'held_id'], ['position']),
    );
  }

  private currentColumns(): string {
    return `r.id, r.kind, r.reference, r.title_key, r.type, r.status, r.workflow_id, r.workflow_state, r.document_id,
      r.tag_set_id, r.created_by, r.updated_at, d.hash, d.body, d.extras,
      ${tagIdsColumn(this.database.dialect, 'r')} AS tag_ids`;
  }
}

/** What one statement takes: an embedded database has room for 32,766 parameters. One part but for huge requests. */
function* inParts<T>(list: readonly T[], most = AT_ONCE): Iterable<readonly T[]> {
  for (let from = 0; from < list.length; from += most) yield list.slice(from, from + most);
}

function byTag(a: { tagId: string; id: string }, b: { tagId: string; id: string }): number {
  return a.tagId < b.tagId ? -1 : a.tagId > b.tagId ? 1 : a.id < b.id ? -1 : 1;
}

function currentOf(row: CurrentRow): CurrentRecord {
  return {
    id: row.id,
    kind: row.kind,
    reference: row.reference,
    titleKey: row.title_key,
    type: row.type,
    status: row.status,
    workflowId: row.workflow_id,
    workflowState: row.workflow_state,
    documentId: row.document_id,
    documentHash: row.hash,
    body: row.body,
    extras: row.extras,
    tagSetId: row.tag_set_id,
    tagIds: readTagIds(row.tag_ids),
    createdBy: row.created_by,
    updatedAt: row.updated_at,
  };
}
