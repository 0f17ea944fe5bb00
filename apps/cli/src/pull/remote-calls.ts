import { setTimeout as sleep } from 'node:timers/promises';
import { isObject, type Json, type JsonObject, parsedJson } from '#kernel';
import { type Caller, operationUrl, signedFields } from '../signed-call';

/** The other server cannot be read. The message is for people. */
export class RemoteError extends Error {
  override readonly name = 'RemoteError';

  /** @param code of the refusal, where the other server gave one. */
  constructor(
    message: string,
    readonly code?: number,
  ) {
    super(message);
  }
}

/** The other server failed, limited calls or did not answer at each try. A later pull may succeed. */
export class Unreachable extends RemoteError {}

/** A page of records, or of records by key. */
interface Page {
  /** Unix seconds, by the clock of the other server. */
  timestamp: number | undefined;
  next: string | undefined;
  data: Json;
}

/** Codes for an operation that the other server does not know, or does not offer to this consumer. */
const NOT_OFFERED = [20012, 41001, 42001];
export const isNotOffered = (code: number | undefined): boolean => code !== undefined && NOT_OFFERED.includes(code);
/** Codes for a request with a member or value that the other server does not accept. */
export const isBadRequest = (code: number | undefined): boolean => code !== undefined && code >= 20000 && code < 20010;
/** Code for an unsupported value, such as an expired token. */
export const VALUE = 20004;

const TIMEOUT_MS = 120_000;
const MAX_ANSWER_BYTES = 256 * 1024 * 1024;
/** How often one request is tried when the other server limits calls or fails. */
const MAX_TRIES = 8;
/** How often it is tried before the server has answered any request, because then the address is probably wrong. */
const FIRST_TRIES = 3;
const FIRST_WAIT_MS = 250;
/** The longest wait. If the server asks for more, the command ends with an error. */
const MAX_WAIT_MS = 120_000;

/** Makes signed calls to the other server, within the limits that it states. */
export class RemoteCalls {
  /** No call is made before this time, in milliseconds. */
  private pausedUntil = 0;
  private hasAnswered = false;

  constructor(private readonly caller: Caller) {}

  get url(): string {
    return this.caller.url;
  }

  /** @throws RemoteError when the call is refused, or no server of this API answers it. */
  async get(path: string, request: JsonObject): Promise<Page> {
    const url = operationUrl(this.caller.url, path);
    const text = JSON.stringify(request);
    const { status, body } = await this.patiently(url, () => ({
      method: 'POST',
      body: new URLSearchParams(signedFields(this.caller, 'get', text)),
    }));
    const answer = parsedJson(body.toString('utf8'));
    if (!isObject(answer) || !isObject(answer.meta) || typeof answer.meta.status !== 'boolean')
      throw new RemoteError(
        `${url} is not answered by a server of this API (HTTP ${status}): ${JSON.stringify(body.toString('utf8', 0, 200))}`,
      );
    const { meta, data } = answer;
    if (!meta.status) {
      const code = typeof meta.code === 'number' ? meta.code : undefined;
      throw new RemoteError(`${url} refuses the call (${code ?? status}): ${JSON.stringify(meta.message)}`, code);
    }
    if (data === undefined) throw new RemoteError(`${url} answers without data.`);
    return {
      data,
      next: typeof meta.next === 'string' && meta.next !== '' ? meta.next : undefined,
      timestamp: typeof meta.timestamp === 'number' ? meta.timestamp : undefined,
    };
  }

  /**
   * The file at an address; undefined when there is none.
   * @throws RemoteError when it cannot be read, or is larger than `most` bytes. Unreachable: it may be there later.
   */
  async file(address: string, most: number): Promise<Buffer | undefined> {
    const { status, body } = await this.patiently(address, () => ({ method: 'GET' }), most);
    if (status === 404 || status === 403) return undefined;
    if (status !== 200) throw new RemoteError(`${address} answers with HTTP ${status}.`);
    return body;
  }

  /** Repeats a request that fails or exceeds a limit, with waits that grow each time. */
  private async patiently(
    url: string,
    request: () => RequestInit,
    most = MAX_ANSWER_BYTES,
  ): Promise<{ status: number; body: Buffer }> {
    for (let tries = 1; ; tries++) {
      await sleep(Math.max(0, this.pausedUntil - Date.now()));
      const answer = await this.once(url, request(), most);
      if ('body' in answer) {
        this.hasAnswered ||= answer.status < 500;
        if (answer.status !== 429 && answer.status < 500) return answer;
      }
      const wait = answer.wait ?? FIRST_WAIT_MS * 2 ** (tries - 1);
      if (tries >= (this.hasAnswered ? MAX_TRIES : FIRST_TRIES) || wait > MAX_WAIT_MS)
        throw new Unreachable(
          `${url} ${answer.reason}, also after ${tries} tries. Run the same command later to continue.`,
        );
      await sleep(wait);
    }
  }

  private async once(
    url: string,
    request: RequestInit,
    most: number,
  ): Promise<{ status: number; body: Buffer; wait?: number; reason: string } | { wait?: number; reason: string }> {
    try {
      const response = await fetch(url, { ...request, redirect: 'manual', signal: AbortSignal.timeout(TIMEOUT_MS) });
      const { status, headers } = response;
      if (status >= 300 && status < 400)
        throw new RemoteError(`${url} redirects to ${headers.get('location')}. Use that address instead.`);
      const body = await bounded(response, url, most);
      const seconds = numberIn(headers, 'ratelimit-reset') ?? numberIn(headers, 'retry-after');
      if (numberIn(headers, 'ratelimit-remaining') === 0 && seconds !== undefined && status !== 429)
        this.pausedUntil = Date.now() + Math.min(seconds * 1000, MAX_WAIT_MS);
      const wait = waitOf(headers.get('retry-after'));
      const reason = status === 429 ? 'allows no more calls' : `fails (HTTP ${status})`;
      return { status, body, wait, reason };
    } catch (error) {
      if (error instanceof RemoteError) throw error;
      const { code, message } = ((error as Error).cause ?? error) as NodeJS.ErrnoException;
      if (code === 'ENOTFOUND') throw new RemoteError(`There is no server ${new URL(url).host}.`);
      return { reason: `does not answer (${code ?? message})` };
    }
  }
}

async function bounded(response: Response, url: string, most: number): Promise<Buffer> {
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const part of (response.body ?? []) as AsyncIterable<Uint8Array>) {
    size += part.length;
    if (size > most) throw new RemoteError(`${url} answers with more than ${most} bytes.`);
    parts.push(part);
  }
  return Buffer.concat(parts);
}

function numberIn(headers: Headers, name: string): number | undefined {
  const text = headers.get(name);
  return text !== null && /^\d{1,9}(\.\d+)?$/.test(text.trim()) ? Number(text) : undefined;
}

/** Retry-After: seconds, or a date. */
function waitOf(text: string | null): number | undefined {
  if (text === null) return undefined;
  if (/^\d{1,9}$/.test(text.trim())) return Number(text) * 1000;
  const date = Date.parse(text);
  return Number.isNaN(date) ? undefined : Math.max(0, date - Date.now());
}
