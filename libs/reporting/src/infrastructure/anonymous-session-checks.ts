import { Injectable } from '@nestjs/common';
import { Database, type NewFinding, type RowRange, Verifications } from '#platform';
import { joinedForm } from '#sessions';

/** Checks that the forms of anonymous sessions exist. */
@Injectable()
export class AnonymousSessionChecks {
  constructor(
    private readonly database: Database,
    verifications: Verifications,
  ) {
    verifications.add({
      name: 'anonymous sessions',
      of: { table: 'anonymous_session', column: 'id', batchSize: 1_000 },
      find: (range) => this.anonymous(range),
    });
  }

  private async anonymous(range: RowRange): Promise<NewFinding[]> {
    const { sql, parameters } = range.in('s', 'id');
    const rows = await this.database.rows<{ id: string; form_id: string }>(
      `SELECT s.id, s.form_id FROM anonymous_session s
       LEFT JOIN ${joinedForm('s', 'f')}
       WHERE ${sql} AND f.id IS NULL ORDER BY s.id`,
      parameters,
    );
    return rows.map(({ id: reference, form_id: form }) => ({
      kind: 'anonymous session',
      reference,
      found: `it was taken with the form ${form}`,
      expected: 'a form that exists',
    }));
  }
}
