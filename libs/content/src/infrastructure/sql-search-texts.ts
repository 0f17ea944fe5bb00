import { grouped, inParts } from '#kernel';
import { type Database, questionMarks } from '#platform';
import { type Kind } from '../domain/record';
import { textOfBody } from '../domain/search-text';
import { indexedWords } from '../domain/search-words';
import { type Placed } from './record-rows';

/**
 * The maximum number of changed records, and of items that hold them, that a unit of work indexes itself. With more,
 * all of them wait.
 */
const MAX_DIRECT_CHANGES = 10;
/** Items whose texts are read at a time. */
const ITEMS = 100;
/** Documents read at a time, with their bodies, which may be large. */
const DOCUMENTS = 20;
/** Rows per statement: SQLite allows 32,766 parameters. */
const BATCH_SIZE = 10_000;

/** A text of an item: its own, or that of a widget that it holds. */
interface ItemText {
  item: string;
  /** Reference of the item. */
  name: string;
  id: string;
  kind: 'item' | 'question' | 'feature';
  reference: string;
  /** Null: not extracted yet. */
  text: string | null;
}

const KEY = ['organisation_id', 'record_id'];

/**
 * Keeps the texts of records, and the words of items, equal to their present documents. Full-text indexes are slow to
 * write: indexing fifty items would take longer than the rest of a set. So a unit of work that changes many records
 * only marks them as waiting, and `fill` indexes them.
 */
export class SqlSearchTexts {
  constructor(private readonly database: Database) {}

  /** Updates the index after changes of records, in the same unit of work. */
  async follow(organisation: number, placed: readonly Placed[]): Promise<void> {
    const changed = placed.filter(isChanged);
    if (changed.length > MAX_DIRECT_CHANGES) {
      // No item holds a new question yet.
      const waiting = changed.filter(({ change }) => change.kind === 'item' || change.before);
      await this.wait(
        organisation,
        waiting.map(({ id }) => id),
      );
      return;
    }
    await this.copyTexts(organisation, changed);
    const written = changed.filter(({ change: { document } }) => document);
    const before = await this.storedTexts(
      organisation,
      written.flatMap(({ change, id }) => (change.before ? [id] : [])),
    );
    const differing = written.filter(({ change, id }) => before.get(id) !== change.document!.says());
    await this.putTexts(
      organisation,
      differing.map(({ change, id }) => [id, change.document!.says()]),
      ['text'],
    );
    const isDifferent = new Set(differing);
    const items = written.filter((one) => one.change.kind === 'item' && (isDifferent.has(one) || isMoved(one)));
    const widgets = differing.filter(({ change }) => change.kind !== 'item' && change.before).map(({ id }) => id);
    const holders = await this.holders(organisation, widgets);
    if (holders.length > MAX_DIRECT_CHANGES) await this.wait(organisation, widgets);
    await this.rebuild(
      organisation,
      items.map(({ id }) => id),
      holders.length > MAX_DIRECT_CHANGES ? [] : holders,
    );
  }

  /** Indexes at most `limit` waiting records. Returns the number of processed records. */
  async fill(limit: number): Promise<number> {
    const rows = await this.database.rows<{ organisation: number; id: string }>(
      `SELECT organisation_id AS organisation, record_id AS id FROM search_pending
       ORDER BY organisation_id, record_id LIMIT ${limit}`,
    );
    for (const organisation of new Set(rows.map((row) => row.organisation))) {
      const ids = rows.filter((row) => row.organisation === organisation).map(({ id }) => id);
      await this.database.run(() => this.fillFor(organisation, ids));
    }
    return rows.length;
  }

  private async fillFor(organisation: number, ids: readonly string[]): Promise<void> {
    const { forShare, forUpdate } = this.database.dialect;
    const marks = questionMarks(ids.length);
    const kinds = new Map<string, Kind>();
    // Locks in the order of all writers, so that changes of a concurrent writer are read after its commit.
    for (const list of [`'question', 'feature'`, `'item'`]) {
      const records = await this.database.rows<{ id: string; kind: Kind }>(
        `SELECT id, kind FROM bank_record WHERE organisation_id = ? AND kind IN (${list}) AND id IN (${marks})
         ORDER BY reference ${forShare}`,
        [organisation, ...ids],
      );
      for (const { id, kind } of records) kinds.set(id, kind);
    }
    // Another process may have been faster.
    const left = await this.database.rows<{ id: string }>(
      `SELECT record_id AS id FROM search_pending WHERE organisation_id = ? AND record_id IN (${marks})
       ORDER BY record_id ${forUpdate}`,
      [organisation, ...ids],
    );
    const waiting = left.map(({ id }) => id);
    await this.extract(organisation, new Map(waiting.flatMap((id) => (kinds.has(id) ? [[id, kinds.get(id)!]] : []))), [
      'text',
    ]);
    const items = waiting.filter((id) => kinds.get(id) === 'item');
    // Texts that a writer stored meanwhile are newer and stay.
    const missing = await this.widgetTexts(organisation, items, 'AND t.record_id IS NULL');
    await this.extract(organisation, new Map(missing.map(({ id, kind }) => [id, kind])), []);
    await this.rebuild(organisation, items, []);
    const own = { sql: 'organisation_id = ?', parameters: [organisation] };
    await this.database.remove('search_pending', own, 'record_id', waiting);
    const widgets = waiting.filter((id) => kinds.has(id) && kinds.get(id) !== 'item');
    await this.waitForHolders(organisation, widgets);
  }

