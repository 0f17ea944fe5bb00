import { timingSafeEqual } from 'node:crypto';
import { type IncomingMessage } from 'node:http';
import { Injectable } from '@nestjs/common';
import { Access, type SignedCall } from '#access';
import { Fault, parseObject } from '#kernel';
import { type SignedIn, SignIns } from '#people';
import { Config } from '#platform';
import { type Caller, PersonCaller } from '../http/caller';
import { readBody } from '../http/request-fields';
import { cookieOf } from './cookies';

/** Reads and authenticates the calls of people in the console. */
@Injectable()
export class ConsoleCalls {
  constructor(
    private readonly signIns: SignIns,
    private readonly access: Access,
    private readonly config: Config,
  ) {}

  /** @throws Fault when this installation has no console. */
  checkOn(): void {
    if (!this.config.console) throw new Fault('no-endpoint', 'This installation has no console: CONSOLE is off.');
  }

  /** Reads `{action, request}`, the body by which the console calls an operation. */
  async read(message: IncomingMessage, maxBytes: number): Promise<SignedCall> {
    const { action, request = {} } = await this.body(message, maxBytes);
    if (action !== undefined && typeof action !== 'string')
      throw new Fault('type', 'action must be text, such as "get".', '/action');
    return { action, request: JSON.stringify(request) };
  }

  /**
   * Reads a JSON body.
   * @throws Fault for other types, which pages of other origins may send without asking.
   */
  async body(message: IncomingMessage, maxBytes: number): Promise<Record<string, unknown>> {
    const type = (message.headers['content-type'] ?? '').split(';', 1)[0]!.trim().toLowerCase();
    if (type !== 'application/json') {
      message.resume();
      throw new Fault('schema', `Send the body as application/json; it came as ${type.slice(0, 100) || 'no type'}.`);
    }
    return parseObject(await readBody(message, maxBytes), 'The body', 'the parameters of the call');
  }

  async authenticate(message: IncomingMessage): Promise<Caller> {
    const { person } = await this.signedIn(message);
    return new PersonCaller(person, this.access);
  }

  /**
   * The person who makes a call that has an effect.
   * @throws Fault `token` when nobody is signed in; `domain` when the call does not come from a page of the console.
   */
  async signedIn(message: IncomingMessage): Promise<SignedIn> {
    this.checkOn();
    checkSameOrigin(message);
    const call = await this.signIns.find(cookieOf(message), message.headers['x-unattended'] !== undefined);
    const sent = message.headers['x-csrf-token'];
    if (typeof sent !== 'string' || !isSame(sent, call.csrf))
      throw new Fault('domain', 'The header X-CSRF-Token is missing or wrong; GET /console/session returns it.');
    return call;
  }
}

/** @throws Fault when the browser says that a page of another origin makes the call. */
export function checkSameOrigin({ headers }: IncomingMessage): void {
  const { origin, host = '', 'sec-fetch-site': site } = headers;
  const isOther = origin !== undefined && (!URL.canParse(origin) || new URL(origin).host !== host.toLowerCase());
  if (isOther || (site !== undefined && site !== 'same-origin' && site !== 'none'))
    throw new Fault('domain', 'Only pages of the console may make this call.');
}

function isSame(sent: string, right: string): boolean {
  const [a, b] = [Buffer.from(sent), Buffer.from(right)];
  return a.length === b.length && timingSafeEqual(a, b);
}
