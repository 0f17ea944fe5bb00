import { request, type IncomingHttpHeaders } from 'node:http';
import { text as textOf } from 'node:stream/consumers';
import { People, type Role, SignIns } from '#people';
import { type Answer } from './client';
import { type TestService } from './service';

/** The answer to a call of a console page. */
interface PageAnswer {
  status: number;
  headers: IncomingHttpHeaders;
  // The shape differs by call, and tests access it freely.
  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  body: any;
  text: string;
}

/** Calls the service as a page of the console does in a browser: with the service's cookies and the token. */
export class Browser {
  readonly cookies = new Map<string, string>();
  /** The token of the last read of the session. */
  csrf: string | undefined;

  constructor(readonly url: string) {}

  /** Sends a call. `headers` override the usual ones; undefined removes one. */
  async send(
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string | string[] | undefined> = {},
  ): Promise<PageAnswer> {
    const text = body === undefined ? undefined : typeof body === 'string' ? body : JSON.stringify(body);
    const cookie = [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const all: Record<string, string | string[] | undefined> = {
      Origin: this.url,
      'Sec-Fetch-Site': 'same-origin',
      'User-Agent': 'Test browser',
      ...(text === undefined ? {} : { 'Content-Type': 'application/json' }),
      ...(cookie === '' ? {} : { Cookie: cookie }),
      ...(this.csrf === undefined ? {} : { 'X-CSRF-Token': this.csrf }),
      ...headers,
    };
    const sent = Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined));
    return new Promise((resolve, reject) => {
      const call = request(`${this.url}${path}`, { method, headers: sent }, (response) => {
        this.keep(response.headers['set-cookie'] ?? []);
        textOf(response).then((received) => {
          const isJson = (response.headers['content-type'] ?? '').startsWith('application/json');
          const parsed: unknown = isJson && received !== '' ? JSON.parse(received) : undefined;
          resolve({ status: response.statusCode!, headers: response.headers, body: parsed, text: received });
        }, reject);
      });
      call.on('error', reject).end(text);
    });
  }

  /** Reads the signed-in person. Every page of the console does this first. */
  async readSession(): Promise<PageAnswer> {
    const answer = await this.send('GET', '/console/session');
    this.csrf = answer.body?.csrf;
    return answer;
  }

  async signIn(email: string, password: string): Promise<PageAnswer> {
    const answer = await this.send('POST', '/console/session', { email, password });
    if (answer.status === 204) await this.readSession();
    return answer;
  }

  async useLink(link: string, password?: string): Promise<PageAnswer> {
    const answer = await this.send('POST', '/console/session/link', { link, password });
    if (answer.status === 204) await this.readSession();
    return answer;
  }

  /** Calls an operation. */
  async call(path: string, action: string, operation: object = {}): Promise<Answer> {
    const { status, headers, body, text } = await this.send('POST', `/console/api/v1/${path}`, {
      action,
      request: operation,
    });
    const get = (name: string) => (headers[name.toLowerCase()] as string | undefined) ?? null;
    return { status, headers: { get, has: (name) => get(name) !== null }, meta: body.meta, data: body.data, text };
  }

  private keep(lines: readonly string[]): void {
    for (const line of lines) {
      const [, name, value] = /^([^=]+)=([^;]*)/.exec(line)!;
      if (/expires=thu, 01 jan 1970/i.test(line)) this.cookies.delete(name!);
      else this.cookies.set(name!, value!);
    }
  }
}

/** The roles of a person: a list applies to organisation 1, an object names the organisations. */
type RolesByOrganisation = readonly Role[] | Record<number, readonly Role[]>;

let people = 0;

/** Creates an account without a password. */
export async function newPerson(
  service: TestService,
  roles: RolesByOrganisation,
  { email = `person-${++people}@example.org`, firstname = 'Ada', lastname = 'King' } = {},
) {
  const byOrganisation = Array.isArray(roles) ? { 1: roles as readonly Role[] } : (roles as Record<number, Role[]>);
  const held = new Map(Object.entries(byOrganisation).map(([id, names]) => [Number(id), names]));
  return service.get(People).create({ email, firstname, lastname, roles: held });
}

export const PASSWORD = 'correct horse battery';

/** Creates an account whose owner has chosen {@link PASSWORD} and is signed in. */
export async function signedIn(
  service: TestService,
  roles: RolesByOrganisation,
  names: Parameters<typeof newPerson>[2] = {},
) {
  // The service limits the attempts within five seconds.
  service.clock.advance(6_000);
  const person = await newPerson(service, roles, names);
  const { secret } = await service.get(SignIns).newLink(person.id, 'invitation');
  const browser = new Browser(service.url);
  const { status, text } = await browser.useLink(secret, PASSWORD);
  if (status !== 204) throw new Error(`The link does not sign in: ${text}`);
  return { person, browser };
}
