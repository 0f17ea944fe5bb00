import { Injectable } from '@nestjs/common';
import { Database, type NewFinding, type RowRange, Verifications } from '#platform';
import { isRole } from '../domain/roles';

interface Row {
  person_id: string;
  role: string;
  email: string | null;
}

/** Invariants of people: a role exists and belongs to somebody. */
@Injectable()
export class PeopleChecks {
  constructor(
    private readonly database: Database,
    verifications: Verifications,
  ) {
    verifications.add({
      name: 'roles of people',
      of: { table: 'person_role', column: 'person_id', batchSize: 1_000 },
      find: (range) => this.roles(range),
    });
  }

  private async roles(range: RowRange): Promise<NewFinding[]> {
    const { sql, parameters } = range.in('r', 'person_id');
    const rows = await this.database.rows<Row>(
      `SELECT r.person_id, r.role, p.email FROM person_role r LEFT JOIN person p ON p.id = r.person_id
       WHERE ${sql} ORDER BY r.person_id, r.role`,
      parameters,
    );
    return rows.flatMap(({ person_id: id, role, email }): NewFinding[] => [
      ...(email === null
        ? [{ kind: 'role of a person', reference: id, found: 'it is of nobody', expected: 'a person' }]
        : []),
      ...(isRole(role)
        ? []
        : [{ kind: 'role of a person', reference: id, found: `the role ${role}`, expected: 'a role of this release' }]),
    ]);
  }
}
