import { Injectable } from '@nestjs/common';
import { Conditions, Database, type Parameter, questionMarks } from '#platform';
import { Tags } from '#tagging';
import {
  type Hit,
  type HitPage,
  MAX_WAITING,
  type SearchConditions,
  SearchIndex,
} from '../application/ports/search-index';
import { type RecordQuery } from '../application/ports/shelf-reader';
import { type Source } from '../domain/highlights';
import { indexedTerm, type Term } from '../domain/search-words';
import { recordConditions } from './conditions';
import { byItem, SqlSearchTexts } from './sql-search-texts';
import { bankCarriers, SqlTagFilter } from './sql-tag-filter';

type HitRow = { waiting: number | string } & (Hit | { id: null });

@Injectable()
export class SqlSearchIndex extends SearchIndex {
  private readonly filter: SqlTagFilter;
  private readonly searchTexts: SqlSearchTexts;

  constructor(
    private readonly database: Database,
    tags: Tags,
  ) {
    super();
    this.filter = new SqlTagFilter(database, tags);
    this.searchTexts = new SqlSearchTexts(database);
  }

  override async find(
    organisation: number,
    terms: readonly Term[],
    conditions: SearchConditions,
    { offset, limit }: { offset: number; limit: number },
  ): Promise<HitPage> {
    const query: RecordQuery = { ...conditions, kind: 'item', sort: { field: 'created', ascending: false }, limit };
    const tags = await this.filter.plan(organisation, query, bankCarriers(organisation, 'item'), false);
    if (tags === 'nothing') return { hits: [], more: false, waiting: 0 };
    const { dialect } = this.database;
    const wanted = new Conditions();
    recordConditions(wanted, organisation, query, dialect);
    wanted.addAll(tags.conditions);
    const index = dialect.fullText('search_text', 'words');
    const text = dialect.fullTextQuery(terms.map(indexedTerm));
    const found = `SELECT s.record_id AS item, ${index.score} AS score FROM ${index.from}
      WHERE s.organisation_id = ? AND ${index.condition}`;
    const parameters: Parameter[] = index.score.includes('?') ? [text, organisation, text] : [organisation, text];
    // Without conditions, the matches need not be joined with the records.
    const isFiltered = tags.joins.sql !== '' || wanted.text !== new Conditions().text;
    const page = isFiltered
      ? `SELECT f.item, f.score FROM (${found}) f
         CROSS JOIN bank_record r ON r.organisation_id = ? AND r.kind = 'item' AND r.id = f.item ${tags.joins.sql}
         WHERE ${wanted.text}`
      : found;
    if (isFiltered) parameters.push(organisation, ...tags.joins.parameters, ...wanted.parameters);
    // Counts in the same statement, because a second one took a tenth of a search. Without hits, a row has the count alone.
    const rows = await this.database.rows<HitRow>(
      `SELECT counted.waiting, r.id, r.reference, r.status, d.body, page.score, t.text
       FROM (SELECT COUNT(*) AS waiting FROM (
         SELECT 1 FROM search_pending WHERE organisation_id = ? LIMIT ${MAX_WAITING}) pending) counted
       LEFT JOIN (${page} ORDER BY score DESC, item DESC LIMIT ${limit + 1} OFFSET ${offset}) page ON 1 = 1
       LEFT JOIN bank_record r ON r.organisation_id = ? AND r.kind = 'item' AND r.id = page.item
       LEFT JOIN document d ON d.organisation_id = r.organisation_id AND d.id = r.document_id
       LEFT JOIN record_text t ON t.organisation_id = r.organisation_id AND t.record_id = r.id`,
      [organisation, ...parameters, organisation],
    );
    // Sorted here, because a server would copy the documents to sort the rows of the joins.
    const hits = rows.filter((row): row is HitRow & Hit => row.id !== null).sort(byScore);
    return { hits: hits.slice(0, limit), more: hits.length > limit, waiting: Number(rows[0]!.waiting) };
  }

  override async widgetTexts(organisation: number, ids: readonly string[]): Promise<Map<string, Source[]>> {
    const items = byItem(await this.searchTexts.widgetTexts(organisation, ids));
    return new Map(
      [...items].map(([id, texts]) => [
        id,
        texts.map(({ kind, reference, text }): Source => ({ kind, reference, text: text ?? '' })),
      ]),
    );
  }

  override async fill(limit: number): Promise<number> {
    return this.searchTexts.fill(limit);
  }

  override async forget(organisation: number, after: string, limit: number): Promise<string | undefined> {
    return this.database.run(async () => {
      const rows = await this.database.rows<{ id: string }>(
        `SELECT id FROM bank_record WHERE organisation_id = ? AND kind = 'item' AND id > ? ORDER BY id LIMIT ${limit}`,
        [organisation, after],
      );
      if (rows.length === 0) return undefined;
      const ids = rows.map(({ id }) => id);
      const held = await this.database.rows<{ id: string }>(
        `SELECT DISTINCT l.held_id AS id FROM bank_record r
         JOIN holding l ON l.organisation_id = r.organisation_id AND l.id = r.holding_id
         WHERE r.organisation_id = ? AND r.kind = 'item' AND r.id IN (${questionMarks(ids.length)})`,
        [organisation, ...ids],
      );
      await this.database.insert(
        'search_pending',
        ['organisation_id', 'record_id'],
        ids.map((id) => [organisation, id]),
        this.database.dialect.onDuplicate(['organisation_id', 'record_id'], []),
      );
      const own = { sql: 'organisation_id = ?', parameters: [organisation] };
      await this.database.remove('record_text', own, 'record_id', [...ids, ...held.map(({ id }) => id)].sort());
      return ids.at(-1);
    });
  }
}

/** The order of a page: the best hits first, then the newest. */
function byScore(a: Hit, b: Hit): number {
  return b.score - a.score || (a.id < b.id ? 1 : -1);
}