  /** The texts of items: first the text of the item, then those of its widgets, in order. */
  async textsOf(organisation: number, items: readonly string[]): Promise<ItemText[]> {
    if (items.length === 0) return [];
    return this.database.rows<ItemText>(
      `SELECT r.id AS item, r.reference AS name, -1 AS position, r.id, r.kind, r.reference, t.text
       FROM bank_record r LEFT JOIN record_text t ON t.organisation_id = r.organisation_id AND t.record_id = r.id
       WHERE r.organisation_id = ? AND r.kind = 'item' AND r.id IN (${questionMarks(items.length)})
       UNION ALL ${textsOfWidgets(items.length)} ORDER BY item, position`,
      [organisation, ...items, organisation, ...items],
    );
  }

  /** The texts of the widgets of items that meet `condition`, in order. */
  async widgetTexts(organisation: number, items: readonly string[], condition = ''): Promise<ItemText[]> {
    if (items.length === 0) return [];
    const sql = `${textsOfWidgets(items.length)} ${condition} ORDER BY item, position`;
    return this.database.rows<ItemText>(sql, [organisation, ...items]);
  }

  private async copyTexts(organisation: number, placed: readonly Placed[]): Promise<void> {
    const copies = placed.filter(({ change: { before, document } }) => !before && !document);
    for (const part of inParts(copies, BATCH_SIZE))
      await this.database.write(
        `INSERT INTO record_text (organisation_id, record_id, text)
         SELECT organisation_id, CASE record_id ${'WHEN ? THEN ? '.repeat(part.length)} END, text
         FROM record_text WHERE organisation_id = ? AND record_id IN (${questionMarks(part.length)})`,
        [
          ...part.flatMap(({ change: { origin }, id }) => [origin!.id, id]),
          organisation,
          ...part.map(({ change: { origin } }) => origin!.id),
        ],
      );
  }

  private async storedTexts(organisation: number, ids: readonly string[]): Promise<Map<string, string>> {
    const found = new Map<string, string>();
    for (const part of inParts(ids, BATCH_SIZE)) {
      const rows = await this.database.rows<{ id: string; text: string }>(
        `SELECT record_id AS id, text FROM record_text
         WHERE organisation_id = ? AND record_id IN (${questionMarks(part.length)})`,
        [organisation, ...part],
      );
      for (const { id, text } of rows) found.set(id, text);
    }
    return found;
  }

  /** @param columns the columns that an existing row gets. */
  private async putTexts(
    organisation: number,
    texts: readonly (readonly [id: string, text: string])[],
    columns: string[],
  ): Promise<void> {
    await this.database.insert(
      'record_text',
      [...KEY, 'text'],
      [...texts].sort(([a], [b]) => (a < b ? -1 : 1)).map(([id, text]) => [organisation, id, text]),
      this.database.dialect.onDuplicate(KEY, columns),
    );
  }

  /** Items that hold changed widgets: at most one more than a unit of work may index. */
  private async holders(organisation: number, widgets: readonly string[]): Promise<string[]> {
    if (widgets.length === 0) return [];
    const rows = await this.database.rows<{ id: string }>(
      `SELECT r.id ${holdersOf(widgets)} LIMIT ${MAX_DIRECT_CHANGES + 1}`,
      [organisation, organisation, ...widgets],
    );
    return rows.map(({ id }) => id);
  }

  private async waitForHolders(organisation: number, widgets: readonly string[]): Promise<void> {
    if (widgets.length === 0) return;
    await this.database.write(
      // Renames the columns, because their names would be ambiguous after ON DUPLICATE.
      `INSERT INTO search_pending (organisation_id, record_id)
       SELECT holder.bank, holder.item
       FROM (SELECT r.organisation_id AS bank, r.id AS item ${holdersOf(widgets)}) holder WHERE 1 = 1
       ${this.database.dialect.onDuplicate(KEY, [])}`,
      [organisation, organisation, ...widgets],
    );
  }

  private async wait(organisation: number, ids: readonly string[]): Promise<void> {
    await this.database.insert(
      'search_pending',
      KEY,
      [...ids].sort().map((id) => [organisation, id]),
      this.database.dialect.onDuplicate(KEY, []),
    );
  }

