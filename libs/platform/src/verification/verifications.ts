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
export interface Rows {
  table: string;
  column: string;
  /** A value before the first value of the column. Absent: the empty text. */
  before?: Parameter;
  /** Further conditions of the rows. */
  where?: SqlPart;
  /** The number of rows to read at a time. Rows with the same value of the column are always in one range. */
  batchSize: number;
}

/** A range of consecutive rows of an organisation: after `after`, up to and including `upTo`. */
export class RowRange {
  constructor(
    readonly organisation: number,
    readonly after: Parameter,
    readonly upTo: Parameter,
    readonly rows: number,
  ) {}

  /** A condition: the column of this table has a value of the range. */
  in(table: string, column: string): SqlPart {
    return {
      sql: `${table}.organisation_id = ? AND ${table}.${column} > ? AND ${table}.${column} <= ?`,
      parameters: [this.organisation, this.after, this.upTo],
    };
  }
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
      let range = await this.next(check.of, organisation, check.of.before ?? '');
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
    { table, column, where, batchSize }: Rows,
    organisation: number,
    after: Parameter,
  ): Promise<RowRange | undefined> {
    const filter = where ? `AND ${where.sql}` : '';
    const values = where?.parameters ?? [];
    const last = await this.database.row<{ value: Parameter }>(
      `SELECT MAX(k) AS value FROM (SELECT ${column} AS k FROM ${table}
        WHERE organisation_id = ? AND ${column} > ? ${filter} ORDER BY ${column} LIMIT ${batchSize}) part`,
      [organisation, after, ...values],
    );
    const upTo = last!.value;
    if (upTo === null) return undefined;
    // More than the batch, if further rows have the last value.
    const counted = await this.database.row<{ count: number | string }>(
      `SELECT COUNT(*) AS count FROM ${table}
        WHERE organisation_id = ? AND ${column} > ? AND ${column} <= ? ${filter}`,
      [organisation, after, upTo, ...values],
    );
    return new RowRange(organisation, after, upTo, Number(counted!.count));
  }
}
