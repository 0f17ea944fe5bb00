import { Injectable } from '@nestjs/common';
import { grouped, idOfList, type JsonObject } from '#kernel';
import { Database, type NewFinding, questionMarks, type RowRange, Verifications } from '#platform';
import { fromTagSet, joinedTagSet } from '#tagging';
import { activityDocument } from '../application/activities';
import { itemsIn, unlistedItems } from '../domain/activity';
import { documentOf, mergeExtras, prepare } from '../domain/document';
import { widgetsIn } from '../domain/item-content';
import { FAMILY, type Kind } from '../domain/record';

/** The number of documents read at a time. Their bodies may be large. */
const DOCUMENTS = 50;
const ROWS = 1_000;
/** The largest number of findings in one range. The check leaves out further ones. */
const MAX_FINDINGS = 1_000;

/** The columns that a record has in common with its latest revision. */
const SHARED = [
  'kind',
  'reference',
  'title_key',
  'type',
  'status',
  'workflow_id',
  'workflow_state',
  'document_id',
  'tag_set_id',
  'holding_id',
]
  .map((column) => [column, column])
  .concat([
    ['updated_by', 'author_id'],
    ['updated_at', 'began_at'],
  ]) as [string, string][];

/** Kinds that other records can hold. Finding a record by its id needs its kind, so there is one join per kind. */
const HELD_KINDS = ['item', 'question', 'feature'] as const satisfies Kind[];
const heldOf = (kind: (typeof HELD_KINDS)[number]) =>
  `LEFT JOIN bank_record ${kind[0]} ON ${kind[0]}.organisation_id = h.organisation_id AND ${kind[0]}.kind = '${kind}'
    AND ${kind[0]}.id = h.held_id`;

type Compared = Record<`r${number}` | `v${number}`, string | number | null>;

/** Checks documents, records, revisions and holdings. */
@Injectable()
export class ContentChecks {
  constructor(
    private readonly database: Database,
    verifications: Verifications,
  ) {
    const ofKind = (kind: Kind) => ({ sql: 'kind = ?', parameters: [kind] });
    verifications.add({
      name: 'documents',
      of: { table: 'document', column: 'id', batchSize: DOCUMENTS },
      find: (range) => this.documents(range),
    });
    for (const kind of ['item', 'question', 'feature', 'activity'] satisfies Kind[])
      verifications.add({
        name: `${kind} records`,
        of: { table: 'bank_record', column: 'id', where: ofKind(kind), batchSize: ROWS },
        find: async (range) => [...(await this.records(range, kind)), ...(await this.untagged(range, kind))],
      });
    verifications.add(
      {
        name: 'revisions',
        of: { table: 'revision', column: 'record_id', batchSize: ROWS },
        find: (range) => this.revisions(range),
      },
      {
        name: 'holdings',
        of: { table: 'holding', column: 'id', batchSize: ROWS },
        find: (range) => this.holdings(range),
      },
    );
    for (const kind of ['item', 'activity'] as const)
      verifications.add(
        {
          name: `holdings of ${kind} records`,
          of: { table: 'bank_record', column: 'id', where: ofKind(kind), batchSize: DOCUMENTS },
          find: (range) => this.held(range, kind),
        },
        {
          name: `tags of ${kind} records`,
          of: { table: 'bank_tag', column: 'tag_id', where: ofKind(kind), batchSize: ROWS },
          find: (range) => this.overtagged(range, kind),
        },
      );
  }

