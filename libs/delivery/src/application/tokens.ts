import { createHash, randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Access, checkOrigin } from '#access';
import { Clock, Fault, type Scope } from '#kernel';
import { type Attempt, type Permission } from '../domain/attempt';
import { badToken } from '../domain/faults';
import { AttemptStore } from './ports/attempt-store';

/** A page's permission for a session, and its organisation. */
export interface Page extends Permission {
  organisation: number;
  /** The attempt as it was stored when the call came. */
  attempt: Attempt | undefined;
}

/** Calls that one page may make within 5 s. A page usually sends a few at a time: a save, a check, a pause. */
const MAX_TOKEN_CALLS = 50;

/** `7.…`: the organisation that has the token, and 256 random bits. */
const TOKEN = /^([1-9]\d{0,9})\.([\w-]{43})$/;

/** Issues and checks tokens. Only hashes are stored, so that a reader of the database cannot use them. */
@Injectable()
export class Tokens {
  constructor(
    private readonly store: AttemptStore,
    private readonly access: Access,
    private readonly clock: Clock,
  ) {}

  /** Makes a token, and stores its permission in the caller's unit of work. */
  async give(organisation: number, permission: Permission): Promise<string> {
    const token = `${organisation}.${randomBytes(32).toString('base64url')}`;
    await this.store.addPermission(organisation, hashOf(token), permission);
    return token;
  }

  /**
   * The page that a token belongs to.
   * @param header `Authorization`.
   * @param origin `Origin`; absent where a browser sends none.
   * @throws Fault `token`; `domain` for a page of another host; `too-many-requests`.
   */
  async page(header: string | undefined, origin: string | undefined): Promise<Page> {
    const token = /^bearer +(\S+)$/i.exec(header ?? '')?.[1];
    if (token === undefined)
      throw badToken('Send the token of the session in the header Authorization: Bearer …; a start gives one.');
    const organisation = Number(TOKEN.exec(token)?.[1] ?? NaN);
    const hash = hashOf(token);
    const found = organisation < 2 ** 31 ? await this.store.permission(organisation, hash) : undefined;
    const permission = found?.permission;
    if (!permission || permission.endsAt < this.clock.now())
      throw badToken('The token is unknown or has expired; load the page again with a newly signed request.');
    if (!(await this.access.active(permission.consumer)))
      throw badToken('The consumer that signed for this page is disabled; an operator can enable it again.');
    if (origin !== undefined) checkOrigin(origin, permission.terms.domain);
    const { allowed, resetMs } = await this.access.takeOf(`delivery token ${hash}`, MAX_TOKEN_CALLS);
    if (!allowed) throw tooMany(`this page may call ${MAX_TOKEN_CALLS} times`, resetMs);
    return { ...permission, organisation, attempt: found.attempt };
  }
}

/** The scope in which a page writes. */
export const scopeOf = (organisation: number, now: number): Scope => ({
  shelf: { organisation },
  operation: 'delivery',
  now,
  readable: new Set([organisation]),
});

export function tooMany(what: string, resetMs: number): Fault {
  const seconds = Math.ceil(resetMs / 1000);
  return new Fault(
    'too-many-requests',
    `Too many requests: ${what} within 5 seconds; send the next one in ${seconds} s.`,
    undefined,
    undefined,
    seconds,
  );
}

const hashOf = (token: string): string => createHash('sha256').update(token).digest('hex');
