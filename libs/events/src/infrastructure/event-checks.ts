import { organisationRows } from '#access';
import { Injectable } from '@nestjs/common';
import { Clock, timeOf } from '#kernel';
import { Config, Database, type NewFinding, type RowRange, Verifications } from '#platform';

const DAY_MS = 24 * 60 * 60_000;
/** The tolerance for ids that run ahead of the clock, and for late numbering. */
const MARGIN_MS = 60 * 60_000;

/** An assigned number. Later numbers were assigned at the time `at` or afterwards. */
interface AssignedNumber {
  number: number;
  at: number;
}

interface StreamRow {
  last_number: number;
  created_at: number;
  latest: string | null;
  greatest: number | null;
}

/**
 * Checks that the numbers of events have no gaps and no duplicates. The service removes old delivered events, so a gap
 * among events of that age is allowed.
 */
@Injectable()
export class EventChecks {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    private readonly config: Config,
    verifications: Verifications,
  ) {
    verifications.add(
      {
        name: 'events',
        of: { table: 'event', column: 'number', before: 0, batchSize: 2_000 },
        find: (range) => this.events(range),
      },
      {
        name: 'event streams',
        of: { table: 'event_stream', column: 'organisation_id', before: 0, batchSize: 1 },
        find: (range) => this.stream(range),
      },
    );
  }

  private async events(range: RowRange): Promise<NewFinding[]> {
    const { sql, parameters } = range.in('e', 'number');
    const rows = await this.database.rows<{ number: number; id: string }>(
      `SELECT e.number, e.id FROM event e WHERE ${sql} ORDER BY e.number, e.id`,
      parameters,
    );
    let before = await this.before(range);
    return rows.flatMap(({ number, id }): NewFinding[] => {
      const last = before;
      before = { number, at: timeOf(id) };
      if (number === last.number)
        return [{ ...numbered(number), found: `the event ${id} and another one have it`, expected: 'one event' }];
      return number === last.number + 1 || !this.isKept(last) ? [] : [missing(last.number + 1, number - 1)];
    });
  }

  /** The last number before a range; for the first range, the start of the organisation. */
  private async before({ organisation, after }: RowRange): Promise<AssignedNumber> {
    const row = await this.database.row<{ number: number; id: string }>(
      'SELECT number, id FROM event WHERE organisation_id = ? AND number = ? LIMIT 1',
      [organisation, after[0]!],
    );
    if (row) return { number: row.number, at: timeOf(row.id) };
    const [begun] = await this.database.rows<{ created_at: number }>(
      `SELECT o.created_at FROM ${organisationRows('o')} WHERE o.id = ?`,
      [organisation],
    );
    return { number: Number(after), at: begun?.created_at ?? -Infinity };
  }

  private async stream(range: RowRange): Promise<NewFinding[]> {
    const { sql, parameters } = range.in('t', 'organisation_id');
    const row = await this.database.row<StreamRow>(
      `SELECT t.last_number, o.created_at, g.number AS greatest, g.id AS latest FROM event_stream t
       JOIN ${organisationRows('o')} ON o.id = t.organisation_id
       LEFT JOIN event g ON g.organisation_id = t.organisation_id AND g.number = (
         SELECT MAX(e.number) FROM event e WHERE e.organisation_id = t.organisation_id)
       WHERE ${sql}`,
      parameters,
    );
    if (!row) return [];
    const { last_number: last, created_at: at, latest, greatest } = row;
    const given = greatest === null ? { number: 0, at } : { number: greatest, at: timeOf(latest!) };
    const expected = `at most ${last}, the last assigned number`;
    const sinks = await this.database.rows<{ name: string; reached: number }>(
      'SELECT name, reached FROM event_sink WHERE organisation_id = ? AND reached > ? ORDER BY id',
      [range.organisation, last],
    );
    return [
      ...(given.number > last ? [{ ...numbered(given.number), found: 'an event has it', expected }] : []),
      ...(given.number < last && this.isKept(given) ? [missing(given.number + 1, last)] : []),
      ...sinks.map(({ name, reached }) => ({
        kind: 'event receiver',
        reference: name,
        found: `it has reached the number ${reached}`,
        expected,
      })),
    ];
  }

  /** Whether an event with a later number is too young to have been removed. */
  private isKept({ at }: AssignedNumber): boolean {
    return at >= this.clock.now() - this.config.eventRetentionDays * DAY_MS + MARGIN_MS;
  }
}

const numbered = (number: number) => ({ kind: 'event number', reference: String(number) });

function missing(from: number, to: number): NewFinding {
  const reference = from === to ? String(from) : `${from} to ${to}`;
  return {
    kind: 'event number',
    reference,
    found: 'it is missing',
    expected: 'an event, because numbers have no gaps',
  };
}
