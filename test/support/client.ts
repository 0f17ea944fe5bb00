import { Agent, request, type IncomingMessage } from 'node:http';
import { text as textOf } from 'node:stream/consumers';
import { formatTimestamp, sign, type SecurityFields, type SignatureScheme } from '#access';
import { type Clock } from '#kernel';
import { until } from './until';

/** An answer of the service. */
export interface Answer {
  status: number;
  headers: Pick<Headers, 'get' | 'has'>;
  meta: {
    status: boolean;
    timestamp: number;
    records?: number;
    next?: string;
    code?: number;
    message?: string;
    request_uuid?: string;
    errors?: { code: number; pointer: string; message: string }[];
    sanitised?: number;
    sanitised_at?: string[];
    warnings?: { rule: string; pointer: string; message: string }[];
  };
  // The shape differs by operation, and tests access it freely.
  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  data?: any;
  text: string;
}

/** Calls the service as the published SDKs do: form-encoded, signed over the exact text. */
export class Client {
  constructor(
    readonly baseUrl: string,
    readonly key: string,
    readonly secret: string,
    private readonly clock: Clock,
  ) {}

  async get(path: string, request: object = {}): Promise<Answer> {
    return this.call(path, 'get', request);
  }

  async set(path: string, request: object): Promise<Answer> {
    return this.call(path, 'set', request);
  }

  async update(path: string, request: object): Promise<Answer> {
    return this.call(path, 'update', request);
  }

  /** The records of all pages of a list. */
  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  async all(path: string, request: object = {}): Promise<any[]> {
    const records: unknown[] = [];
    for (let next: string | undefined; ;) {
      const { meta, data } = await this.get(path, next === undefined ? request : { ...request, next });
      if (!meta.status) throw new Error(`${meta.code}: ${meta.message}`);
      records.push(...data);
      next = meta.next;
      // Reads that support polling also return a token with an empty page.
      if (next === undefined || data.length === 0) return records;
    }
  }

  /**
   * The job with this reference, once it has ended.
   * @param clock moves while the job waits for an attempt, and for the first looks at a running job, which may wait until
   *   earlier writes are committed. It moves no further, so that the lease of the attempt does not expire.
   */
  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  async ended(reference: string, clock?: { advance(milliseconds: number): void }): Promise<any> {
    let looksAtRun = 0;
    return until(async () => {
      const { data } = await this.get('jobs', { references: [reference] });
      const status = data[0]?.status as string | undefined;
      if (status === 'completed' || status === 'halted') return data[0];
      if (status !== 'running' || looksAtRun++ < 10) clock?.advance(500);
      return undefined;
    });
  }

  async call(path: string, action: string, request: object | string): Promise<Answer> {
    const text = typeof request === 'string' ? request : JSON.stringify(request);
    return this.post(path, this.fields(text, action));
  }

  /** The three fields of a signed call. */
  fields(
    request: string | undefined,
    action: string | undefined,
    { scheme = 'current', ...overrides }: Partial<SecurityFields> & { scheme?: SignatureScheme } = {},
  ): Record<string, string> {
    const security: SecurityFields = {
      consumerKey: this.key,
      domain: 'localhost',
      timestamp: formatTimestamp(this.clock.now()),
      signature: '',
      ...overrides,
    };
    const signature = overrides.signature ?? sign({ security, request, action }, this.secret, scheme);
    return {
      security: JSON.stringify({
        consumer_key: security.consumerKey,
        domain: security.domain,
        timestamp: security.timestamp,
        expires: security.expires,
        user_id: security.userId,
        signature,
      }),
      ...(request === undefined ? {} : { request }),
      ...(action === undefined ? {} : { action }),
    };
  }

  /** Uses node:http, because `fetch` is several times slower and the tests make hundreds of thousands of calls. */
  async post(path: string, fields: Record<string, string>): Promise<Answer> {
    const body = new URLSearchParams(fields).toString();
    const headers = { 'Content-Type': 'application/x-www-form-urlencoded', 'Content-Length': Buffer.byteLength(body) };
    const response = await new Promise<IncomingMessage>((resolve, reject) => {
      request(this.addressOf(path), { method: 'POST', agent, headers }, resolve).on('error', reject).end(body);
    });
    const received = response.headers;
    const get = (name: string) => {
      const value = received[name.toLowerCase()];
      return value === undefined ? null : String(value);
    };
    return answerOf(response.statusCode!, { get, has: (name) => get(name) !== null }, await textOf(response));
  }

  async send(path: string, init: RequestInit): Promise<Answer> {
    const response = await fetch(this.addressOf(path), { redirect: 'manual', ...init });
    return answerOf(response.status, response.headers, await response.text());
  }

  private addressOf(path: string): string {
    return path.startsWith('/') ? `${this.baseUrl}${path}` : `${this.baseUrl}/v1/${path}`;
  }
}

/** Closes idle connections before the service does. Otherwise a call could meet the end of its connection. */
const agent = new Agent({ keepAlive: true, timeout: 30_000 });

function answerOf(status: number, headers: Answer['headers'], text: string): Answer {
  const { meta, data } = JSON.parse(text) as Pick<Answer, 'meta' | 'data'>;
  return { status, headers, meta, data, text };
}
