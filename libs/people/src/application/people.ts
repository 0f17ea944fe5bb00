import { Injectable } from '@nestjs/common';
import { Audit, Authors, Consumers, type KeptEntry } from '#access';
import { type Author, Clock, Fault, newId, UnitOfWork } from '#kernel';
import { checkEmail, checkName, emailKey, INSTALLATION, type Person, type Roles } from '../domain/person';
import { type SavedView } from '../domain/saved-view';
import { type Identity, PersonStore, type StoredPerson } from './ports/person-store';
import { type SignIn, SignInStore } from './ports/sign-in-store';
import { SavedViews } from './saved-views';

/** All stored data about a person. */
interface PersonalData {
  person: Person;
  identities: Identity[];
  signIns: SignIn[];
  /** The person as an author in each organisation. */
  authors: (Author & { organisation: number })[];
  savedViews: (SavedView & { organisation: number })[];
  audit: KeptEntry[];
}

/**
 * Throws to refuse a change of a person. Both are as they are stored, and stay locked until the change is made. So two operators
 * cannot take the last rights from each other.
 * @param by who makes the change; undefined for the command line, or when the account was removed.
 */
type ChangeCheck = (person: Person, by: Person | undefined) => void;

const AUDIT_BATCH_SIZE = 1_000;

interface NewPerson {
  email: string;
  firstname?: string;
  lastname?: string;
  roles: Roles;
}

/** The accounts of people and what they may do. */
@Injectable()
export class People {
  constructor(
    private readonly store: PersonStore,
    private readonly signIns: SignInStore,
    private readonly consumers: Consumers,
    private readonly authors: Authors,
    private readonly views: SavedViews,
    private readonly audit: Audit,
    private readonly work: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  async list(): Promise<Person[]> {
    return this.store.list();
  }

  /** The person with the id, or undefined. Accepts any text as an id. */
  async look(id: string): Promise<Person | undefined> {
    return /^[0-9A-Z]{26}$/.test(id) ? this.store.find(id) : undefined;
  }

  /** @throws Fault when nobody has the id. */
  async find(id: string): Promise<Person> {
    const { password: _, ...person } = known(await this.store.find(id));
    return person;
  }

  /** @throws Fault when nobody has the address. */
  async findByEmail(email: string): Promise<Person> {
    const { password: _, ...person } = await this.byEmail(email);
    return person;
  }

  /**
   * Creates an account. It has no password yet: the person sets one with a link.
   * @param by who creates it; absent for the command line.
   */
  async create({ email, firstname = '', lastname = '', roles }: NewPerson, by?: Author): Promise<Person> {
    const address = email.trim();
    checkEmail(address, '/email');
    checkName(firstname, '/firstname');
    checkName(lastname, '/lastname');
    if ([...roles.values()].every((names) => names.length === 0))
      throw new Fault('missing', 'Give the person at least one role.', '/roles');
    await this.checkOrganisations(roles);
    const now = this.clock.now();
    const person: Person = {
      id: newId(now),
      email: address,
      firstname,
      lastname,
      status: 'active',
      roles,
      createdAt: now,
      signedInAt: null,
      hasPassword: false,
    };
    await this.work.run(async () => {
      if (await this.store.findByEmail(emailKey(address)))
        throw new Fault('duplicate', `There is an account for ${address} already.`, '/email');
      await this.store.add(person);
      await this.record(person.id, { email: address, roles: spelled(roles) }, 'create person', by);
    });
    return person;
  }

  /**
   * Changes roles and status in one unit of work. New roles replace those in the same organisations; roles in other
   * organisations stay. They take effect with the person's next call. A disabled person is signed out everywhere at
   * once, and cannot sign in.
   * @param check throws to refuse the change.
   */
  async change(
    id: string,
    { roles, status }: { roles?: Roles; status?: Person['status'] },
    by?: Author,
    check: ChangeCheck = () => undefined,
  ): Promise<void> {
    if (roles) await this.checkOrganisations(roles);
    await this.work.run(async () => {
      const before = await this.checked(id, by, check);
      if (roles) {
        await this.store.setRoles(id, roles);
        const after = known(await this.store.find(id)).roles;
        await this.record(id, { before: spelled(before.roles), after: spelled(after) }, 'set roles', by);
      }
      if (status) {
        await this.store.setStatus(id, status);
        if (status === 'disabled') {
          await this.signIns.removeOthers(id);
          await this.signIns.removeLinks(id, this.clock.now());
        }
        await this.record(id, { status }, status === 'active' ? 'enable person' : 'disable person', by);
      }
    });
  }

  /**
   * Removes an account with all personal data: sign-ins, identities, roles, own views, details of the audit, and names
   * and address of the author. The history of content keeps the id, and the organisation keeps the shared views.
   */
  async remove(id: string, by?: Author, check: ChangeCheck = () => undefined): Promise<void> {
    await this.work.run(async () => {
      await this.checked(id, by, check);
      await this.store.remove(id);
      await this.authors.forget(id);
      await this.views.forget(id);
      await this.audit.forget(INSTALLATION.organisation, 'person', [id]);
      await this.record(id, {}, 'remove person', by);
    });
  }

  /**
   * All stored data about a person: the account, the sign-ins, the author in each organisation, and the audit entries
   * about them. Content and marks of the person contain only the id.
   */
  async exported(email: string): Promise<PersonalData> {
    const { password: _, ...person } = await this.byEmail(email);
    const audit: KeptEntry[] = [];
    for (let slice: KeptEntry[]; ;) {
      const { organisation } = INSTALLATION;
      slice = await this.audit.about(organisation, 'person', [person.id], AUDIT_BATCH_SIZE, audit.at(-1)?.id);
      audit.push(...slice);
      if (slice.length < AUDIT_BATCH_SIZE) break;
    }
    return {
      person,
      identities: await this.store.identities(person.id),
      signIns: await this.signIns.ofPerson(person.id),
      authors: await this.authors.everywhere(person.id),
      savedViews: await this.views.everywhere(person.id),
      audit,
    };
  }

  private async checked(id: string, by: Author | undefined, check: ChangeCheck): Promise<Person> {
    const people = await this.store.lock(by && by.id !== id ? [id, by.id] : [id]);
    const person = known(people.get(id));
    check(person, by && people.get(by.id));
    return person;
  }

  private async byEmail(email: string): Promise<StoredPerson> {
    const found = await this.store.findByEmail(emailKey(email));
    if (!found) throw new Fault('reference-unknown', `There is no account for ${email}.`, '/email');
    return found;
  }

  private async checkOrganisations(roles: Roles): Promise<void> {
    const known = new Set((await this.consumers.organisations()).map(({ id }) => id));
    for (const organisation of roles.keys())
      if (!known.has(organisation))
        throw new Fault('reference-unknown', `Organisation ${organisation} does not exist; create it first.`, '/roles');
  }

  private async record(key: string, detail: Record<string, unknown>, operation: string, by?: Author): Promise<void> {
    const scope = { shelf: INSTALLATION, operation, now: this.clock.now(), author: by };
    await this.audit.record([{ subject: 'person', key, detail }], scope);
  }
}

function known<T>(person: T | undefined): T {
  if (!person) throw new Fault('reference-unknown', 'There is no such person.');
  return person;
}

const spelled = (roles: Roles): Record<string, readonly string[]> => Object.fromEntries(roles);
