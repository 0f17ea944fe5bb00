import { setTimeout as sleep } from 'node:timers/promises';
import { formatTimestamp, sign } from '#access/signing';
import { parsedJson, withoutEnd } from '#kernel';

/** The consumer and the address of a call. */
export interface Caller {
  url: string;
  key: string;
  secret: string;
  domain: string;
}

/** The answer of the service: `meta`, and `data` on success. */
export interface Answer {
  meta: { status: boolean; next?: string; code?: number };
  data?: unknown;
  /** Seconds after which a rate-limited call may be repeated. */
  retryAfter?: number;
}

const VERSIONED = /^(v\d[^/]*|latest|latest-lts|developer)\//i;

/**
 * Calls an operation as the client libraries do: form-encoded, signed over the exact text.
 * @param path with or without a version segment
 * @throws Error when there is no answer, or one that is not from the service
 */
export async function signedCall(caller: Caller, path: string, action: string, request: string): Promise<Answer> {
  const url = operationUrl(caller.url, path);
  const response = await post(url, signedFields(caller, action, request));
  const text = await response.text();
  const answer = parsedJson(text) as Answer | undefined;
  if (typeof answer?.meta?.status !== 'boolean')
    throw new Error(`${url} is not answered by this service (HTTP ${response.status}): ${text.slice(0, 200)}`);
  const seconds = Number(response.headers.get('retry-after') ?? NaN);
  return Number.isNaN(seconds) ? answer : { ...answer, retryAfter: seconds };
}

/** The three fields of a call. */
export function signedFields(caller: Caller, action: string, request: string): Record<string, string> {
  const security = { consumerKey: caller.key, domain: caller.domain, timestamp: formatTimestamp(Date.now()) };
  const signature = sign({ security, request, action }, caller.secret, 'current');
  return {
    security: JSON.stringify({
      consumer_key: security.consumerKey,
      domain: security.domain,
      timestamp: security.timestamp,
      signature,
    }),
    request,
    action,
  };
}

/** @param path with or without a version segment */
export function operationUrl(base: string, path: string): string {
  const below = path.replace(/^\/+/, '');
  return `${withoutEnd(base, '/')}/${VERSIONED.test(below) ? below : `v1/${below}`}`;
}

async function post(url: string, fields: Record<string, string>): Promise<Response> {
  try {
    return await fetch(url, { method: 'POST', body: new URLSearchParams(fields), redirect: 'manual' });
  } catch (error) {
    const { code, message } = ((error as Error).cause ?? error) as NodeJS.ErrnoException;
    const { origin } = new URL(url);
    throw new Error(
      `No service answers at ${origin} (${code ?? message}); start it with npm start, or give its address with --url.`,
      { cause: error },
    );
  }
}

/** The largest number of retries of a rate-limited call. */
const MAX_WAITS = 10;

/** Repeats a call while the service rate-limits it. */
export async function patientCall(caller: Caller, path: string, action: string, request: string): Promise<Answer> {
  for (let waits = 0; ;) {
    const answer = await signedCall(caller, path, action, request);
    if (answer.retryAfter === undefined || ++waits >= MAX_WAITS) return answer;
    await sleep(answer.retryAfter * 1000);
  }
}

/** Calls for all pages, and joins their answers: concatenates lists, also those below each key of a keyed answer. */
export async function callAllPages(caller: Caller, path: string, request: string): Promise<Answer> {
  const asked = JSON.parse(request) as Record<string, unknown>;
  const first = Array.isArray(asked) ? {} : asked;
  let all: unknown;
  for (let next: unknown = first.next; ;) {
    const page = await patientCall(
      caller,
      path,
      'get',
      next === undefined ? request : JSON.stringify({ ...first, next }),
    );
    if (!page.meta.status) return page;
    all = joined(all, page.data);
    next = page.meta.next;
    // Reads that support polling also return a token with an empty page.
    if (next === undefined || isEmpty(page.data)) return { meta: page.meta, data: all };
  }
}

function joined(before: unknown, after: unknown): unknown {
  if (Array.isArray(before) && Array.isArray(after)) return [...(before as unknown[]), ...(after as unknown[])];
  if (!isObject(before) || !isObject(after)) return after;
  const all = new Map(Object.entries(before));
  for (const [key, value] of Object.entries(after)) all.set(key, joined(all.get(key), value));
  return Object.fromEntries(all);
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isEmpty(data: unknown): boolean {
  return Array.isArray(data) ? data.length === 0 : !isObject(data) || Object.keys(data).length === 0;
}
