import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { type SqlPart } from '../database/conditions';
import { Database, type Parameter } from '../database/database';

/** What is stored contradicts something else that is stored. */
export interface Finding {
  organisation: number;
  /** What it is about: `item`, `session`, `event`. */
  kind: string;
  /** How people know that: by the reference that callers gave it, else by its id or number. */
  reference: string;
  /** What is wrong with it. */
  found: string;
  /** What would be right. */
  expected: string;
}

export type NewFinding = Omit<Finding, 'organisation'>;

/** Rows of one table, in the order of a column by which an index finds them. */
export interface Rows {
  table: string;
  column: string;
  /** Before the first value of the column. Absent: that of a text. */
  before?: Parameter;
  /** Conditions that they meet besides. */
  where?: SqlPart;
  /** How many are looked at at a time. All with the same value of the column are looked at together. */
  atOnce: number;
}

/** Consecutive rows of an organisation: those above `after`, up to and with `upTo`. */
export class Stretch {
  constructor(
    readonly organisation: number,
    readonly after: Parameter,
    readonly upTo: Parameter,
    readonly rows: number,
  ) {}

  /** A condition: the column of this table holds a value of the stretch. */
  in(table: string, column: string): SqlPart {
    return {
      sql: `${table}.organisation_id = ? AND ${table}.${column} > ? AND ${table}.${column} <= ?`,
      parameters: [this.organisation, this.after, this.upTo],
    };
  }
}

/** One thing that must be true of what is stored. */
export interface Check {
  /** What it looks at: `documents`. */
  name: string;
  of: Rows;
  /** Whatever is wrong in a stretch of these rows. Reads only; called again, it looks again. */
  look(stretch: Stretch): Promise<NewFinding[]>;
}

/** How far a check has come. */
export interface Progress {
  organisation: number;
  check: string;
  /** Rows that it has looked at. */
  rows: number;
  isDone: boolean;
}

/** Writers go on meanwhile: what is wrong is looked at again after so long, before it is told. */
const AGAIN_MS = 100;

/** Checks of what is stored, offered by the contexts that store it. */
@Injectable()
export class Verifications {
  private readonly checks: Check[] = [];

  constructor(private readonly database: Database) {}

  add(...checks: readonly Check[]): void {
    this.checks.push(...checks);
  }

  /** Goes through all that an organisation has stored, a stretch at a time, and changes nothing. */
  async *findings(organisation: number, tell: (progress: Progress) => void): AsyncGenerator<Finding> {
    for (const check of this.checks) {
      let rows = 0;
      const progress = (isDone: boolean) => tell({ organisation, check: check.name, rows, isDone });
      let stretch = await this.next(check.of, organisation, check.of.before ?? '');
      for (; stretch; stretch = await this.next(check.of, organisation, stretch.upTo)) {
        for (const finding of await this.lasting(check, stretch)) yield { organisation, ...finding };
        rows += stretch.rows;
        progress(false);
      }
      progress(true);
    }
  }

  private async lasting(check: Check, stretch: Stretch): Promise<NewFinding[]> {
    const findings = await check.look(stretch);
    if (findings.length === 0) return [];
    await sleep(AGAIN_MS);
    const again = new Set((await check.look(stretch)).map((finding) => JSON.stringify(finding)));
    return findings.filter((finding) => again.has(JSON.stringify(finding)));
  }

  private async next(
    { table, column, where, atOnce }: Rows,
    organisation: number,
    after: Parameter,
  ): Promise<Stretch | undefined> {
    const row = await this.database.row<{ count: number | string; last: Parameter }>(
      `SELECT COUNT(*) AS count, MAX(k) AS last FROM (SELECT ${column} AS k FROM ${table}
        WHERE organisation_id = ? AND ${column} > ? ${where ? `AND ${where.sql}` : ''}
        ORDER BY ${column} LIMIT ${atOnce}) part`,
      [organisation, after, ...(where?.parameters ?? [])],
    );
    return row!.last === null ? undefined : new Stretch(organisation, after, row!.last, Number(row!.count));
  }
}
