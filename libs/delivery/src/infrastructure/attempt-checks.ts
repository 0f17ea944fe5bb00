import { Injectable } from '@nestjs/common';
import { Database, type NewFinding, type RowRange, Verifications } from '#platform';
import { joinedForm, joinedSession } from '#sessions';
import { ATTEMPT, type AttemptRow, attemptOf } from './sql-attempt-store';

type Row = AttemptRow & { form: string | null; owner: string | null; status: string | null };

/** Invariants of attempts: the form exists, and the session belongs to the same learner. */
@Injectable()
export class AttemptChecks {
  constructor(
    private readonly database: Database,
    verifications: Verifications,
  ) {
    verifications.add(
      {
        name: 'sessions in pages',
        of: { table: 'attempt', column: 'session_id', batchSize: 200 },
        find: (range) => this.attempts(range),
      },
      {
        name: 'tokens of pages',
        of: { table: 'delivery_token', column: 'hash', batchSize: 1_000 },
        find: (range) => this.tokens(range),
      },
    );
  }

  private async attempts(range: RowRange): Promise<NewFinding[]> {
    const { sql, parameters } = range.in('a', 'session_id');
    const rows = await this.database.rows<Row>(
      `SELECT ${ATTEMPT}, f.id AS form, s.user_id AS owner, s.status FROM attempt a
       LEFT JOIN ${joinedForm('a', 'f')}
       LEFT JOIN ${joinedSession('a', 's')}
       WHERE ${sql} ORDER BY a.session_id`,
      parameters,
    );
    return rows.flatMap((row) =>
      wrongIn(row).map(([found, expected]) => ({
        kind: 'session in a page',
        reference: row.sessionId,
        found,
        expected,
      })),
    );
  }

  /** A token may belong to a session that is not stored. */
  private async tokens(range: RowRange): Promise<NewFinding[]> {
    const { sql, parameters } = range.in('t', 'hash');
    const rows = await this.database.rows<{ session_id: string }>(
      `SELECT t.session_id FROM delivery_token t
       JOIN attempt a ON a.organisation_id = t.organisation_id AND a.session_id = t.session_id
       WHERE ${sql} AND a.user_id <> t.user_id ORDER BY t.hash`,
      parameters,
    );
    return rows.map(({ session_id: reference }) => ({
      kind: 'token of a page',
      reference,
      found: 'it belongs to another user than the session',
      expected: 'the user of the session',
    }));
  }
}

type Wrong = [found: string, expected: string];

function wrongIn(row: Row): Wrong[] {
  const wrong: Wrong[] = [];
  try {
    const { plan, checks } = attemptOf(row);
    if (!Array.isArray(plan.items) || typeof checks !== 'object') throw new Error('it lists no items');
  } catch (error) {
    wrong.push([`its plan or checks cannot be read (${(error as Error).message})`, 'JSON with items and counts']);
  }
  if (row.form === null) wrong.push([`it has the form ${row.formId}`, 'a form that exists']);
  if (row.owner !== null && row.owner !== row.userId)
    wrong.push(['it belongs to another user than the session', 'the user of the session']);
  if (row.submittedAt !== null && row.owner === null)
    wrong.push(['it was submitted, but there is no session', 'a session with its answers']);
  if (row.saveNumber > 0 && row.owner === null)
    wrong.push([`it was saved ${row.saveNumber} times, but there is no session`, 'a session with its answers']);
  return wrong;
}
