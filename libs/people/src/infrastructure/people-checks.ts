import { Injectable } from '@nestjs/common';
import { isObject, parsedJson } from '#kernel';
import { Database, type NewFinding, type RowRange, Verifications } from '#platform';
import { isRole } from '../domain/roles';

interface Row {
  person_id: string;
  role: string;
  email: string | null;
}

interface ViewRow {
  reference: string;
  owner: string | null;
  is_shared: number;
  address: string;
}

/** Invariants of people: each role exists and belongs to a person, and somebody sees each view. */
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
    verifications.add({
      name: 'saved views',
      of: { table: 'saved_view', column: 'reference', batchSize: 1_000 },
      find: (range) => this.views(range),
    });
  }

  private async views(range: RowRange): Promise<NewFinding[]> {
    const { sql, parameters } = range.in('v', 'reference');
    const rows = await this.database.rows<ViewRow>(
      `SELECT v.reference, v.owner, v.is_shared, v.address FROM saved_view v
       WHERE ${sql} ORDER BY v.organisation_id, v.reference`,
      parameters,
    );
    const finding = (reference: string, found: string, expected: string) => ({
      kind: 'saved view',
      reference,
      found,
      expected,
    });
    return rows.flatMap(({ reference, owner, is_shared: isShared, address }): NewFinding[] => [
      ...(owner === null && isShared !== 1 ? [finding(reference, 'nobody sees it', 'an owner')] : []),
      ...(isObject(parsedJson(address)) ? [] : [finding(reference, 'its address cannot be read', 'a JSON object')]),
    ]);
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
        ? [{ kind: 'role of a person', reference: id, found: 'it belongs to nobody', expected: 'a person' }]
        : []),
      ...(isRole(role)
        ? []
        : [{ kind: 'role of a person', reference: id, found: `the role ${role}`, expected: 'a role of this release' }]),
    ]);
  }
}
