import { firstIdAt } from '#kernel';
import { Conditions, type Dialect, questionMarks } from '#platform';
import { type RecordQuery } from '../application/ports/shelf-reader';
import { FAMILY } from '../domain/record';

/** A revision of a record and the moment at which it began; the one parameter is a moment at which it held. */
export function revisionThen(alias: string, organisation: string, record: string): string {
  return `revision ${alias} ON ${alias}.organisation_id = ${organisation} AND ${alias}.record_id = ${record}
  AND ${alias}.began_at = (SELECT MAX(p.began_at) FROM revision p
    WHERE p.organisation_id = ${organisation} AND p.record_id = ${record} AND p.began_at <= ?)`;
}

/** The conditions of a query on a record `r` of the bank, but for its shelf, kind and tags. */
export function recordConditions(conditions: Conditions, query: RecordQuery, dialect: Dialect): void {
  if (query.references) {
    // The family names the index of the references.
    conditions.add('r.family = ?', FAMILY[query.kind]);
    conditions.in('r.reference', query.references);
  }
  stateConditions(conditions, query, dialect, { state: 'r', updatedAt: 'r.updated_at' });
  addHeld(conditions, query);
}

/**
 * Those of the conditions that the row itself tells.
 * @param of what the record is: the row `r` of the bank, or a revision, and when that began.
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
  if (query.workflow) addStanding(conditions, query.workflow, state);
  if (query.createdBy) addAuthors(conditions, query.createdBy);
  if (query.contains !== undefined)
    conditions.add(
      `EXISTS (SELECT 1 FROM document c WHERE c.organisation_id = ${state}.organisation_id AND c.id = ${state}.document_id
        AND ${dialect.contains('c.body')})`,
      // As it stands in JSON text.
      JSON.stringify(query.contains).slice(1, -1),
    );
  addTimes(conditions, query, of.updatedAt);
}

function addStanding(
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

/** The time of creation is part of the id, so that both orders have their bounds in an index. */
function addTimes(conditions: Conditions, { from, to, sort }: RecordQuery, updatedAt: string): void {
  const updated = sort.field === 'updated';
  if (from !== undefined) conditions.add(updated ? `${updatedAt} >= ?` : 'r.id >= ?', updated ? from : firstIdAt(from));
  if (to !== undefined) conditions.add(updated ? `${updatedAt} <= ?` : 'r.id < ?', updated ? to : firstIdAt(to + 1));
}

function addHeld(conditions: Conditions, { kind, holdsOneOf, holdsAllOf, holdsTypes }: RecordQuery): void {
  const family = kind === 'item' ? 'widget' : 'item';
  // A list of holdings by what is in them: the server begins with the few that hold something, or with the page.
  const holders = (wanted: Conditions, tail = '') =>
    conditions.add(
      `r.holding_id IN (SELECT l.id FROM bank_record w
        JOIN holding l ON l.organisation_id = w.organisation_id AND l.held_id = w.id
        WHERE w.organisation_id = r.organisation_id AND ${wanted.text} ${tail})`,
      ...wanted.parameters,
    );
  if (holdsOneOf) {
    const wanted = new Conditions();
    wanted.add('w.family = ?', family);
    wanted.in('w.reference', holdsOneOf);
    holders(wanted);
  }
  if (holdsAllOf && holdsAllOf.length > 0) {
    const references = [...new Set(holdsAllOf)];
    const wanted = new Conditions();
    wanted.add('w.family = ?', family);
    wanted.in('w.reference', references);
    holders(wanted, `GROUP BY l.id HAVING COUNT(*) = ${references.length}`);
  }
  if (holdsTypes) {
    const types = new Conditions();
    types.in('w.type', holdsTypes);
    // Types are common: look at what each record of the page holds. A record is found by its id only with its kind.
    const held = (kind === 'item' ? ['question', 'feature'] : ['item']).map(
      (heldKind) => `EXISTS (SELECT 1 FROM holding l
        JOIN bank_record w ON w.organisation_id = l.organisation_id AND w.kind = '${heldKind}' AND w.id = l.held_id
        WHERE l.organisation_id = r.organisation_id AND l.id = r.holding_id AND ${types.text})`,
    );
    conditions.add(`(${held.join(' OR ')})`, ...held.flatMap(() => types.parameters));
  }
}
