import { lookup as lookUp, type LookupAddress } from 'node:dns';
import { Agent as HttpAgent, type ClientRequest, request as httpRequest, type RequestOptions } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import { type LookupFunction } from 'node:net';
import { Injectable } from '@nestjs/common';
import { WebhookSender } from '../application/ports/senders';
import { type Answer } from '../domain/delivery';
import { type Event } from '../domain/event';
import { type Network } from '../domain/network';
import { type Webhook } from '../domain/sink';
import { AddressRules } from '../domain/webhook-address';
import { bodyOf, headersOf } from '../domain/webhook-message';

/** The time limit of an attempt, including name lookup, connection, request and the start of the response. */
const MAX_ATTEMPT_MS = 15_000;
/** The maximum number of bytes to read of a response; only its status matters. */
const MAX_ANSWER_BYTES = 64 * 1024;
const KEPT_OPEN_MS = 10_000;
/** Statuses that ask for a pause, or say that a proxy cannot reach the receiver. */
const BUSY: ReadonlySet<number> = new Set([429, 502, 503, 504]);

/** Posts events over HTTP/1.1 to allowed addresses only. Checks the address of each new connection. */
@Injectable()
export class HttpWebhookSender extends WebhookSender {
  private readonly agents = {
    'http:': new HttpAgent({ keepAlive: true, timeout: KEPT_OPEN_MS }),
    'https:': new HttpsAgent({ keepAlive: true, timeout: KEPT_OPEN_MS }),
  };
  private readonly lookup: LookupFunction;

  constructor(
    private readonly rules: AddressRules,
    private readonly longestMs = MAX_ATTEMPT_MS,
  ) {
    super();
    this.lookup = allowedOnly(rules.network);
  }

  override async send(
    { url, secret }: Webhook & { secret: string },
    event: Event,
    now: number,
    signal: AbortSignal,
  ): Promise<Answer> {
    // The rules may have changed since the address was stored. An IP address needs no name lookup, so only this check
    // covers it.
    const fault = this.rules.faultOf(url);
    if (fault) return unreachable(`The address ${fault}.`);
    const body = bodyOf(event);
    const options = {
      method: 'POST',
      lookup: this.lookup,
      headers: {
        'content-type': 'application/json; charset=utf-8',
        'content-length': Buffer.byteLength(body),
        'user-agent': 'Itembank-Webhooks',
        ...headersOf(event.id, body, secret, now),
      },
    };
    const until = performance.now() + this.longestMs;
    const first = await this.post(url, options, body, until, signal);
    // The receiver may have closed the reused connection at that moment. That does not count as a failure.
    return first ?? (await this.post(url, { ...options, agent: false }, body, until, signal))!;
  }

  /** Undefined when a reused connection broke without a response. */
  private post(
    address: string,
    options: RequestOptions,
    body: string,
    until: number,
    signal: AbortSignal,
  ): Promise<Answer | undefined> {
    const url = new URL(address);
    const isSecure = url.protocol === 'https:';
    const agent = this.agents[isSecure ? 'https:' : 'http:'];
    return new Promise((resolve) => {
      const request: ClientRequest = (isSecure ? httpsRequest : httpRequest)(url, { agent, ...options });
      const stop = () => request.destroy(new Error('The service stopped before the answer came.'));
      const late = setTimeout(
        () => request.destroy(new Error(`There was no answer within ${this.longestMs / 1000} s.`)),
        Math.max(until - performance.now(), 0),
      );
      signal.addEventListener('abort', stop);
      request.on('close', () => {
        clearTimeout(late);
        signal.removeEventListener('abort', stop);
        resolve(unreachable('The connection was closed without an answer.'));
      });
      request.on('error', (error: NodeJS.ErrnoException) => {
        const isStale = request.reusedSocket && (error.code === 'ECONNRESET' || error.code === 'EPIPE');
        resolve(isStale ? undefined : unreachable(error.message || error.code || error.name));
      });
      request.on('response', (response) => {
        resolve(answerOf(response.statusCode!));
        let bytes = 0;
        response.on('error', () => undefined);
        response.on('data', (chunk: Buffer) => {
          bytes += chunk.length;
          if (bytes > MAX_ANSWER_BYTES) request.destroy();
        });
      });
      if (signal.aborted) stop();
      else request.end(body);
    });
  }

  override async close(): Promise<void> {
    for (const agent of Object.values(this.agents)) agent.destroy();
  }
}

const unreachable = (error: string): Answer => ({ outcome: 'unreachable', httpStatus: null, error });

/** The result of a response. Redirections are not followed, because they could lead to a forbidden address. */
function answerOf(httpStatus: number): Answer {
  if (httpStatus >= 200 && httpStatus < 300) return { outcome: 'delivered', httpStatus, error: null };
  const outcome = BUSY.has(httpStatus) ? 'unreachable' : 'refused';
  return { outcome, httpStatus, error: `The receiver answered ${httpStatus}.` };
}

/** A name lookup that removes forbidden addresses. Only a check at connection time is reliable. */
function allowedOnly(network: Network): LookupFunction {
  return (host, options, callback) => {
    lookUp(host, { ...options, all: true }, (error, found) => {
      if (error) return callback(error, []);
      const allowed = network.knows(host) ? found : found.filter(({ address }) => network.allows(address));
      if (allowed.length === 0)
        return callback(
          new Error(`${host} leads to no public address; an operator can allow it with WEBHOOK_ALLOWED_HOSTS.`),
          [],
        );
      if (options.all) return callback(null, allowed);
      const { address, family } = allowed[0] as LookupAddress;
      return callback(null, address, family);
    });
  };
}
