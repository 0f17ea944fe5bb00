import { Injectable } from '@nestjs/common';
import { Database, type NewFinding, type RowRange, Verifications } from '#platform';
import { type Kind } from '../domain/record';
import { textOfBody } from '../domain/search-text';
import { byItem, SqlSearchTexts, wordsOfItem } from './sql-search-texts';

/** The number of documents read at a time. Their bodies may be large. */
const AT_ONCE = 50;
const CURE = 'itembank reindex repairs it';

/** Checks the texts and words in the search index. */
@Injectable()
export class SearchChecks {
  private readonly searchTexts: SqlSearchTexts;

  constructor(
    private readonly database: Database,
    verifications: Verifications,
  ) {
    this.searchTexts = new SqlSearchTexts(database);
    const ofKind = (kind: Kind) => ({
      table: 'bank_record',
      column: 'id',
      where: { sql: 'kind = ?', parameters: [kind] },
    });
    for (const kind of ['item', 'question', 'feature'] as const)
      verifications.add({
        name: `texts of ${kind} records`,
        of: { ...ofKind(kind), batchSize: AT_ONCE },
        find: (range) => this.texts(range, kind),
      });
    verifications.add({
      name: 'words of items',
      of: { ...ofKind('item'), batchSize: AT_ONCE },
      find: (range) => this.words(range),
    });
  }

  /** A missing text is not an error, because indexing an item extracts the texts that it needs. */
  private async texts(range: RowRange, kind: Kind): Promise<NewFinding[]> {
    const { sql, parameters } = range.in('r', 'id');
    const rows = await this.database.rows<{ reference: string; body: string; text: string }>(
      `SELECT r.reference, d.body, t.text FROM bank_record r
       JOIN record_text t ON t.organisation_id = r.organisation_id AND t.record_id = r.id
       JOIN document d ON d.organisation_id = r.organisation_id AND d.id = r.document_id
       WHERE ${sql} AND r.kind = ? AND NOT ${waits('r.id')} ORDER BY r.id`,
      [...parameters, kind],
    );
    return rows.flatMap(({ reference, body, text }) => {
      const says = textOfBody(body);
      return says === undefined || says === text
        ? []
        : [
            {
              kind,
              reference,
              found: 'its text for search differs from its document',
              expected: `that text; ${CURE}`,
            },
          ];
    });
  }

  private async words(range: RowRange): Promise<NewFinding[]> {
    const { sql, parameters } = range.in('r', 'id');
    const rows = await this.database.rows<{ id: string; reference: string; words: string | null }>(
      `SELECT r.id, r.reference, s.words FROM bank_record r
       LEFT JOIN search_text s ON s.organisation_id = r.organisation_id AND s.record_id = r.id
       WHERE ${sql} AND r.kind = 'item' AND NOT ${waits('r.id')} AND NOT EXISTS (SELECT 1 FROM holding h
         WHERE h.organisation_id = r.organisation_id AND h.id = r.holding_id AND ${waits('h.held_id')}) ORDER BY r.id`,
      parameters,
    );
    const ids = rows.map(({ id }) => id);
    const texts = byItem(await this.searchTexts.textsOf(range.organisation, ids));
    return rows.flatMap(({ id, reference, words }): NewFinding[] => {
      if (words === wordsOfItem(texts.get(id)!)) return [];
      const found = words === null ? 'no search finds it' : 'searches find it by other words than it has';
      return [
        { kind: 'item', reference, found, expected: `the words of its own texts and of its held records; ${CURE}` },
      ];
    });
  }
}

/** Whether a record waits to be indexed. */
const waits = (id: string) =>
  `EXISTS (SELECT 1 FROM search_pending p WHERE p.organisation_id = r.organisation_id AND p.record_id = ${id})`;
