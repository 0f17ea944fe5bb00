import { Injectable } from '@nestjs/common';
import { Audit, Consumers } from '#access';
import { type Author, Clock, Fault, newId, UnitOfWork } from '#kernel';
import { checkEmail, checkName, emailKey, type Person, type Roles } from '../domain/person';
import { PersonStore } from './ports/person-store';
import { SignInStore } from './ports/sign-in-store';

/** Where entries of the audit stand that concern the whole installation. */
const INSTALLATION = { organisation: 0 };

export interface NewPerson {
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
    private readonly audit: Audit,
    private readonly work: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  async list(): Promise<Person[]> {
    return this.store.list();
  }

  /** @throws Fault when nobody has the id. */
  async find(id: string): Promise<Person> {
    const { password: _, ...person } = known(await this.store.find(id));
    return person;
  }

  /** @throws Fault when nobody has the address. */
  async findByEmail(email: string): Promise<Person> {
    const found = await this.store.findByEmail(emailKey(email));
    if (!found) throw new Fault('reference-unknown', `There is no account for ${email}.`, '/email');
    const { password: _, ...person } = found;
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

  async rename(id: string, names: { firstname: string; lastname: string }, by?: Author): Promise<void> {
    checkName(names.firstname, '/firstname');
    checkName(names.lastname, '/lastname');
    await this.work.run(async () => {
      known(await this.store.find(id));
      await this.store.setNames(id, names);
      await this.record(id, {}, 'rename person', by);
    });
  }

  /** Replaces all roles. They hold from the person's next call. */
  async setRoles(id: string, roles: Roles, by?: Author): Promise<void> {
    await this.checkOrganisations(roles);
    await this.work.run(async () => {
      const before = known(await this.store.find(id));
      await this.store.setRoles(id, roles);
      await this.record(id, { before: spelled(before.roles), after: spelled(roles) }, 'set roles', by);
    });
  }

  /** A disabled person is signed out everywhere at once, and cannot sign in. */
  async setStatus(id: string, status: Person['status'], by?: Author): Promise<void> {
    await this.work.run(async () => {
      known(await this.store.find(id));
      await this.store.setStatus(id, status);
      if (status === 'disabled') {
        await this.signIns.removeOthers(id);
        await this.signIns.removeLinks(id, this.clock.now());
      }
      await this.record(id, { status }, status === 'active' ? 'enable person' : 'disable person', by);
    });
  }

  /** Removes an account. The history of content keeps the id, without the name. */
  async remove(id: string, by?: Author): Promise<void> {
    await this.work.run(async () => {
      known(await this.store.find(id));
      await this.store.remove(id);
      await this.audit.forget(INSTALLATION.organisation, 'person', [id]);
      await this.record(id, {}, 'remove person', by);
    });
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
