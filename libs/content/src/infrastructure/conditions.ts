import { firstIdAt } from '#kernel';
import { Conditions, type Dialect, questionMarks, type SqlPart } from '#platform';
import { type Medium, type RecordQuery } from '../application/ports/shelf-reader';
import { FAMILY } from '../domain/record';

/** Joins the revision that a record had at a moment, with its start. Parameter: the moment. */
export function revisionThen(alias: string, organisation: string, record: string): string {
  return `revision ${alias} ON ${alias}.organisation_id = ${organisation} AND ${alias}.record_id = ${record}
  AND ${alias}.began_at = (SELECT MAX(p.began_at) FROM revision p
    WHERE p.organisation_id = ${organisation} AND p.record_id = ${record} AND p.began_at <= ?)`;
}

/**
 * The FROM clause for the records `r` of a query that no tag drives. It uses the index of references if the query has
 * any.
 */
export function recordsOf(table: 'bank_record' | 'pool_record', { references }: RecordQuery, dialect: Dialect): string {
  return references && references.length > 0 ? `${table} r ${dialect.bySureIndex(`${table}_reference`)}` : `${table} r`;
}

/** Conditions of a query on a record `r` of the bank, without shelf, kind and tags. */
export function recordConditions(
  conditions: Conditions,
  organisation: number,
  query: RecordQuery,
  dialect: Dialect,
): void {
  if (query.references) {
    // The family selects the index of the references.
    conditions.add('r.family = ?', FAMILY[query.kind]);
    conditions.in('r.reference', query.references);
  }
  stateConditions(conditions, query, dialect, { state: 'r', updatedAt: 'r.updated_at' });
  addHeld(conditions, organisation, query, dialect);
}

/**
 * The conditions on columns of the row itself.
 * @param of the row: `r` of the bank, or a revision with its start.
 */
export function stateConditions(
  conditions: Conditions,
  query: RecordQuery,
  dialect: Dialect,
  of: { state: 'r' | 'v'; updatedAt: string },
): void {
  const { state } = of;
  if (query.status) conditions.in(`${state}.status`, query.status);
  if (query.types) conditions.in(`${state}.type`, query.types);
  if (query.workflow) addWorkflowStates(conditions, query.workflow, state);
  if (query.createdBy) addAuthors(conditions, query.createdBy);
  if (query.contains !== undefined)
    conditions.add(
      `EXISTS (SELECT 1 FROM document c WHERE c.organisation_id = ${state}.organisation_id AND c.id = ${state}.document_id
        AND ${dialect.contains('c.body')})`,
      // The text as JSON writes it, without the quotation marks.
      JSON.stringify(query.contains).slice(1, -1),
    );
  if (query.difficulty) addDifficulty(conditions, query.difficulty, state, dialect);
  if (query.isUnused)
    // A count instead of EXISTS, which a server could turn into a scan of all holdings of activities.
    conditions.add(`(SELECT COUNT(*) FROM holding l
      JOIN bank_record a ON a.organisation_id = l.organisation_id AND a.holding_id = l.id AND a.kind = 'activity'
      WHERE l.organisation_id = r.organisation_id AND l.held_id = r.id) = 0`);
  if (query.media) addMedia(conditions, query.media, state, dialect);
  addTimes(conditions, query, of.updatedAt);
}

function addDifficulty(
  conditions: Conditions,
  { min, max }: NonNullable<RecordQuery['difficulty']>,
  state: 'r' | 'v',
  dialect: Dialect,
): void {
  const difficulty = dialect.jsonNumber('c.extras', '$.adaptive.difficulty');
  const within = new Conditions();
  within.add(`c.organisation_id = ${state}.organisation_id AND c.id = ${state}.document_id`);
  within.add(`${difficulty} IS NOT NULL`);
  if (min !== undefined) within.add(`${difficulty} >= ?`, min);
  if (max !== undefined) within.add(`${difficulty} <= ?`, max);
  conditions.add(`EXISTS (SELECT 1 FROM document c WHERE ${within.text})`, ...within.parameters);
}

/** Texts in the JSON of a document that reveal a medium, and the types of widgets that always have it. */
const SIGNS: Record<Medium, { texts: readonly string[]; types: readonly string[] }> = {
  image: {
    texts: ['<img', '"image":{'],
    types: ['hotspot', 'imageclozeassociationV2', 'imageclozedropdown', 'imageclozetext'],
  },
  audio: { texts: ['<audio'], types: ['audio', 'audioplayer'] },
  video: { texts: ['<video', '<iframe'], types: ['video', 'videoplayer'] },
  // JSON doubles a backslash.
  math: { texts: ['<math', String.raw`\\(`, String.raw`\\[`], types: ['formula', 'formulaV2'] },
};

