import { createHash, randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Access, Audit } from '#access';
import { type Author, Clock, Fault, UnitOfWork } from '#kernel';
import {
  ABSOLUTE_MS,
  FORGET_FAILURES_MS,
  FRESH_MS,
  IDLE_MS,
  LINK_MS,
  MAX_WAIT_MS,
  type Purpose,
  waitAfter,
} from '../domain/limits';
import { authorOf, checkPassword, emailKey, INSTALLATION, type Person } from '../domain/person';
import { Passwords } from './passwords';
import { type Identity, PersonStore, type StoredPerson } from './ports/person-store';
import { type SignIn, SignInStore } from './ports/sign-in-store';

/** A person's call from a browser. */
export interface SignedIn {
  person: Person;
  signIn: SignIn;
  /** The hash of the cookie. */
  hash: string;
  /** Proves that a call comes from a page of the console. It is derived from the cookie, which pages cannot read. */
  csrf: string;
  /** Whether the person proved who they are within the last 15 minutes. */
  isFresh: boolean;
}

/** 256 random bits. */
const SECRET = /^[\w-]{43}$/;
/** Stores the time of the last use at most once in this interval, so that not every call writes. */
const SEEN_INTERVAL_MS = 60_000;
/** The number of attempts from one address within 5 s. A whole office may share an address. */
const MAX_ADDRESS_ATTEMPTS = 20;
const MAX_BROWSER_LENGTH = 250;

const notSignedIn = () => new Fault('token', 'You are not signed in, or the sign-in has ended; sign in again.');

