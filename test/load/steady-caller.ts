import { setTimeout as sleep } from 'node:timers/promises';
import { type Answer, type Client } from '../support/client';
import { callPage, type PageAnswer, signedStart } from '../support/page';
import { type Entry, type Journal } from './journal';

/** The time limits of a caller. A longer wait for an answer counts as no answer. */
const LIMITS = { maxAnswerMs: 30_000, maxOutageMs: 120_000 };
const RETRY_DELAY_MS = 200;

interface Received<T> {
  answer: T;
  status: number;
  text: string;
  isSuccess: boolean;
  /** Whether an error has its code and message, and says when to send the request again. */
  isWellFormed: boolean;
}

type Send<T> = (signal: AbortSignal) => Promise<Received<T>>;

/**
 * Sends a request until it succeeds, like a careful client. After a temporary failure, it sends the same request again.
 * Every method takes a kind for the figures. `due` is the time at which the request should have been sent, so the
 * figures include any delay before sending.
 *
 * Every method throws an Error when the service refuses the request, or is not available for minutes.
 */
export class SteadyCaller {
  constructor(
    private readonly client: Pick<Client, 'fields' | 'send' | 'key' | 'secret' | 'baseUrl'>,
    private readonly journal: Journal,
    private readonly limits = LIMITS,
  ) {}

  call(kind: string, action: string, path: string, request: object, due?: number): Promise<Answer> {
    return this.sendUntilSuccess(kind, `${action} ${path}`, due, async (signal) => {
      const body = new URLSearchParams(this.client.fields(JSON.stringify(request), action));
      const answer = await this.client.send(path, { method: 'POST', body, signal });
      const { status, meta, data, headers, text } = answer;
      const isWellFormed = meta.code === 10000 && !!meta.message && data === undefined && headers.has('retry-after');
      return { answer, status, text, isSuccess: status === 200 && meta.status, isWellFormed };
    });
  }

  /** Starts or continues a test. Signs each attempt anew. */
  start(kind: string, request: object, due?: number): Promise<PageAnswer> {
    return this.page(kind, 'sessions', () => signedStart(this.client, Date.now(), request), {}, due);
  }

  /** Sends a request as the page of a test does. */
  page(
    kind: string,
    path: string,
    body: () => unknown,
    more: { method?: string; token?: string },
    due?: number,
  ): Promise<PageAnswer> {
    return this.sendUntilSuccess(kind, `delivery/v1/${path}`, due, async (signal) => {
      const answer = await callPage(this.client.baseUrl, path, body(), { ...more, signal });
      const { status, headers, text } = answer;
      const [error] = (answer.body?.errors ?? []) as { code?: number; message?: string }[];
      const isWellFormed = error?.code === 10000 && !!error.message && headers.has('retry-after');
      return { answer, status, text, isSuccess: status === 200, isWellFormed };
    });
  }

  /** Uploads a file to an address from the service. */
  async upload(kind: string, address: string, type: string, content: string): Promise<void> {
    await this.sendUntilSuccess(kind, 'upload', undefined, async (signal) => {
      const headers = { 'Content-Type': type };
      const answer = await fetch(address, { method: 'PUT', headers, body: content, signal });
      const { status } = answer;
      const text = await answer.text();
      const { meta } = JSON.parse(text) as Pick<Answer, 'meta'>;
      const isWellFormed = meta.code === 10000 && !!meta.message;
      return { answer, status, text, isSuccess: status === 200 && meta.status, isWellFormed };
    });
  }

  private async sendUntilSuccess<T>(kind: string, what: string, due = Date.now(), send: Send<T>): Promise<T> {
    const { maxOutageMs } = this.limits;
    for (const until = Date.now() + maxOutageMs; ; due = Date.now()) {
      const { answer, failure } = await this.attempt(what, send);
      this.journal.add({ kind, due, ended: Date.now(), failure });
      if (!failure) return answer!;
      if (Date.now() > until) throw new Error(`${kind}: ${failure} for ${maxOutageMs / 1000} s`);
      await sleep(RETRY_DELAY_MS);
    }
  }

  private async attempt<T>(what: string, send: Send<T>): Promise<{ answer?: T; failure?: Entry['failure'] }> {
    let received: Received<T>;
    try {
      received = await send(AbortSignal.timeout(this.limits.maxAnswerMs));
    } catch (error) {
      if ((error as Error).name === 'TimeoutError') throw new Error(`${what} was not answered.`);
      return { failure: 'disconnected' };
    }
    const { answer, status, text, isSuccess, isWellFormed } = received;
    if (isSuccess) return { answer };
    if (status === 503 && isWellFormed) return { failure: 'unavailable' };
    throw new Error(`${what} was answered with ${status}: ${text.slice(0, 500)}`);
  }
}