  private async documents(range: RowRange): Promise<NewFinding[]> {
    const { sql, parameters } = range.in('d', 'id');
    const rows = await this.database.rows<{ id: string; hash: string; body: string; extras: string | null }>(
      `SELECT d.id, d.hash, d.body, d.extras FROM document d WHERE ${sql}`,
      parameters,
    );
    const wrong = rows.flatMap((row) => {
      const hash = hashOf(row, range.organisation);
      return hash === row.hash ? [] : [{ ...row, actual: hash }];
    });
    const names = await this.namesOf(
      range.organisation,
      wrong.map(({ id }) => id),
    );
    return wrong.map(({ id, hash, actual }) => ({
      ...(names.get(id) ?? { kind: 'document', reference: id }),
      found: `its document ${id} ${actual === undefined ? 'is not a valid document' : `has the SHA-256 ${actual}`}`,
      expected: `the SHA-256 ${hash}, which was stored with it`,
    }));
  }

  /** The records that have or had the documents. Uses no index, because only findings need it. */
  private async namesOf(organisation: number, documents: readonly string[]) {
    if (documents.length === 0) return new Map<string, { kind: string; reference: string }>();
    const rows = await this.database.rows<{ document_id: string; kind: string; reference: string }>(
      `SELECT document_id, kind, reference FROM revision
       WHERE organisation_id = ? AND document_id IN (${questionMarks(documents.length)}) ORDER BY began_at`,
      [organisation, ...documents],
    );
    return new Map(rows.map(({ document_id, kind, reference }) => [document_id, { kind, reference }]));
  }

  private async records(range: RowRange, kind: Kind): Promise<NewFinding[]> {
    const { isSame } = this.database.dialect;
    const { sql, parameters } = range.in('r', 'id');
    const columns = SHARED.flatMap(([ours, theirs], index) => [`r.${ours} AS r${index}`, `v.${theirs} AS v${index}`]);
    const rows = await this.database.rows<Compared & { reference: string; family: string; revision: string | null }>(
      `SELECT r.reference, r.family, v.record_id AS revision, ${columns.join(', ')} FROM bank_record r
       LEFT JOIN revision v ON v.organisation_id = r.organisation_id AND v.record_id = r.id AND v.began_at = (
         SELECT MAX(m.began_at) FROM revision m WHERE m.organisation_id = r.organisation_id AND m.record_id = r.id)
       WHERE ${sql} AND r.kind = ? AND NOT (v.record_id IS NOT NULL AND r.family = ?
         AND ${SHARED.map(([ours, theirs]) => isSame(`r.${ours}`, `v.${theirs}`)).join(' AND ')})
       ORDER BY r.id LIMIT ${MAX_FINDINGS}`,
      [...parameters, kind, FAMILY[kind]],
    );
    return rows.flatMap(({ reference, family, revision, ...compared }): NewFinding[] => {
      if (revision === null)
        return [{ kind, reference, found: 'it has no revision', expected: 'at least one revision' }];
      const differences = SHARED.flatMap(([column], index): NewFinding[] => {
        const [ours, theirs] = [compared[`r${index}`]!, compared[`v${index}`]!];
        if (ours === theirs) return [];
        return [
          { kind, reference, found: `its ${column} is ${ours}`, expected: `${theirs}, as its latest revision says` },
        ];
      });
      if (family === FAMILY[kind]) return differences;
      return [...differences, { kind, reference, found: `its family is ${family}`, expected: FAMILY[kind] }];
    });
  }

  private async untagged(range: RowRange, kind: Kind): Promise<NewFinding[]> {
    const { sql, parameters } = range.in('r', 'id');
    const rows = await this.database.rows<{ reference: string; tag_id: string }>(
      `SELECT r.reference, s.tag_id FROM bank_record r
       JOIN ${joinedTagSet('r', 's')}
       LEFT JOIN bank_tag b ON b.organisation_id = r.organisation_id AND b.kind = r.kind AND b.tag_id = s.tag_id
         AND b.record_id = r.id
       WHERE ${sql} AND r.kind = ? AND b.tag_id IS NULL ORDER BY r.id, s.position LIMIT ${MAX_FINDINGS}`,
      [...parameters, kind],
    );
    return rows.map(({ reference, tag_id: tag }) => ({
      kind,
      reference,
      found: `it is not found by its tag ${tag}`,
      expected: 'a row in bank_tag for each tag of its tag set',
    }));
  }

