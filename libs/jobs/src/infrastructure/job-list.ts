import { firstIdAt, type Position, type Slice } from '#kernel';
import { Conditions, type Database, type SqlPart } from '#platform';
import { type JobQuery } from '../application/ports/job-store';
import { type Job } from '../domain/job';
import { COLUMNS, jobOf, type JobRow } from './job-rows';

/** Organisations read by one statement: SQLite allows 500 parts of a compound SELECT. */
const BATCH_SIZE = 200;

const NEWEST_FIRST = 'ORDER BY id DESC, organisation_id DESC';

/** Newest first, in slices. */
export async function listJobs(database: Database, query: JobQuery): Promise<Slice<Job>> {
  const { limit } = query;
  const organisations = [...new Set(query.organisations)];
  const rows: JobRow[] = [];
  for (let from = 0; from < organisations.length; from += BATCH_SIZE) {
    const { sql, parameters } = newest(organisations.slice(from, from + BATCH_SIZE), query);
    rows.push(
      ...(await database.rows<JobRow>(
        `SELECT ${COLUMNS} FROM job JOIN (${sql}) newest USING (organisation_id, id) ${NEWEST_FIRST}`,
        parameters,
      )),
    );
  }
  if (organisations.length > BATCH_SIZE) rows.sort(newestFirst);
  const shown = rows.slice(0, limit);
  const last = shown.at(-1);
  const position: Position | undefined = rows.length > limit ? [last!.id, last!.organisation] : undefined;
  return { entries: shown.map(jobOf), after: position };
}

/**
 * Selects keys. Rows of an organisation are ordered by id, so each organisation gives its newest ones, and only these are
 * sorted.
 */
function newest(organisations: readonly number[], query: JobQuery): SqlPart {
  const parts = organisations.map((organisation) => newestOf(organisation, query));
  return {
    sql: `${parts.map(({ sql }) => sql).join(' UNION ALL ')} ${NEWEST_FIRST} LIMIT ${query.limit + 1}`,
    parameters: parts.flatMap(({ parameters }) => parameters),
  };
}

function newestOf(organisation: number, { references, types, status, from, to, limit, after }: JobQuery): SqlPart {
  const conditions = new Conditions();
  conditions.add('organisation_id = ?', organisation);
  if (references) conditions.in('id', references);
  if (types) conditions.in('type', types);
  if (status) conditions.in('status', status);
  if (from !== undefined) conditions.add('id >= ?', firstIdAt(from));
  if (to !== undefined) conditions.add('id < ?', firstIdAt(to + 1));
  if (after) {
    const [id, before] = after as [string, number];
    conditions.add(organisation < before ? 'id <= ?' : 'id < ?', id);
  }
  return {
    sql: `SELECT * FROM (SELECT organisation_id, id FROM job WHERE ${conditions.text} ORDER BY id DESC LIMIT ${limit + 1}) part`,
    parameters: conditions.parameters,
  };
}

function newestFirst(a: JobRow, b: JobRow): number {
  return a.id === b.id ? b.organisation - a.organisation : a.id < b.id ? 1 : -1;
}
