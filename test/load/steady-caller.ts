import { setTimeout as sleep } from 'node:timers/promises';
import { type Answer, type Client } from '../support/client';
import { type Entry, type Journal } from './journal';

/** The time limits of a caller. A longer wait for an answer counts as no answer. */
const PATIENCE = { maxAnswerMs: 30_000, maxOutageMs: 120_000 };
const RETRY_DELAY_MS = 200;

/**
 * Sends a request until it succeeds, like a careful client. After a temporary failure, it sends the same request again.
 */
export class SteadyCaller {
  constructor(
    private readonly client: Pick<Client, 'fields' | 'send'>,
    private readonly journal: Journal,
    private readonly patience = PATIENCE,
  ) {}

  /**
   * @param due the time at which the request should have been sent. The time that it waits here counts as well.
   * @throws Error for a refusal that is no outage, and for an outage that lasts for minutes.
   */
  async call(kind: string, action: string, path: string, request: object, due = Date.now()): Promise<Answer> {
    const { maxOutageMs } = this.patience;
    for (const until = Date.now() + maxOutageMs; ; due = Date.now()) {
      const answer = await this.attempt(action, path, request);
      const trouble = typeof answer === 'string' ? answer : undefined;
      this.journal.add({ kind, due, ended: Date.now(), trouble });
      if (typeof answer !== 'string') return answer;
      if (Date.now() > until) throw new Error(`${kind}: ${answer} for ${maxOutageMs / 1000} s`);
      await sleep(RETRY_DELAY_MS);
    }
  }

  private async attempt(
    action: string,
    path: string,
    request: object,
  ): Promise<Answer | NonNullable<Entry['trouble']>> {
    let answer: Answer;
    const body = new URLSearchParams(this.client.fields(JSON.stringify(request), action));
    try {
      answer = await this.client.send(path, {
        method: 'POST',
        body,
        signal: AbortSignal.timeout(this.patience.maxAnswerMs),
      });
    } catch (error) {
      if ((error as Error).name === 'TimeoutError') throw new Error(`${action} ${path} was not answered.`);
      return 'disconnected';
    }
    const { status, meta, data, headers } = answer;
    if (status === 200 && meta.status) return answer;
    const isClean = meta.code === 10000 && meta.message && data === undefined && headers.get('retry-after');
    if (status === 503 && isClean) return 'unavailable';
    throw new Error(`${action} ${path} was answered with ${status}: ${answer.text.slice(0, 500)}`);
  }
}