  private async overtagged(range: RowRange, kind: Kind): Promise<NewFinding[]> {
    const { sql, parameters } = range.in('b', 'tag_id');
    const rows = await this.database.rows<{ reference: string | null; record_id: string; tag_id: string }>(
      `SELECT r.reference, b.record_id, b.tag_id FROM bank_tag b
       LEFT JOIN bank_record r ON r.organisation_id = b.organisation_id AND r.kind = b.kind AND r.id = b.record_id
       WHERE ${sql} AND b.kind = ? AND NOT EXISTS (SELECT 1 ${fromTagSet('r', 's')} AND s.tag_id = b.tag_id)
       ORDER BY b.tag_id, b.record_id LIMIT ${MAX_FINDINGS}`,
      [...parameters, kind],
    );
    return rows.map(({ reference, record_id: id, tag_id: tag }) => ({
      kind,
      reference: reference ?? id,
      found: `it is found by the tag ${tag}`,
      expected: reference === null ? 'a record with this id' : 'this tag in its tag set',
    }));
  }

  private async revisions(range: RowRange): Promise<NewFinding[]> {
    const { sql, parameters } = range.in('v', 'record_id');
    const listed = (column: string, members: string) => `(v.${column} IS NULL OR EXISTS (SELECT 1 ${members}))`;
    const holding = 'FROM holding h WHERE h.organisation_id = v.organisation_id AND h.id = v.holding_id';
    const parts: readonly [column: string, whether: string, expected: string][] = [
      ['document_id', 'd.id IS NOT NULL', 'a document with this id'],
      ['record_id', 'r.id IS NOT NULL', 'a record with this id'],
      ['tag_set_id', listed('tag_set_id', fromTagSet('v', 's')), 'a tag set with this id'],
      ['holding_id', listed('holding_id', holding), 'a list of held records with this id'],
    ];
    const rows = await this.database.rows<Record<string, string | number | null> & { kind: string; reference: string }>(
      `SELECT v.kind, v.reference, v.began_at, ${parts.map(([column]) => `v.${column}`).join(', ')},
         ${parts.map(([, whether], index) => `CASE WHEN ${whether} THEN 1 ELSE 0 END AS is${index}`).join(', ')}
       FROM revision v
       LEFT JOIN document d ON d.organisation_id = v.organisation_id AND d.id = v.document_id
       LEFT JOIN bank_record r ON r.organisation_id = v.organisation_id AND r.kind = v.kind AND r.id = v.record_id
       WHERE ${sql} AND NOT (${parts.map(([, whether]) => whether).join(' AND ')})
       ORDER BY v.record_id, v.began_at LIMIT ${MAX_FINDINGS}`,
      parameters,
    );
    return rows.flatMap(({ kind, reference, began_at: at, ...row }) =>
      parts.flatMap(([column, , expected], index) =>
        row[`is${index}`] === 1
          ? []
          : [{ kind, reference, found: `its revision ${at} has the ${column} ${row[column]}`, expected }],
      ),
    );
  }

  private async holdings(range: RowRange): Promise<NewFinding[]> {
    const { sql, parameters } = range.in('h', 'id');
    const rows = await this.database.rows<{ id: string; held_id: string; held: string | null }>(
      `SELECT h.id, h.held_id, COALESCE(i.id, q.id, f.id) AS held FROM holding h
       ${HELD_KINDS.map(heldOf).join(' ')} WHERE ${sql} ORDER BY h.id, h.position`,
      parameters,
    );
    const lists = grouped(rows.map((row) => [row.id, row]));
    const kind = 'holding';
    const findings = rows.flatMap(({ id: reference, held_id, held }): NewFinding[] =>
      held === null ? [{ kind, reference, found: `it holds ${held_id}`, expected: 'a record with this id' }] : [],
    );
    const names = [...lists].map(([id, list]) => [id, idOfList(list.map(({ held_id }) => held_id))] as const);
    const misnamed = names.filter(([id, name]) => id !== name);
    const old = await this.holdersAmong(
      range.organisation,
      misnamed.map(([id]) => id),
    );
    for (const [reference, name] of misnamed)
      if (!old.has(reference))
        findings.push({ kind, reference, found: `its content has the id ${name}`, expected: 'its own id' });
    return findings;
  }

