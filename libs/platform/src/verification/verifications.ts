import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { type SqlPart } from '../database/conditions';
import { Database, type Parameter } from '../database/database';

/** A contradiction in the stored data. */
export interface Finding {
  organisation: number;
  /** The kind of the affected data: `item`, `session`, `event`. */
  kind: string;
  /** The name for people: the caller's reference, or else the id or number. */
  reference: string;
  /** The contradiction. */
  found: string;
  /** The expected state. */
  expected: string;
}

export type NewFinding = Omit<Finding, 'organisation'>;

/** Rows of one table, in the order of an indexed column. */
interface Rows {
  table: string;
  column: string;
  /** The next columns of the index. Name them if too many rows may have the same value of `column`. Their values are texts. */
  then?: readonly string[];
  /** A value before the first value of the column. Absent: the empty text. */
  before?: Parameter;
  /** Further conditions of the rows. */
  where?: SqlPart;
  /** The number of rows to read at a time. Rows with the same values of all columns are always in one range. */
  batchSize: number;
}

/** A range of consecutive rows of an organisation: after `after`, up to and including `upTo`. Both have a value for each column. */
export class RowRange {
  constructor(
    readonly organisation: number,
    readonly after: readonly Parameter[],
    readonly upTo: readonly Parameter[],
    readonly rows: number,
  ) {}

  /** A condition: these columns of the table have values of the range. */
  in(table: string, ...columns: readonly string[]): SqlPart {
    const names = columns.map((column) => `${table}.${column}`);
    const [after, upTo] = [beyond(names, '>', this.after), beyond(names, '<', this.upTo, true)];
    return {
      sql: `${table}.organisation_id = ? AND ${after.sql} AND ${upTo.sql}`,
      parameters: [this.organisation, ...after.parameters, ...upTo.parameters],
    };
  }
}

/** A condition: the columns, from left to right, have values on this side of the given ones. */
function beyond(
  [column, ...others]: readonly string[],
  side: '>' | '<',
  [value, ...further]: readonly Parameter[],
  orEqual = false,
): SqlPart {
  if (others.length === 0) return { sql: `${column} ${side}${orEqual ? '=' : ''} ?`, parameters: [value!] };
  const { sql, parameters } = beyond(others, side, further, orEqual);
  // The first comparison is for the index.
  return {
    sql: `${column} ${side}= ? AND (${column} ${side} ? OR ${sql})`,
    parameters: [value!, value!, ...parameters],
  };
}

/** A check of one invariant of the stored data. */
export interface Check {
  /** The name of the checked data: `documents`. */
  name: string;
  of: Rows;
  /** All findings in a range of these rows. Reads only, and may be called repeatedly. */
  find(range: RowRange): Promise<NewFinding[]>;
}

/** The progress of a check. */
export interface Progress {
  organisation: number;
  check: string;
  /** Rows checked so far. */
  rows: number;
  isDone: boolean;
}

/**
 * Writers continue during a check, and a replica may be behind. So a check repeats each finding after this time, on the
 * primary, before it reports it.
 */
const AGAIN_MS = 100;

/** Runs the checks of stored data that the contexts register. */
@Injectable()
export class Verifications {
  private readonly checks: Check[] = [];

  constructor(private readonly database: Database) {}

  add(...checks: readonly Check[]): void {
    this.checks.push(...checks);
  }

  /** Checks all data of an organisation, range by range, without changing it. */
  async *findings(organisation: number, tell: (progress: Progress) => void): AsyncGenerator<Finding> {
    for (const check of this.checks) {
      let rows = 0;
      const progress = (isDone: boolean) => tell({ organisation, check: check.name, rows, isDone });
      const { before = '', then = [] } = check.of;
      let range = await this.next(check.of, organisation, [before, ...then.map(() => '')]);
      for (; range; range = await this.next(check.of, organisation, range.upTo)) {
        for (const finding of await this.lasting(check, range)) yield { organisation, ...finding };
        rows += range.rows;
        progress(false);
      }
      progress(true);
    }
  }

  private async lasting(check: Check, range: RowRange): Promise<NewFinding[]> {
    const findings = await check.find(range);
    if (findings.length === 0) return [];
    await sleep(AGAIN_MS);
    const again = new Set(
      (await this.database.readingFrom(undefined, () => check.find(range))).map((finding) => JSON.stringify(finding)),
    );
    return findings.filter((finding) => again.has(JSON.stringify(finding)));
  }

  private async next(
    { table, column, then = [], where, batchSize }: Rows,
    organisation: number,
    after: readonly Parameter[],
  ): Promise<RowRange | undefined> {
    const columns = [column, ...then];
    const filter = where ? `AND ${where.sql}` : '';
    const values = where?.parameters ?? [];
    const later = beyond(columns, '>', after);
    const ordered = (direction: 'ASC' | 'DESC') => columns.map((name) => `${name} ${direction}`).join(', ');
    const last = await this.database.row<Record<string, Parameter>>(
      `SELECT * FROM (SELECT ${columns.join(', ')} FROM ${table}
        WHERE organisation_id = ? AND ${later.sql} ${filter} ORDER BY ${ordered('ASC')} LIMIT ${batchSize}) part
       ORDER BY ${ordered('DESC')} LIMIT 1`,
      [organisation, ...later.parameters, ...values],
    );
    if (!last) return undefined;
    const upTo = columns.map((name) => last[name]!);
    const until = beyond(columns, '<', upTo, true);
    // More than the batch, if further rows have the last values.
    const counted = await this.database.row<{ count: number | string }>(
      `SELECT COUNT(*) AS count FROM ${table} WHERE organisation_id = ? AND ${later.sql} AND ${until.sql} ${filter}`,
      [organisation, ...later.parameters, ...until.parameters, ...values],
    );
    return new RowRange(organisation, after, upTo, Number(counted!.count));
  }
}
