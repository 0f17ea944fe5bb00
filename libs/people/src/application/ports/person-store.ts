import { type SqlPart } from '#platform';
import { type Person, type Roles } from '../../domain/person';

/** A person as they are stored. */
export interface StoredPerson extends Person {
  /** An argon2id hash; null while none is set. */
  password: string | null;
}

export interface Identity {
  issuer: string;
  subject: string;
}

/** Stores people. Lists are not paged, because an installation has few people. */
export abstract class PersonStore {
  /** All people, sorted by address. */
  abstract list(): Promise<Person[]>;

  /** The ids of the people with a role in the organisation, as a SELECT. So no statement has to list them. */
  abstract idsIn(organisation: number): SqlPart;

  abstract find(id: string): Promise<StoredPerson | undefined>;

  /** Finds people by id, and locks them until the unit of work ends. */
  abstract lock(ids: readonly string[]): Promise<ReadonlyMap<string, StoredPerson>>;

  /** Finds a person by the folded address. */
  abstract findByEmail(emailKey: string): Promise<StoredPerson | undefined>;

  abstract findByIdentity(identity: Identity): Promise<StoredPerson | undefined>;

  /** @throws the duplicate-key error of the database when the address is taken. */
  abstract add(person: Person): Promise<void>;

  abstract setStatus(id: string, status: Person['status']): Promise<void>;

  /** Replaces the roles of a person in these organisations; an empty list removes all of them. */
  abstract setRoles(id: string, roles: Roles): Promise<void>;

  abstract setPassword(id: string, hash: string): Promise<void>;

  abstract setSignedIn(id: string, at: number): Promise<void>;

  abstract addIdentity(id: string, identity: Identity): Promise<void>;

  /** The identities of a person, by issuer. */
  abstract identities(id: string): Promise<Identity[]>;

  /** Removes a person with everything stored about them here. */
  abstract remove(id: string): Promise<void>;
}