function addMedia(conditions: Conditions, media: readonly Medium[], state: 'r' | 'v', dialect: Dialect): void {
  const signs = [...new Set(media)].map((medium) => SIGNS[medium]);
  if (signs.length === 0) return conditions.add('1 = 0');
  const texts = signs.flatMap((sign) => sign.texts);
  const written = `(${texts.map(() => dialect.contains('c.body')).join(' OR ')})`;
  const types = new Conditions();
  types.in(
    'w.type',
    signs.flatMap((sign) => sign.types),
  );
  // Scalar subqueries instead of EXISTS, which a server could turn into a list of all content with a medium. One for
  // each kind: with `kind IN (…)`, a server would read all records of the bank for each item.
  const held = ['question', 'feature'].map(
    (kind) => `(SELECT 1 FROM bank_record i
        JOIN holding l ON l.organisation_id = i.organisation_id AND l.id = i.holding_id
        JOIN bank_record w ON w.organisation_id = l.organisation_id AND w.kind = '${kind}' AND w.id = l.held_id
        JOIN document c ON c.organisation_id = w.organisation_id AND c.id = w.document_id
        WHERE i.organisation_id = r.organisation_id AND i.kind = 'item' AND i.id = r.id
          AND (${types.text} OR ${written}) LIMIT 1) = 1`,
  );
  conditions.add(
    `((SELECT ${written} FROM document c
        WHERE c.organisation_id = ${state}.organisation_id AND c.id = ${state}.document_id) = 1
      OR ${held.join(' OR ')})`,
    ...texts,
    ...held.flatMap(() => [...types.parameters, ...texts]),
  );
}

function addWorkflowStates(
  conditions: Conditions,
  { id, states, unassigned }: NonNullable<RecordQuery['workflow']>,
  state: 'r' | 'v',
): void {
  const within = new Conditions();
  within.add(`${state}.workflow_id = ?`, id);
  if (states) within.in(`${state}.workflow_state`, states);
  conditions.add(unassigned ? `(${state}.workflow_id IS NULL OR (${within.text}))` : within.text, ...within.parameters);
}

function addAuthors(conditions: Conditions, authors: readonly (string | null)[]): void {
  const named = authors.filter((author) => author !== null);
  if (named.length === authors.length) conditions.in('r.created_by', named);
  else if (named.length === 0) conditions.add('r.created_by IS NULL');
  else conditions.add(`(r.created_by IS NULL OR r.created_by IN (${questionMarks(named.length)}))`, ...named);
}

/** The id contains the time of creation, so both orders have their bounds in an index. */
function addTimes(conditions: Conditions, { from, to, sort }: RecordQuery, updatedAt: string): void {
  const updated = sort.field === 'updated';
  if (from !== undefined) conditions.add(updated ? `${updatedAt} >= ?` : 'r.id >= ?', updated ? from : firstIdAt(from));
  if (to !== undefined) conditions.add(updated ? `${updatedAt} <= ?` : 'r.id < ?', updated ? to : firstIdAt(to + 1));
}

/**
 * A condition: the column `list` is one of the holdings of `rows`. It does not refer to the row of `list`, not even to
 * its organisation, because a server would then search the lists again for each row.
 * @param rows FROM and WHERE, with the holdings as `l`; one row for each held record.
 * @param count the number of rows that a list must have; absent: any.
 */
export function isAmongHoldings(list: string, { sql, parameters }: SqlPart, dialect: Dialect, count?: number): SqlPart {
  // Without groups, the server can begin with the few matching lists, or with the page.
  if (count === undefined) return { sql: `${list} IN (SELECT l.id ${sql})`, parameters };
  // A server can begin with a derived table, but not with a grouped list.
  return {
    sql: `${list} IN (SELECT held.id FROM (
      SELECT ${dialect.inWrittenOrder} l.id ${sql} GROUP BY l.id HAVING COUNT(*) = ${count}) held)`,
    parameters,
  };
}

/**
 * Conditions on what a record `r` holds.
 * @param pool of `r`, with the condition that it shows a row `w`; absent: `r` is in the bank.
 */
export function addHeld(
  conditions: Conditions,
  organisation: number,
  { kind, holdsOneOf, holdsAllOf, holdsTypes }: RecordQuery,
  dialect: Dialect,
  pool?: { id: string; shown: SqlPart },
): void {
  const table = pool ? 'pool_record' : 'bank_record';
  const holdingsOf = (references: readonly string[]): SqlPart => {
    const wanted = new Conditions();
    wanted.add('w.organisation_id = ?', organisation);
    if (pool) wanted.add('w.pool_id = ?', pool.id);
    wanted.add('w.family = ?', kind === 'item' ? 'widget' : 'item');
    wanted.in('w.reference', references);
    if (pool) wanted.addAll([pool.shown]);
    return {
      sql: `FROM ${table} w ${dialect.bySureIndex(`${table}_reference`)}
        CROSS JOIN holding l ON l.organisation_id = w.organisation_id AND l.held_id = w.id
        WHERE ${wanted.text}`,
      parameters: wanted.parameters,
    };
  };
  if (holdsOneOf) conditions.addAll([isAmongHoldings('r.holding_id', holdingsOf(holdsOneOf), dialect)]);
  if (holdsAllOf && holdsAllOf.length > 0)
    conditions.addAll([isAmongHoldings('r.holding_id', holdingsOf(holdsAllOf), dialect, new Set(holdsAllOf).size)]);
  if (holdsTypes) {
    const types = new Conditions();
    types.in('w.type', holdsTypes);
    if (pool) types.addAll([pool.shown]);
    // Types are common, so this tests the holdings of each record of the page. Finding a record by its id needs its
    // kind.
    const held = (kind === 'item' ? ['question', 'feature'] : ['item']).map(
      (heldKind) => `EXISTS (SELECT 1 FROM holding l
        CROSS JOIN ${table} w ON w.organisation_id = l.organisation_id ${pool ? 'AND w.pool_id = r.pool_id' : ''}
          AND w.kind = '${heldKind}' AND w.id = l.held_id
        WHERE l.organisation_id = r.organisation_id AND l.id = r.holding_id AND ${types.text})`,
    );
    conditions.add(`(${held.join(' OR ')})`, ...held.flatMap(() => types.parameters));
  }
}
