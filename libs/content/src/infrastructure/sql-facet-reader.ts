import { Injectable } from '@nestjs/common';
import { Conditions, Database, type SqlPart } from '#platform';
import { Tags, tagsOfSet } from '#tagging';
import { type Facet, type FacetCount, FacetReader, MAX_COUNTED } from '../application/ports/facet-reader';
import { type SearchConditions } from '../application/ports/search-index';
import { type RecordQuery } from '../application/ports/shelf-reader';
import { indexedTerm, type Term } from '../domain/search-words';
import { recordConditions, recordsOf } from './conditions';
import { bankCarriers, SqlTagFilter } from './sql-tag-filter';

/** The columns of an item that a facet needs. */
const COLUMNS: Record<Facet, string> = {
  status: 'r.status AS value',
  scoring_type: 'r.type AS value',
  author: 'r.created_by AS value',
  workflow_state: 'r.workflow_id AS owner, r.workflow_state AS value',
  question_type: 'r.id, r.holding_id AS list',
  tag: 'r.tag_set_id AS list',
  tag_type: 'r.id, r.tag_set_id AS list',
};

@Injectable()
export class SqlFacetReader extends FacetReader {
  private readonly filter: SqlTagFilter;

  constructor(
    private readonly database: Database,
    tags: Tags,
  ) {
    super();
    this.filter = new SqlTagFilter(database, tags);
  }

  override async total(
    organisation: number,
    terms: readonly Term[] | undefined,
    conditions: SearchConditions,
  ): Promise<{ total: number; isComplete: boolean }> {
    const matching = await this.matching(organisation, terms, conditions);
    if (!matching) return { total: 0, isComplete: true };
    const { sql, parameters } = matching('1 AS one', MAX_COUNTED + 1);
    const row = await this.database.row<{ total: number | string }>(
      `SELECT COUNT(*) AS total FROM (${sql}) m`,
      parameters,
    );
    const total = Number(row!.total);
    return { total: Math.min(total, MAX_COUNTED), isComplete: total <= MAX_COUNTED };
  }

  override async count(
    organisation: number,
    facet: Facet,
    terms: readonly Term[] | undefined,
    conditions: SearchConditions,
    limit: number,
  ): Promise<FacetCount[]> {
    const matching = await this.matching(organisation, terms, conditions);
    if (!matching) return [];
    const counted = countsOf(facet, organisation, matching(COLUMNS[facet], MAX_COUNTED));
    const rows = await this.database.rows<{ owner?: string | null; value: string | null; items: number | string }>(
      `${counted.sql} ORDER BY items DESC, value LIMIT ${limit}`,
      counted.parameters,
    );
    return rows.map(({ owner, value, items }) => ({ owner: owner ?? null, value, items: Number(items) }));
  }

  /** A statement for columns of the matching items `r`; undefined if no item can match. */
  private async matching(
    organisation: number,
    terms: readonly Term[] | undefined,
    conditions: SearchConditions,
  ): Promise<((columns: string, limit: number) => SqlPart) | undefined> {
    const query: RecordQuery = { ...conditions, kind: 'item', sort: { field: 'created', ascending: false }, limit: 0 };
    const tags = await this.filter.plan(organisation, query, bankCarriers(organisation, 'item'), !terms);
    if (tags === 'nothing') return undefined;
    const { dialect } = this.database;
    const wanted = new Conditions();
    if (!tags.driver) wanted.add(`r.organisation_id = ? AND r.kind = 'item'`, organisation);
    recordConditions(wanted, organisation, query, dialect);
    wanted.addAll(tags.conditions);
    const from = tags.driver ?? { sql: recordsOf('bank_record', query, dialect), parameters: [], hint: '' };
    const found: SqlPart = { sql: '', parameters: [] };
    if (terms) {
      const index = dialect.fullText('search_text', 'words');
      found.sql = `(SELECT s.record_id AS id FROM ${index.from} WHERE s.organisation_id = ? AND ${index.condition}) f
        CROSS JOIN `;
      found.parameters = [organisation, dialect.fullTextQuery(terms.map(indexedTerm))];
      wanted.add('r.id = f.id');
    }
    return (columns, limit) => ({
      sql: `SELECT ${from.hint} ${columns} FROM ${found.sql}${from.sql} ${tags.joins.sql} WHERE ${wanted.text} LIMIT ${limit}`,
      parameters: [...found.parameters, ...from.parameters, ...tags.joins.parameters, ...wanted.parameters],
    });
  }
}

/** Counts the items by the value of a facet. */
function countsOf(facet: Facet, organisation: number, { sql, parameters }: SqlPart): SqlPart {
  const tags = tagsOfSet('m.list');
  // These are keys of an object, because the check of table owners would take the text of a `case` for SQL.
  const ofTags: Partial<Record<Facet, string>> = {
    // Many items share a tag set.
    tag: `SELECT y.name AS owner, t.name AS value, SUM(m.items) AS items
      FROM (SELECT m.list, COUNT(*) AS items FROM (${sql}) m GROUP BY m.list) m ${tags} GROUP BY t.id, y.name, t.name`,
    tag_type: `SELECT y.name AS value, COUNT(DISTINCT m.id) AS items FROM (${sql}) m ${tags} GROUP BY y.id, y.name`,
  };
  const ofTag = ofTags[facet];
  if (ofTag !== undefined) return { sql: ofTag, parameters: [...parameters, organisation] };
  switch (facet) {
    case 'workflow_state':
      return {
        sql: `SELECT m.owner, m.value, COUNT(*) AS items FROM (${sql}) m GROUP BY m.owner, m.value`,
        parameters,
      };
    case 'question_type':
      // One join for each kind: with `kind IN (…)`, a server would read the whole bank.
      return {
        sql: `SELECT COALESCE(q.type, f.type) AS value, COUNT(DISTINCT m.id) AS items FROM (${sql}) m
          JOIN holding l ON l.organisation_id = ? AND l.id = m.list
          LEFT JOIN bank_record q ON q.organisation_id = ? AND q.kind = 'question' AND q.id = l.held_id
          LEFT JOIN bank_record f ON f.organisation_id = ? AND f.kind = 'feature' AND f.id = l.held_id
          WHERE q.id IS NOT NULL OR f.id IS NOT NULL GROUP BY value`,
        parameters: [...parameters, organisation, organisation, organisation],
      };
    default:
      return { sql: `SELECT m.value, COUNT(*) AS items FROM (${sql}) m GROUP BY m.value`, parameters };
  }
}