  /** Old lists, from before holdings had ids of their own, have the id of their holder. */
  private async holdersAmong(organisation: number, ids: readonly string[]): Promise<Set<string>> {
    const found = new Set<string>();
    for (const kind of ids.length > 0 ? ['item', 'activity'] : []) {
      const rows = await this.database.rows<{ id: string }>(
        `SELECT id FROM bank_record WHERE organisation_id = ? AND kind = ? AND id IN (${questionMarks(ids.length)})`,
        [organisation, kind, ...ids],
      );
      for (const { id } of rows) found.add(id);
    }
    return found;
  }

  private async held(range: RowRange, kind: 'item' | 'activity'): Promise<NewFinding[]> {
    const { sql, parameters } = range.in('r', 'id');
    const rows = await this.database.rows<{ id: string; reference: string; body: string }>(
      `SELECT r.id, r.reference, d.body FROM bank_record r
       JOIN document d ON d.organisation_id = r.organisation_id AND d.id = r.document_id
       WHERE ${sql} AND r.kind = ? ORDER BY r.id`,
      [...parameters, kind],
    );
    const links = await this.database.rows<{ id: string; reference: string }>(
      `SELECT r.id, COALESCE(i.reference, q.reference, f.reference) AS reference FROM bank_record r
       JOIN holding h ON h.organisation_id = r.organisation_id AND h.id = r.holding_id
       ${HELD_KINDS.map(heldOf).join(' ')}
       WHERE ${sql} AND r.kind = ? AND COALESCE(i.id, q.id, f.id) IS NOT NULL`,
      [...parameters, kind],
    );
    const held = grouped(links.map((link) => [link.id, link.reference]));
    return rows.flatMap(({ id, reference, body }) => {
      const holds = held.get(id) ?? [];
      const named = namedIn(kind, body, range.organisation, holds);
      const [is, says] = [listed(holds), named && listed(named)];
      return says === undefined || is === says
        ? []
        : [{ kind, reference, found: `it holds ${is}`, expected: `${says}, as its document says` }];
    });
  }
}

const listed = (references: readonly string[]): string =>
  references.length === 0 ? 'nothing' : JSON.stringify([...new Set(references)].sort());

/** The held records that a document names; undefined when it is not a valid document. */
function namedIn(kind: 'item' | 'activity', body: string, own: number, holds: readonly string[]): string[] | undefined {
  try {
    if (kind === 'activity') {
      const { data } = JSON.parse(body) as { data: JsonObject };
      const items = itemsIn(body, own);
      // Names outside the lists may mean items that did not exist when the activity was set.
      const besides = unlistedItems(data, items).filter((reference) => holds.includes(reference));
      return [...items.flatMap(({ organisation, reference }) => (organisation === own ? reference : [])), ...besides];
    }
    const { questions, features } = widgetsIn(body);
    return [...questions, ...features];
  } catch {
    return undefined;
  }
}

/** The recalculated hash of a stored document; undefined for an invalid document. */
function hashOf({ body, extras }: { body: string; extras: string | null }, own: number): string | undefined {
  try {
    const members = JSON.parse(body) as JsonObject;
    // Items have a definition and widgets have a type. Activities have neither.
    if (!('definition' in members) && !('type' in members)) return activityDocument(members, extras, own).hash;
    const prepared = Object.entries(members).map(([name, value]) => [name, prepare(value)] as const);
    return documentOf(Object.fromEntries(prepared), mergeExtras(extras, {})).hash;
  } catch {
    return undefined;
  }
}
