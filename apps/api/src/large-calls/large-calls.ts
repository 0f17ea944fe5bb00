import { randomUUID } from 'node:crypto';
import { type IncomingMessage, type ServerResponse } from 'node:http';
import { extname } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { MessageChannel, type TransferListItem } from 'node:worker_threads';
import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { Piscina } from 'piscina';
import { Clock, Fault } from '#kernel';
import { Config, LOGGER, type Logger, Metrics, type MetricValues } from '#platform';
import { type Reply } from '../http/dispatcher.controller';
import { failure, send } from '../http/envelope';
import { RequestMetrics } from '../http/request-metrics';
import { type BodyPart, type LargeCall, type Role } from './large-call';

/** To decode so many bytes takes 2 ms in which nobody else is answered; then they are parsed, checked and signed for. */
const LARGE_BYTES = 256 * 1024;

/** After the thread could not begin, or ended, it is not begun again for so long. */
const PAUSE_MS = 5_000;

/** An answer of the thread about its metrics that takes longer is none. */
const METRICS_MS = 2_000;

/**
 * Has calls with large bodies answered in a thread beside that of all others, by the same dispatcher over connections of its
 * own, so that others need not wait while they are decoded, parsed and checked. The thread begins with the first of them;
 * what arrives before it is there, or while it cannot be had, is answered like any other call.
 */
@Injectable()
export class LargeCalls implements OnApplicationShutdown {
  private isOn = false;
  private thread: Piscina<unknown, unknown> | undefined;
  private isThere = false;
  private notBefore = 0;

  constructor(
    @Inject(Config) private readonly config: Config,
    @Inject(Clock) private readonly clock: Clock,
    @Inject(LOGGER) private readonly log: Logger,
    @Inject(Metrics) private readonly metrics: Metrics,
    @Inject(RequestMetrics) private readonly requests: RequestMetrics,
  ) {}

  /** From now on they may be. Settings are those of the environment. Call once. */
  begin(): void {
    this.isOn = true;
    this.metrics.include(() => this.ofThread());
  }

  /** Whether the call is one that `answer` is to answer. */
  takes({ headers }: IncomingMessage): boolean {
    if (!this.isOn) return false;
    // Of one in chunks nobody knows.
    const isLarge = 'transfer-encoding' in headers || Number(headers['content-length'] ?? 0) >= LARGE_BYTES;
    if (isLarge && !this.thread && performance.now() >= this.notBefore) void this.open();
    return isLarge && this.isThere;
  }

  async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method, url, headers } = request;
    const { port1: rest, port2: body } = new MessageChannel();
    const call: LargeCall = { method, url, headers, body };
    const thread = this.thread!;
    const pass = (chunk: Buffer) => {
      // Handed over and not copied, or the memory would be this thread's until the next collection, and bring that about.
      const whole = chunk.length === chunk.buffer.byteLength ? chunk : Uint8Array.prototype.slice.call(chunk);
      rest.postMessage(whole satisfies BodyPart, [whole.buffer as ArrayBuffer]);
    };
    request.on('data', pass);
    request.once('end', () => rest.postMessage('end' satisfies BodyPart));
    request.once('error', () => rest.postMessage('broken' satisfies BodyPart));
    try {
      const reply = (await this.ask('answer', call, [body])) as Reply;
      send(response, reply.status, reply.body, reply.headers);
    } catch (error) {
      this.lose(thread, error);
      this.refuse(response);
    } finally {
      // What still arrives nobody needs, but who sends it may not look for an answer before.
      request.off('data', pass).resume();
      rest.close();
    }
  }

  async onApplicationShutdown(): Promise<void> {
    this.isOn = false;
    const { thread } = this;
    if (!thread) return;
    if (this.isThere) await this.ask('close').catch(() => undefined);
    await thread.destroy();
  }

  private async open(): Promise<void> {
    let thread: Piscina | undefined;
    try {
      thread = this.thread = new Piscina({
        ...{ filename: require.resolve('./thread'), name: 'begin' satisfies Role },
        ...{ minThreads: 1, maxThreads: 1, concurrentTasksPerWorker: Infinity },
        // While it has no call it reads what others change, as every process does.
        atomics: 'disabled',
        // From the sources, a thread needs what lets the process read TypeScript.
        ...(extname(__filename) === '.ts' ? { execArgv: process.execArgv } : {}),
      });
      thread.on('error', (error) => this.lose(thread, error));
      await this.ask('begin', this.settings());
      if (this.thread !== thread) return;
      this.isThere = true;
      this.log.info('a thread answers large calls');
    } catch (error) {
      this.lose(thread, error);
    }
  }

  /** What is not as the environment has it. */
  private settings(): Record<string, string> {
    return {
      PORT: String(this.config.listeningPort),
      DATABASE_CONNECTIONS: String(Math.ceil(this.config.databaseConnections / 2)),
    };
  }

  private ask(name: Role, value?: unknown, transferList?: TransferListItem[]): Promise<unknown> {
    return this.thread!.run(value, { name, transferList });
  }

  /** It has ended, or is of no use. */
  private lose(thread: Piscina | undefined, error: unknown): void {
    if (this.thread !== thread) return;
    this.thread = undefined;
    this.isThere = false;
    this.notBefore = performance.now() + PAUSE_MS;
    this.log.error({ err: error }, 'the thread for large calls ended; they are answered without it');
    void thread?.destroy();
  }

  private refuse(response: ServerResponse): void {
    const requestId = randomUUID();
    const message =
      'What answered this request ended meanwhile; whether it had done its work by then is not known. Send it again.';
    const { status, code, body } = failure(new Fault('unavailable', message), requestId, this.clock.now());
    this.log.info({ request_id: requestId, status, code }, 'request');
    this.requests.refused({ operation: undefined, status, code });
    send(response, status, body, { 'X-Request-Id': requestId, 'Retry-After': 1 });
  }

  private async ofThread(): Promise<MetricValues | undefined> {
    if (!this.isThere) return undefined;
    const asked = this.ask('metrics').catch(() => undefined) as Promise<MetricValues | undefined>;
    const late = delay(METRICS_MS, undefined, { ref: false });
    return Promise.race([asked, late]);
  }
}
