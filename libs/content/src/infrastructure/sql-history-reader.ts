import { Injectable } from '@nestjs/common';
import { type Slice } from '#kernel';
import { Conditions, Database } from '#platform';
import { readTagList, tagListColumn } from '#tagging';
import {
  HistoryReader,
  type Revision,
  type RevisionFacts,
  type RevisionQuery,
} from '../application/ports/history-reader';
import { FAMILY, type Family, type Kind } from '../domain/record';
import { Order } from './order';

type FactsRow = Omit<RevisionFacts, 'tags' | 'origin'> & {
  tags: string | null;
  origin: string | null;
  origin_at: number | null;
};

type WholeRow = FactsRow & Pick<Revision, 'body' | 'extras'>;

const REVISIONS = `bank_record r
  JOIN revision v ON v.organisation_id = r.organisation_id AND v.record_id = r.id`;

/** Joins the rows to which a revision `v` of a record `r` refers. */
const DETAILS = `JOIN document d ON d.organisation_id = v.organisation_id AND d.id = v.document_id
  LEFT JOIN revision o ON o.organisation_id = v.organisation_id AND o.record_id = v.origin_id AND o.began_at = v.origin_at`;

@Injectable()
export class SqlHistoryReader extends HistoryReader {
  constructor(private readonly database: Database) {
    super();
  }

  override async revisions(organisation: number, family: Family, reference: string): Promise<Revision[] | undefined> {
    const rows = await this.database.rows<WholeRow>(
      `SELECT ${this.database.dialect.inWrittenOrder} ${this.facts()}, d.body, d.extras FROM ${REVISIONS} ${DETAILS}
       WHERE r.organisation_id = ? AND r.family = ? AND r.reference = ?
       ORDER BY v.began_at`,
      [organisation, family, reference],
    );
    return rows.length > 0 ? rows.map(factsOf) : undefined;
  }

  override async find(organisation: number, query: RevisionQuery): Promise<Slice<RevisionFacts>> {
    const { kind, references, from, to, ascending, limit, after } = query;
    const order = new Order({ field: 'updated', ascending });
    const conditions = new Conditions();
    conditions.add('r.organisation_id = ? AND r.family = ? AND r.kind = ?', organisation, FAMILY[kind], kind);
    conditions.in('r.reference', references);
    if (from !== undefined) conditions.add('v.began_at >= ?', from);
    if (to !== undefined) conditions.add('v.began_at <= ?', to);
    if (after) conditions.addAll([order.after(order.place(after), { key: 'v.began_at', id: 'v.record_id' })]);
    const rows = await this.database.rows<FactsRow>(
      `SELECT ${this.facts()}
       FROM (SELECT v.record_id, v.began_at FROM ${REVISIONS} WHERE ${conditions.text}
         ORDER BY ${order.by('v.began_at', 'v.record_id')} LIMIT ${limit + 1}) page
       JOIN revision v ON v.organisation_id = ? AND v.record_id = page.record_id AND v.began_at = page.began_at
       JOIN bank_record r ON r.organisation_id = v.organisation_id AND r.kind = v.kind AND r.id = v.record_id
       ${DETAILS}
       ORDER BY ${order.by('page.began_at', 'page.record_id')}`,
      [...conditions.parameters, organisation],
    );
    const shown = rows.slice(0, limit);
    const last = shown.at(-1);
    return {
      entries: shown.map(factsOf),
      after: rows.length > limit ? order.position({ key: last!.beganAt, id: last!.recordId }) : undefined,
    };
  }

  override async whole(
    organisation: number,
    kind: Kind,
    wanted: readonly { reference: string; beganAt: number }[],
  ): Promise<(Revision & { present: number })[]> {
    if (wanted.length === 0) return [];
    const conditions = new Conditions();
    conditions.add('r.organisation_id = ? AND r.family = ? AND r.kind = ?', organisation, FAMILY[kind], kind);
    // These conditions let servers use the indexes. With the pairs alone, they use neither.
    conditions.in(
      'r.reference',
      wanted.map(({ reference }) => reference),
    );
    conditions.in(
      'v.began_at',
      wanted.map(({ beganAt }) => beganAt),
    );
    conditions.add(
      this.database.dialect.pairs('r.reference', 'v.began_at', wanted.length),
      ...wanted.flatMap(({ reference, beganAt }) => [reference, beganAt]),
    );
    const rows = await this.database.rows<WholeRow & { present: number }>(
      `SELECT ${this.database.dialect.inWrittenOrder} ${this.facts()}, d.body, d.extras, r.updated_at AS present
       FROM ${REVISIONS} ${DETAILS} WHERE ${conditions.text}`,
      conditions.parameters,
    );
    return rows.map(factsOf);
  }

  override async held(
    organisation: number,
    revisions: readonly Pick<RevisionFacts, 'recordId' | 'beganAt'>[],
  ): Promise<Map<string, string[]>> {
    const held = new Map<string, string[]>(revisions.map(({ recordId }) => [recordId, []]));
    if (revisions.length === 0) return held;
    const rows = await this.database.rows<{ record_id: string; reference: string }>(
      `SELECT v.record_id, i.reference FROM revision v
       JOIN holding l ON l.organisation_id = v.organisation_id AND l.id = v.holding_id
       JOIN bank_record i ON i.organisation_id = l.organisation_id AND i.kind = 'item' AND i.id = l.held_id
       WHERE v.organisation_id = ? AND ${this.database.dialect.pairs('v.record_id', 'v.began_at', revisions.length)}
       ORDER BY v.record_id, l.position`,
      [organisation, ...revisions.flatMap(({ recordId, beganAt }) => [recordId, beganAt])],
    );
    for (const { record_id, reference } of rows) held.get(record_id)!.push(reference);
    return held;
  }

  private facts(): string {
    return `v.record_id AS recordId, r.reference AS presentReference, v.reference, v.began_at AS beganAt, v.author_id AS author,
      v.operation, v.status, v.workflow_id AS workflowId, v.workflow_state AS workflowState, d.hash AS documentHash,
      o.reference AS origin, v.origin_at, ${tagListColumn(this.database.dialect, 'v')} AS tags`;
  }
}

function factsOf<Row extends FactsRow>({ tags, origin, origin_at: at, ...row }: Row) {
  return {
    ...row,
    tags: readTagList(tags),
    origin: origin === null ? null : { reference: origin, beganAt: at! },
  };
}
