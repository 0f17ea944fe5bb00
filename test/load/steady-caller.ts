import { setTimeout as sleep } from 'node:timers/promises';
import { type Answer, type Client } from '../support/client';
import { callPage, type PageAnswer, signedStart } from '../support/page';
import { type Entry, type Journal } from './journal';

/** The time limits of a caller. A longer wait for an answer counts as no answer. */
const PATIENCE = { maxAnswerMs: 30_000, maxOutageMs: 120_000 };
const RETRY_DELAY_MS = 200;

interface Received<T> {
  answer: T;
  status: number;
  text: string;
  isSuccess: boolean;
  /** Whether an error has its code and message, and says when to send the request again. */
  isClean: boolean;
}

type Send<T> = (signal: AbortSignal) => Promise<Received<T>>;

/**
 * Sends a request until it succeeds, like a careful client. After a temporary failure, it sends the same request again.
 * Every method takes a kind for the figures, and `due`, the time at which the request should have been sent. The time
 * that it waits here counts as well.
 *
 * All methods throw an Error for a refusal that is no outage, and for an outage that lasts for minutes.
 */
export class SteadyCaller {
  constructor(
    private readonly client: Pick<Client, 'fields' | 'send' | 'key' | 'secret' | 'baseUrl'>,
    private readonly journal: Journal,
    private readonly patience = PATIENCE,
  ) {}

  call(kind: string, action: string, path: string, request: object, due?: number): Promise<Answer> {
    return this.steadily(kind, `${action} ${path}`, due, async (signal) => {
      const body = new URLSearchParams(this.client.fields(JSON.stringify(request), action));
      const answer = await this.client.send(path, { method: 'POST', body, signal });
      const { status, meta, data, headers, text } = answer;
      const isClean = meta.code === 10000 && !!meta.message && data === undefined && headers.has('retry-after');
      return { answer, status, text, isSuccess: status === 200 && meta.status, isClean };
    });
  }

  /** Starts or continues a test, with a signature of its own for each attempt. */
  start(kind: string, request: object, due?: number): Promise<PageAnswer> {
    return this.page(kind, 'sessions', () => signedStart(this.client, Date.now(), request), {}, due);
  }

  /** Sends what the page of a test sends. */
  page(
    kind: string,
    path: string,
    body: () => unknown,
    more: { method?: string; token?: string },
    due?: number,
  ): Promise<PageAnswer> {
    return this.steadily(kind, `delivery/v1/${path}`, due, async (signal) => {
      const answer = await callPage(this.client.baseUrl, path, body(), { ...more, signal });
      const { status, headers, text } = answer;
      const [error] = (answer.body?.errors ?? []) as { code?: number; message?: string }[];
      const isClean = error?.code === 10000 && !!error.message && headers.has('retry-after');
      return { answer, status, text, isSuccess: status === 200, isClean };
    });
  }

  /** Uploads a file to an address that the service gave. */
  async upload(kind: string, address: string, type: string, content: string): Promise<void> {
    await this.steadily(kind, 'upload', undefined, async (signal) => {
      const headers = { 'Content-Type': type };
      const answer = await fetch(address, { method: 'PUT', headers, body: content, signal });
      const { status } = answer;
      const text = await answer.text();
      const { meta } = JSON.parse(text) as Pick<Answer, 'meta'>;
      const isClean = meta.code === 10000 && !!meta.message;
      return { answer, status, text, isSuccess: status === 200 && meta.status, isClean };
    });
  }

  private async steadily<T>(kind: string, what: string, due = Date.now(), send: Send<T>): Promise<T> {
    const { maxOutageMs } = this.patience;
    for (const until = Date.now() + maxOutageMs; ; due = Date.now()) {
      const { answer, trouble } = await this.attempt(what, send);
      this.journal.add({ kind, due, ended: Date.now(), trouble });
      if (!trouble) return answer!;
      if (Date.now() > until) throw new Error(`${kind}: ${trouble} for ${maxOutageMs / 1000} s`);
      await sleep(RETRY_DELAY_MS);
    }
  }

  private async attempt<T>(what: string, send: Send<T>): Promise<{ answer?: T; trouble?: Entry['trouble'] }> {
    let received: Received<T>;
    try {
      received = await send(AbortSignal.timeout(this.patience.maxAnswerMs));
    } catch (error) {
      if ((error as Error).name === 'TimeoutError') throw new Error(`${what} was not answered.`);
      return { trouble: 'disconnected' };
    }
    const { answer, status, text, isSuccess, isClean } = received;
    if (isSuccess) return { answer };
    if (status === 503 && isClean) return { trouble: 'unavailable' };
    throw new Error(`${what} was answered with ${status}: ${text.slice(0, 500)}`);
  }
}
