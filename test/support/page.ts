import { randomUUID } from 'node:crypto';
import { formatTimestamp, sign } from '#access';
import { type Client } from './client';
import { type TestService } from './service';

// The data of pages differs by type, and tests access it freely.
/* eslint-disable @typescript-eslint/no-explicit-any */

export interface PageAnswer {
  status: number;
  headers: Headers;
  body: any;
  text: string;
}

/** The status of an answer, and the members of its first error. */
export const errorOf = ({ status, body }: PageAnswer) => ({ status, ...body.errors?.[0] });

export const ORIGIN = 'http://localhost:3000';

/** The output of an SDK's `init('items', …)`: the request as text beside its signature. */
export function signedStart(
  { key, secret }: Pick<Client, 'key' | 'secret'>,
  now: number,
  request: object | string,
  {
    domain = 'localhost',
    timestamp = formatTimestamp(now),
    ...more
  }: { domain?: string; timestamp?: string; expires?: string; userId?: string; legacy?: boolean; action?: string } = {},
): { security: object; request: string; action?: string } {
  const text = typeof request === 'string' ? request : JSON.stringify(request);
  const given = typeof request === 'string' ? {} : (request as { user_id?: string });
  const userId = more.userId ?? given.user_id;
  const parts = { consumerKey: key, domain, timestamp, expires: more.expires, userId };
  const scheme = more.legacy ? 'legacy' : 'current';
  const signature = sign({ security: parts, request: text, action: more.action }, secret, scheme);
  return {
    security: { consumer_key: key, domain, timestamp, expires: more.expires, user_id: userId, signature },
    request: text,
    ...(more.action === undefined ? {} : { action: more.action }),
  };
}

/** Calls the delivery service as a page does. */
export async function callPage(
  url: string,
  path: string,
  body: unknown,
  {
    method = 'POST',
    token,
    origin = ORIGIN,
    headers = {},
    signal,
  }: {
    method?: string;
    token?: string;
    origin?: string | null;
    headers?: Record<string, string>;
    signal?: AbortSignal;
  } = {},
): Promise<PageAnswer> {
  const response = await fetch(`${url}/delivery/v1/${path}`, {
    method,
    headers: {
      'Content-Type': 'application/json',
      ...(origin === null ? {} : { Origin: origin }),
      ...(token === undefined ? {} : { Authorization: `Bearer ${token}` }),
      ...headers,
    },
    body: body === undefined ? undefined : typeof body === 'string' ? body : JSON.stringify(body),
    signal,
  });
  const text = await response.text();
  return { status: response.status, headers: response.headers, body: text === '' ? undefined : JSON.parse(text), text };
}

/** A page in which a learner takes a test. */
export class TestPage {
  saveNumber = 0;

  constructor(
    readonly service: TestService,
    readonly started: any,
    readonly text: string,
  ) {
    this.saveNumber = started.session.save_number;
  }

  static request(more: object = {}): { session_id: string; user_id: string; [member: string]: unknown } {
    return {
      user_id: 'learner',
      session_id: randomUUID(),
      activity_id: 'activity',
      name: 'A test',
      rendering_type: 'assess',
      type: 'submit_practice',
      ...more,
    };
  }

  /** Sends the signed request for a test. */
  static ask(service: TestService, more: object = {}, client = service.client): Promise<PageAnswer> {
    return callPage(service.url, 'sessions', signedStart(client, service.clock.now(), TestPage.request(more)));
  }

  static async start(service: TestService, more: object = {}, client = service.client): Promise<TestPage> {
    const answer = await TestPage.ask(service, more, client);
    if (answer.status !== 200) throw new Error(`${answer.status}: ${answer.text}`);
    return new TestPage(service, answer.body, answer.text);
  }

  get sessionId(): string {
    return this.started.session.session_id;
  }

  get questions(): any[] {
    return this.started.items.flatMap((item: any) => item.questions);
  }

  call(path: string, body: unknown, more: Parameters<typeof callPage>[3] = {}): Promise<PageAnswer> {
    return callPage(this.service.url, path, body, { token: this.started.token, ...more });
  }

  saved(values: Record<string, unknown>, more: object = {}): object {
    const responses = Object.fromEntries(
      Object.entries(values).map(([id, value]) => [
        id,
        value === null ? null : { value, type: Array.isArray(value) ? 'array' : 'string' },
      ]),
    );
    return { save_number: this.saveNumber + 1, responses, items: [], elapsed_seconds: 0, ...more };
  }

  /** @param values by response. */
  async save(values: Record<string, unknown>, more: object = {}): Promise<PageAnswer> {
    const answer = await this.call('sessions/current/responses', this.saved(values, more), { method: 'PUT' });
    if (answer.status === 200) this.saveNumber = answer.body.save_number;
    return answer;
  }

  /** Saves values, and asks an adaptive test for its next items. */
  async next(values: Record<string, unknown>): Promise<PageAnswer> {
    const saved = this.saved(values, { current_item: this.started.items.at(-1).id });
    const answer = await this.call('sessions/current/items', saved);
    if (answer.status === 200) {
      this.saveNumber = answer.body.save_number;
      this.started.items.push(...answer.body.items);
    }
    return answer;
  }

  async submit(values: Record<string, unknown> = {}, more: object = {}): Promise<PageAnswer> {
    return this.call('sessions/current/submissions', this.saved(values, more));
  }

  async stored(): Promise<any> {
    const { data } = await this.service.client.get('sessions/responses', { session_id: [this.sessionId] });
    return data[0];
  }
}
