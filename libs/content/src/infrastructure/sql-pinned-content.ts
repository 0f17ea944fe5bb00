import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { grouped, inParts, type JsonText, type Shelf } from '#kernel';
import { Conditions, Database, questionMarks } from '#platform';
import {
  type Pinned,
  PinnedContent,
  type PinnedItem,
  type PinnedQuestion,
  type PinnedRecord,
  type RecordPast,
} from '../application/ports/pinned-content';
import { type FormerDocument } from '../domain/former';
import { type WidgetMention, widgetsOf } from '../domain/item';
import { FAMILY, type Kind } from '../domain/record';

const BATCH_SIZE = 500;
/** Servers refuse a comparison of the column with any other text. */
const HASH = /^[0-9a-f]{64}$/;
/** Characters that the items in memory have in all. */
const MAX_KEPT = 8 * 1024 * 1024;

interface DocumentRow {
  document_id: string;
  hash: string;
  body: JsonText;
  extras: JsonText | null;
}

interface Row extends DocumentRow {
  record_id: string;
  reference: string;
  type: string | null;
}

/** An item and one of the widgets that it holds, without their documents. */
interface HeldRow {
  record_id: string;
  reference: string;
  status: string | null;
  document_id: string;
  question: string | null;
  type: string | null;
  question_document: string | null;
  feature: string | null;
}

const COLUMNS = 'd.id AS document_id, d.hash, d.body, d.extras';

@Injectable()
export class SqlPinnedContent extends PinnedContent {
  /** Items by everything that can change of them: the rows of `held`. Documents never change. */
  private readonly known = new LRUCache<string, PinnedItem>({ maxSize: MAX_KEPT });

  constructor(private readonly database: Database) {
    super();
  }

  override async items(shelf: Shelf, references: readonly string[]): Promise<Map<string, PinnedItem>> {
    const items = new Map<string, PinnedItem>();
    for (const part of inParts([...new Set(references)], BATCH_SIZE)) {
      const found = (await this.held(shelf, part)).map((rows) => {
        const key = `${shelf.organisation}\n${rows.map((row) => Object.values(row).join('\n')).join('\n')}`;
        return { rows, key, known: this.known.get(key) };
      });
      const documents = await this.read(
        shelf.organisation,
        found.flatMap(({ rows, known }) => (known ? [] : documentsOf(rows))),
      );
      for (const { rows, key, known } of found) {
        const item = known ?? itemOf(rows, documents, shelf.organisation);
        if (!known) this.known.set(key, item, { size: key.length + sizeOf(item) });
        items.set(item.reference, item);
      }
    }
    return items;
  }

  override async features(shelf: Shelf, references: readonly string[]): Promise<Map<string, PinnedQuestion>> {
    const features = new Map<string, PinnedQuestion>();
    for (const part of inParts([...new Set(references)], BATCH_SIZE))
      for (const row of await this.records(shelf, 'feature', part))
        features.set(row.reference, {
          ...pinned(row, shelf.organisation),
          reference: row.reference,
          type: row.type ?? '',
        });
    return features;
  }

  override async activity(shelf: Shelf, reference: string): Promise<Pinned | undefined> {
    const [row] = await this.records(shelf, 'activity', [reference]);
    return row && pinned(row, shelf.organisation);
  }

  override async documents(organisation: number, ids: readonly string[]): Promise<Map<string, Pinned>> {
    const found = new Map<string, Pinned>();
    for (const [id, row] of await this.read(organisation, ids)) found.set(id, pinned(row, organisation));
    return found;
  }

  override async hashes(organisation: number, ids: readonly string[]): Promise<Map<string, string>> {
    const found = new Map<string, string>();
    for (const part of inParts([...new Set(ids)], BATCH_SIZE)) {
      const rows = await this.database.rows<{ id: string; hash: string }>(
        `SELECT d.id, d.hash FROM document d WHERE d.organisation_id = ? AND d.id IN (${questionMarks(part.length)})`,
        [organisation, ...part],
      );
      for (const { id, hash } of rows) found.set(id, hash);
    }
    return found;
  }