  /**
   * Writes the words of items again.
   * @param followers only items that are indexed already. Another writer may be about to index the others without this
   *   change, so they have to wait.
   */
  private async rebuild(organisation: number, items: readonly string[], followers: readonly string[]): Promise<void> {
    for (const ids of inParts([...new Set([...items, ...followers])].sort(), ITEMS)) {
      const rows = await this.database.rows<{ id: string }>(
        `SELECT record_id AS id FROM search_text WHERE organisation_id = ? AND record_id IN (${questionMarks(ids.length)})
         ORDER BY record_id ${this.database.dialect.forUpdate}`,
        [organisation, ...ids],
      );
      const indexed = new Set([...items, ...rows.map(({ id }) => id)]);
      const texts = byItem(await this.textsOf(organisation, ids));
      const ready = ids.filter((id) => indexed.has(id) && texts.get(id)?.every(({ text }) => text !== null));
      // ON DUPLICATE is not used, because MySQL would index only the last of several rows.
      const isReady = new Set(ready);
      const old = rows.flatMap(({ id }) => (isReady.has(id) ? [id] : []));
      await this.database.remove(
        'search_text',
        { sql: 'organisation_id = ?', parameters: [organisation] },
        KEY[1]!,
        old,
      );
      await this.database.insert(
        'search_text',
        [...KEY, 'words'],
        ready.map((id) => [organisation, id, wordsOfItem(texts.get(id)!)]),
      );
      await this.wait(
        organisation,
        ids.filter((id) => !isReady.has(id)),
      );
    }
  }

  /** Reads the texts of records from their documents. */
  private async extract(organisation: number, records: ReadonlyMap<string, Kind>, columns: string[]): Promise<void> {
    for (const kind of new Set(records.values())) {
      const ids = [...records].flatMap(([id, of]) => (of === kind ? [id] : []));
      for (const part of inParts(ids.sort(), DOCUMENTS)) {
        const rows = await this.database.rows<{ id: string; body: string }>(
          `SELECT r.id, d.body FROM bank_record r
           JOIN document d ON d.organisation_id = r.organisation_id AND d.id = r.document_id
           WHERE r.organisation_id = ? AND r.kind = ? AND r.id IN (${questionMarks(part.length)}) ORDER BY r.id`,
          [organisation, kind, ...part],
        );
        // A record with a damaged body has no text, and does not keep others from being indexed.
        const texts = rows.map(({ id, body }) => [id, textOfBody(body) ?? ''] as const);
        await this.putTexts(organisation, texts, columns);
      }
    }
  }
}

/**
 * Joins twice, once for each kind: with `kind IN (…)`, a server would read the whole bank. The texts come first, so that
 * a search for missing ones joins nothing else.
 */
function textsOfWidgets(items: number): string {
  return `SELECT r.id AS item, r.reference AS name, l.position, l.held_id AS id, COALESCE(q.kind, f.kind) AS kind,
      COALESCE(q.reference, f.reference) AS reference, t.text
    FROM bank_record r JOIN holding l ON l.organisation_id = r.organisation_id AND l.id = r.holding_id
    LEFT JOIN record_text t ON t.organisation_id = l.organisation_id AND t.record_id = l.held_id
    LEFT JOIN bank_record q ON q.organisation_id = l.organisation_id AND q.kind = 'question' AND q.id = l.held_id
    LEFT JOIN bank_record f ON f.organisation_id = l.organisation_id AND f.kind = 'feature' AND f.id = l.held_id
    WHERE r.organisation_id = ? AND r.kind = 'item' AND r.id IN (${questionMarks(items)}) AND COALESCE(q.id, f.id) IS NOT NULL`;
}

/** FROM and WHERE of the items that hold one of the widgets. Parameters: the organisation twice, the widgets. */
function holdersOf(widgets: readonly string[]): string {
  return `FROM bank_record r WHERE r.organisation_id = ? AND r.kind = 'item' AND r.holding_id IN (
    SELECT l.id FROM holding l WHERE l.organisation_id = ? AND l.held_id IN (${questionMarks(widgets.length)}))`;
}

/** Whether the change affects the indexed text. */
function isChanged(one: Placed): boolean {
  const { kind, before, document } = one.change;
  return (
    kind !== 'activity' && (!before || isMoved(one) || (document && document.hash !== before.documentHash) === true)
  );
}

/** Whether the change affects the reference or the widgets of an item. */
function isMoved({ change, holdingId }: Placed): boolean {
  return change.reference !== change.before?.reference || holdingId !== change.before?.holdingId;
}

export function wordsOfItem(texts: readonly ItemText[]): string {
  return indexedWords([texts[0]!.name, ...texts.map(({ text }) => text ?? '')]);
}

export const byItem = (texts: readonly ItemText[]): Map<string, ItemText[]> =>
  grouped(texts.map((each) => [each.item, each]));