/** Signs people in and out. Only hashes of secrets are stored, so that a reader of the database cannot use them. */
@Injectable()
export class SignIns {
  constructor(
    private readonly people: PersonStore,
    private readonly store: SignInStore,
    private readonly passwords: Passwords,
    private readonly access: Access,
    private readonly audit: Audit,
    private readonly work: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  /**
   * Signs a person in with a password.
   * @param address of the client, for limits.
   * @returns the secret for the cookie.
   * @throws Fault that does not say whether the address or the password was wrong; `too-many-requests`.
   */
  async withPassword(email: string, password: string, address: string, browser: string): Promise<string> {
    await this.countAttempt(address);
    const key = hashOf(emailKey(email));
    const person = await this.people.findByEmail(emailKey(email));
    await this.checkPassword(key, person, password);
    return this.begin(person!, browser);
  }

  /**
   * Proves again who a signed-in person is.
   * @throws Fault `expired` for a person without a password, who must sign in again instead.
   */
  async confirm({ person, hash }: SignedIn, password: string, address: string): Promise<void> {
    if (!person.hasPassword)
      throw new Fault('expired', 'This account has no password to confirm with; sign out and sign in again.');
    await this.countAttempt(address);
    await this.checkPassword(hashOf(emailKey(person.email)), await this.people.find(person.id), password);
    await this.store.setConfirmed(hash, this.clock.now());
  }

  /** The purpose of a link. Does not use the link up. */
  async lookAtLink(secret: string, address: string): Promise<{ purpose: Purpose; email: string }> {
    await this.countAttempt(address);
    const { link, person } = await this.link(secret);
    return { purpose: link.purpose, email: person.email };
  }

  /**
   * Signs a person in with a link, and uses the link up.
   * @param password the new password; invitations and resets need one.
   */
  async withLink(secret: string, password: string | undefined, address: string, browser: string): Promise<string> {
    await this.countAttempt(address);
    const { link, person, hash } = await this.link(secret);
    if (password !== undefined) checkPassword(password);
    else if (link.purpose !== 'sign-in') throw new Fault('missing', 'Choose a password.', '/password');
    const hashed = password === undefined ? undefined : await this.passwords.hash(password);
    return this.work.run(async () => {
      if (!(await this.store.takeLink(hash))) throw badLink();
      if (hashed !== undefined) await this.replacePassword(person, hashed);
      return this.begin(person, browser);
    });
  }

  /**
   * Signs in the person whom a provider of OpenID Connect has authenticated; undefined when nobody has the identity.
   * @param confirmedAt when the person last proved to the provider who they are.
   */
  async withIdentity(identity: Identity, browser: string, confirmedAt: number): Promise<string | undefined> {
    const person = await this.people.findByIdentity(identity);
    if (!person) return undefined;
    if (person.status !== 'active')
      throw new Fault('no-rights', 'This account is disabled; an operator can enable it.');
    return this.begin(person, browser, confirmedAt);
  }

  /** Links a person to their identity at a provider. */
  async addIdentity(person: string, identity: Identity): Promise<void> {
    await this.people.addIdentity(person, identity);
  }

  /**
   * Makes a link for a person. Older links of the person stop working.
   * @param by who makes it; absent for the command line.
   * @param check throws to refuse the link. It receives the stored person, who stays locked until the link is made.
   */
  async newLink(
    id: string,
    purpose: Purpose,
    by?: Author,
    check: (person: Person) => void = () => undefined,
  ): Promise<{ secret: string; endsAt: number }> {
    const secret = newSecret();
    const now = this.clock.now();
    const endsAt = now + LINK_MS[purpose];
    await this.work.run(async () => {
      const person = (await this.people.lock([id])).get(id);
      if (!person) throw new Fault('reference-unknown', 'There is no such person.');
      check(person);
      if (person.status !== 'active') throw new Fault('conflict', 'This account is disabled; enable it first.');
      await this.store.removeLinks(id, now);
      await this.store.addLink(hashOf(secret), { person: id, purpose, endsAt });
      const scope = { shelf: INSTALLATION, operation: 'make link', now, author: by };
      await this.audit.record([{ subject: 'person', key: id, detail: { purpose, ends_at: endsAt } }], scope);
    });
    return { secret, endsAt };
  }

  /**
   * The person whose cookie this is.
   * @param isUnattended whether a page made the call by itself. Such calls do not prolong the sign-in.
   * @throws Fault `token` for an unknown or ended one.
   */
  async find(cookie: string | undefined, isUnattended = false): Promise<SignedIn> {
    if (cookie === undefined || !SECRET.test(cookie)) throw notSignedIn();
    const hash = hashOf(cookie);
    const signIn = await this.store.find(hash);
    const now = this.clock.now();
    if (!signIn || signIn.seenAt + IDLE_MS <= now || signIn.createdAt + ABSOLUTE_MS <= now) throw notSignedIn();
    const person = await this.people.find(signIn.person);
    if (person?.status !== 'active') throw notSignedIn();
    if (!isUnattended && signIn.seenAt + SEEN_INTERVAL_MS <= now) await this.store.setSeen(hash, now);
    return { person, signIn, hash, csrf: hashOf(`csrf ${cookie}`), isFresh: signIn.confirmedAt + FRESH_MS > now };
  }

  async signOut({ hash }: SignedIn): Promise<void> {
    await this.store.remove(hash);
  }

  /** Ends the sign-in of a cookie, if there is one, before a new sign-in in the same browser replaces it. */
  async forget(cookie: string | undefined): Promise<void> {
    if (cookie !== undefined && SECRET.test(cookie)) await this.store.remove(hashOf(cookie));
  }

  async signOutEverywhere({ person }: SignedIn): Promise<void> {
    await this.store.removeOthers(person.id);
  }

  /** The browsers in which a person is signed in, the last used first. */
  async of(person: string): Promise<SignIn[]> {
    return this.store.ofPerson(person);
  }

  /** Changes the password of a signed-in person, and ends their other sign-ins and their links. */
  async changePassword(call: SignedIn, current: string, wanted: string, address: string): Promise<void> {
    checkPassword(wanted);
    if (call.person.hasPassword || !call.isFresh) await this.confirm(call, current, address);
    const hashed = await this.passwords.hash(wanted);
    await this.work.run(async () => {
      await this.people.setPassword(call.person.id, hashed);
      await this.store.removeLinks(call.person.id, this.clock.now());
      await this.store.removeOthers(call.person.id, call.hash);
      await this.recordPassword(call.person);
    });
  }

  /** Records that a person has a new password. */
  private async recordPassword(person: Person): Promise<void> {
    const now = this.clock.now();
    const scope = { shelf: INSTALLATION, operation: 'set password', now, author: authorOf(person) };
    await this.audit.record([{ subject: 'person', key: person.id, detail: {} }], scope);
  }

  private async link(secret: string) {
    if (!SECRET.test(secret)) throw badLink();
    const hash = hashOf(secret);
    const link = await this.store.findLink(hash);
    if (!link || link.endsAt <= this.clock.now()) throw badLink();
    const person = await this.people.find(link.person);
    if (person?.status !== 'active') throw badLink();
    return { link, person, hash };
  }

  private async replacePassword(person: Person, hashed: string): Promise<void> {
    await this.people.setPassword(person.id, hashed);
    await this.store.removeOthers(person.id);
    await this.store.clearFailures(hashOf(emailKey(person.email)));
    await this.recordPassword(person);
  }

  private async begin(person: Person, browser: string, confirmedAt?: number): Promise<string> {
    const secret = newSecret();
    const now = this.clock.now();
    await this.work.run(async () => {
      await this.store.removeUnused(now - IDLE_MS);
      await this.people.setSignedIn(person.id, now);
      await this.store.add(hashOf(secret), {
        person: person.id,
        browser: browser.slice(0, MAX_BROWSER_LENGTH).toWellFormed(),
        createdAt: now,
        seenAt: now,
        confirmedAt: Math.min(confirmedAt ?? now, now),
      });
    });
    return secret;
  }

  private async checkPassword(key: string, person: StoredPerson | undefined, password: string): Promise<void> {
    const now = this.clock.now();
    const before = await this.store.failures(key);
    const ago = now - (before?.failedAt ?? -Infinity);
    const wait = waitAfter(before?.failures ?? 0) - Math.max(ago, 0);
    // The clock that counted the failure may have been ahead. If it was far ahead, nobody knows when the failure was.
    if (wait > 0 && ago > -MAX_WAIT_MS) throw tooMany('There were too many wrong passwords for this account', wait);
    // Counts before comparing, so that concurrent attempts compare no more passwords than consecutive ones.
    const counted = await this.store.addFailure(key, now, now - FORGET_FAILURES_MS);
    const others = counted - 1 - (before?.failures ?? 0);
    if (others > 0 && waitAfter(counted - 1) > 0)
      throw tooMany('There were too many wrong passwords for this account', waitAfter(counted));
    const matches = await this.passwords.matches(person?.password, password);
    if (matches && person?.status === 'active') {
      await this.store.clearFailures(key);
      return;
    }
    throw new Fault('token', 'The e-mail address or the password is wrong.');
  }

  /** Counts an attempt to sign in from an address. @throws Fault `too-many-requests`. */
  async countAttempt(address: string): Promise<void> {
    const { allowed, resetMs } = await this.access.takeOf(`sign-in ${address}`, MAX_ADDRESS_ATTEMPTS);
    if (!allowed) throw tooMany('There were too many attempts from this address', resetMs);
  }
}

const badLink = () => new Fault('token', 'This link was used already, has ended, or was replaced by a newer one.');

function tooMany(what: string, waitMs: number): Fault {
  const seconds = Math.ceil(waitMs / 1000);
  return new Fault('too-many-requests', `${what}; try again in ${seconds} s.`, undefined, undefined, seconds);
}

const newSecret = (): string => randomBytes(32).toString('base64url');

const hashOf = (secret: string): string => createHash('sha256').update(secret).digest('hex');