  override async ever(
    organisation: number,
    kind: Kind,
    wanted: readonly { reference: string; hash: string }[],
  ): Promise<PinnedRecord[]> {
    const found = new Map<string, PinnedRecord>();
    const keyOf = ({ reference, hash }: { reference: string; hash: string }) => `${hash} ${reference}`;
    const asked = new Map(wanted.filter(({ hash }) => HASH.test(hash)).map((each) => [keyOf(each), each]));
    for (const part of inParts([...asked.values()], BATCH_SIZE)) {
      const references = [...new Set(part.map(({ reference }) => reference))];
      const hashes = [...new Set(part.map(({ hash }) => hash))];
      const named = `organisation_id = ? AND family = ? AND reference IN (${questionMarks(references.length)})`;
      const names = [organisation, FAMILY[kind], ...references];
      const rows = await this.database.rows<Row>(
        `SELECT c.id AS record_id, c.reference, v.type, ${COLUMNS}
         FROM (SELECT organisation_id, id, reference FROM bank_record WHERE ${named}
           UNION SELECT organisation_id, record_id, reference FROM former_reference WHERE ${named}) c
         JOIN revision v ON v.organisation_id = c.organisation_id AND v.record_id = c.id
         JOIN document d ON d.organisation_id = v.organisation_id AND d.id = v.document_id
         WHERE v.kind = ? AND d.hash IN (${questionMarks(hashes.length)})
         ORDER BY v.began_at, v.record_id`,
        [...names, ...names, kind, ...hashes],
      );
      for (const row of rows)
        if (asked.has(keyOf(row)))
          found.set(keyOf(row), {
            ...pinned(row, organisation),
            record: row.record_id,
            reference: row.reference,
            type: row.type,
            extras: row.extras,
          });
    }
    return [...found.values()];
  }

  override async pastOf(organisation: number, record: string): Promise<RecordPast> {
    const rows = await this.database.rows<{ reference: string; document_id: string }>(
      'SELECT DISTINCT reference, document_id FROM revision WHERE organisation_id = ? AND record_id = ?',
      [organisation, record],
    );
    return {
      references: new Set(rows.map(({ reference }) => reference)),
      documents: new Set(rows.map(({ document_id }) => document_id)),
    };
  }

  override async itemsOnceCalled(organisation: number, references: readonly string[]): Promise<Map<string, string[]>> {
    const found = new Map<string, string[]>();
    for (const part of inParts([...new Set(references)], BATCH_SIZE)) {
      const rows = await this.database.rows<{ former: string; present: string }>(
        `SELECT f.reference AS former, r.reference AS present FROM former_reference f
         JOIN bank_record r ON r.organisation_id = f.organisation_id AND r.kind = 'item' AND r.id = f.record_id
         WHERE f.organisation_id = ? AND f.family = 'item' AND f.reference IN (${questionMarks(part.length)})
           AND r.reference <> f.reference
         ORDER BY r.id`,
        [organisation, ...part],
      );
      for (const { former, present } of rows) found.set(former, [...(found.get(former) ?? []), present]);
    }
    return found;
  }

  override async wasEverDynamic(organisation: number, record: string): Promise<boolean> {
    const row = await this.database.row(
      `SELECT 1 AS found FROM revision v
       JOIN document d ON d.organisation_id = v.organisation_id AND d.id = v.document_id
       WHERE v.organisation_id = ? AND v.record_id = ? AND ${this.database.dialect.contains("COALESCE(d.extras, '')")}
       LIMIT 1`,
      // An object that is not empty.
      [organisation, record, '"dynamic_content_data":{"'],
    );
    return row !== undefined;
  }

  override async keep(organisation: number, documents: readonly FormerDocument[]): Promise<void> {
    const key = ['organisation_id', 'id'];
    // In one order, so that concurrent writers do not wait for each other in a circle.
    const inOrder = [...documents].sort((a, b) => (a.document < b.document ? -1 : 1));
    await this.database.insert(
      'document',
      [...key, 'hash', 'body'],
      inOrder.map(({ document, hash, body }) => [organisation, document, hash, body]),
      this.database.dialect.onDuplicate(key, []),
    );
  }

  /** Documents by id. */
  private async read(organisation: number, ids: readonly string[]): Promise<Map<string, DocumentRow>> {
    const found = new Map<string, DocumentRow>();
    for (const part of inParts([...new Set(ids)], BATCH_SIZE)) {
      const rows = await this.database.rows<DocumentRow>(
        `SELECT ${COLUMNS} FROM document d WHERE d.organisation_id = ? AND d.id IN (${questionMarks(part.length)})`,
        [organisation, ...part],
      );
      for (const row of rows) found.set(row.document_id, row);
    }
    return found;
  }

