import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { grouped } from '#kernel';
import { Database, type Parameter, type SqlPart } from '#platform';
import { type Identity, PersonStore, type StoredPerson } from '../application/ports/person-store';
import { emailKey, type Person, type Roles } from '../domain/person';
import { isRole, type Role } from '../domain/roles';

type PersonRow = Omit<StoredPerson, 'roles' | 'hasPassword'>;

interface RoleRow {
  person: string;
  organisation: number;
  role: string;
}

const COLUMNS =
  'p.id, p.email, p.firstname, p.lastname, p.status, p.password, p.created_at AS createdAt, p.signed_in_at AS signedInAt';
const ROLE = 'person_id AS person, organisation_id AS organisation, role';

@Injectable()
export class SqlPersonStore extends PersonStore {
  constructor(private readonly database: Database) {
    super();
  }

  override async list(): Promise<Person[]> {
    const rows = await this.database.rows<PersonRow>(`SELECT ${COLUMNS} FROM person p ORDER BY p.email_key`);
    const roles = await this.database.rows<RoleRow>(`SELECT ${ROLE} FROM person_role`);
    const byPerson = grouped(roles.map((role) => [role.person, role]));
    return rows.map((row) => {
      const { password: _, ...person } = personOf(row, byPerson.get(row.id) ?? []);
      return person;
    });
  }

  override idsIn(organisation: number): SqlPart {
    return { sql: 'SELECT person_id FROM person_role WHERE organisation_id = ?', parameters: [organisation] };
  }

  override async find(id: string): Promise<StoredPerson | undefined> {
    return this.one('WHERE p.id = ?', [id]);
  }

  override async lock(ids: readonly string[]): Promise<ReadonlyMap<string, StoredPerson>> {
    const found = new Map<string, StoredPerson>();
    // All callers lock in the same order.
    for (const id of [...ids].sort()) {
      await this.database.row(`SELECT id FROM person WHERE id = ? ${this.database.dialect.forUpdate}`, [id]);
      const person = await this.find(id);
      if (person) found.set(id, person);
    }
    return found;
  }

  override async findByEmail(key: string): Promise<StoredPerson | undefined> {
    return this.one('WHERE p.email_key = ?', [key]);
  }

  override async findByIdentity(identity: Identity): Promise<StoredPerson | undefined> {
    return this.one('JOIN person_identity i ON i.person_id = p.id WHERE i.hash = ?', [hashOf(identity)]);
  }

  override async add(person: Person): Promise<void> {
    await this.database.run(async () => {
      await this.database.insert(
        'person',
        ['id', 'email', 'email_key', 'firstname', 'lastname', 'status', 'password', 'created_at', 'signed_in_at'],
        [
          [
            person.id,
            person.email,
            emailKey(person.email),
            person.firstname,
            person.lastname,
            person.status,
            null,
            person.createdAt,
            null,
          ],
        ],
      );
      await this.addRoles(person.id, person.roles);
    });
  }

  override async setStatus(id: string, status: Person['status']): Promise<void> {
    await this.database.write('UPDATE person SET status = ? WHERE id = ?', [status, id]);
  }

  override async setRoles(id: string, roles: Roles): Promise<void> {
    await this.database.run(async () => {
      const ofPerson = { sql: 'person_id = ?', parameters: [id] };
      await this.database.remove('person_role', ofPerson, 'organisation_id', [...roles.keys()]);
      await this.addRoles(id, roles);
    });
  }

  override async setPassword(id: string, hash: string): Promise<void> {
    await this.database.write('UPDATE person SET password = ? WHERE id = ?', [hash, id]);
  }

  override async setSignedIn(id: string, at: number): Promise<void> {
    await this.database.write('UPDATE person SET signed_in_at = ? WHERE id = ?', [at, id]);
  }

  override async addIdentity(id: string, identity: Identity): Promise<void> {
    await this.database.insert(
      'person_identity',
      ['hash', 'issuer', 'subject', 'person_id'],
      [[hashOf(identity), identity.issuer, identity.subject, id]],
    );
  }

  override async identities(id: string): Promise<Identity[]> {
    return this.database.rows<Identity>(
      'SELECT issuer, subject FROM person_identity WHERE person_id = ? ORDER BY issuer, subject',
      [id],
    );
  }

  override async remove(id: string): Promise<void> {
    await this.database.run(async () => {
      for (const table of ['sign_in', 'person_link', 'person_identity', 'person_role'])
        await this.database.write(`DELETE FROM ${table} WHERE person_id = ?`, [id]);
      await this.database.write('DELETE FROM person WHERE id = ?', [id]);
    });
  }

  private async one(where: string, parameters: Parameter[]): Promise<StoredPerson | undefined> {
    const row = await this.database.row<PersonRow>(`SELECT ${COLUMNS} FROM person p ${where}`, parameters);
    if (!row) return undefined;
    const roles = await this.database.rows<RoleRow>(`SELECT ${ROLE} FROM person_role WHERE person_id = ?`, [row.id]);
    return personOf(row, roles);
  }

  private async addRoles(id: string, roles: Roles): Promise<void> {
    await this.database.insert(
      'person_role',
      ['organisation_id', 'person_id', 'role'],
      [...roles].flatMap(([organisation, names]) => names.map((role) => [organisation, id, role])),
    );
  }
}

function personOf(row: PersonRow, roleRows: readonly RoleRow[]): StoredPerson {
  const roles = new Map<number, Role[]>();
  for (const { organisation, role } of roleRows)
    // This release does not know the roles of later ones, so they grant nothing.
    if (isRole(role)) roles.set(organisation, [...(roles.get(organisation) ?? []), role].sort());
  return {
    ...row,
    roles: new Map([...roles].sort(([a], [b]) => a - b)),
    hasPassword: row.password !== null,
  };
}

const hashOf = ({ issuer, subject }: Identity): string =>
  createHash('sha256').update(`${issuer}\0${subject}`).digest('hex');