  private records(shelf: Shelf, kind: 'activity' | 'feature', references: readonly string[]): Promise<Row[]> {
    const { table, conditions } = shown(shelf, 'r');
    conditions.add('r.family = ? AND r.kind = ?', FAMILY[kind], kind);
    conditions.in('r.reference', references);
    return this.database.rows<Row>(
      `SELECT r.id AS record_id, r.reference, r.type, ${COLUMNS} FROM ${table} r ${this.database.dialect.bySureIndex(`${table}_reference`)}
       JOIN document d ON d.organisation_id = r.organisation_id AND d.id = r.document_id
       WHERE ${conditions.text}`,
      conditions.parameters,
    );
  }

  /** The rows of each item: one for each widget that it holds, or one without a widget. */
  private async held(shelf: Shelf, references: readonly string[]): Promise<HeldRow[][]> {
    const { table, conditions } = shown(shelf, 'r');
    const [question, feature] = [shown(shelf, 'q').conditions, shown(shelf, 'f').conditions];
    const { dialect } = this.database;
    conditions.add("r.family = 'item'");
    conditions.in('r.reference', references);
    // One join for each kind: `kind IN (…)` is not a prefix of the key of a record, so a server would scan the whole bank.
    const rows = await this.database.rows<HeldRow>(
      `SELECT r.id AS record_id, r.reference, r.status, r.document_id, q.reference AS question, q.type,
         q.document_id AS question_document, f.reference AS feature
       FROM ${table} r ${dialect.bySureIndex(`${table}_reference`)}
       LEFT JOIN holding l ON l.organisation_id = r.organisation_id AND l.id = r.holding_id
       LEFT JOIN ${table} q ON q.kind = 'question' AND q.id = l.held_id AND ${question.text}
       LEFT JOIN ${table} f ON f.kind = 'feature' AND f.id = l.held_id AND ${feature.text}
       WHERE ${conditions.text}`,
      [...question.parameters, ...feature.parameters, ...conditions.parameters],
    );
    return [...grouped(rows.map((row) => [row.record_id, row])).values()];
  }
}

/** The rows of `alias` that a shelf shows. */
function shown({ organisation, pool }: Shelf, alias: string) {
  const conditions = new Conditions();
  conditions.add(`${alias}.organisation_id = ?`, organisation);
  if (!pool) return { table: 'bank_record', conditions };
  const { id, generation } = pool;
  conditions.add(`${alias}.pool_id = ?`, id);
  conditions.add(`${alias}.from_generation <= ? AND ${alias}.to_generation > ?`, generation, generation);
  return { table: 'pool_record', conditions };
}

function pinned({ document_id, hash, body }: DocumentRow, organisation: number): Pinned {
  return { document: document_id, organisation, hash, body };
}

function documentsOf(rows: readonly HeldRow[]): string[] {
  return [rows[0]!.document_id, ...rows.flatMap(({ question_document: document }) => document ?? [])];
}

function itemOf(
  rows: readonly HeldRow[],
  documents: ReadonlyMap<string, DocumentRow>,
  organisation: number,
): PinnedItem {
  const [item] = rows as [HeldRow];
  const document = documents.get(item.document_id)!;
  const { definition, questions } = JSON.parse(document.body) as {
    definition: Parameters<typeof widgetsOf>[0];
    questions: { reference: string }[];
  };
  const places = new Map<string, number>();
  const place = ({ reference }: Pick<WidgetMention, 'reference'>) => {
    if (!places.has(reference)) places.set(reference, places.size);
  };
  widgetsOf(definition, '/definition').forEach(place);
  questions.forEach(place);
  const placeOf = ({ question, feature }: HeldRow) => places.get(question ?? feature ?? '') ?? Infinity;
  const inOrder = [...rows].sort((a, b) => placeOf(a) - placeOf(b));
  return {
    ...pinned(document, organisation),
    record: item.record_id,
    reference: item.reference,
    status: item.status,
    extras: document.extras,
    questions: inOrder.flatMap(({ question, type, question_document: id }): PinnedQuestion[] =>
      question === null
        ? []
        : [{ ...pinned(documents.get(id!)!, organisation), reference: question, type: type ?? '' }],
    ),
    features: inOrder.flatMap(({ feature }) => feature ?? []),
  };
}

function sizeOf({ body, extras, questions }: PinnedItem): number {
  return questions.reduce((size, question) => size + question.body.length, body.length + (extras?.length ?? 0));
}
